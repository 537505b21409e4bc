; Where a select on poison chooses once, one on undef is undef all the same
; EXPECT llvm: refines
; EXPECT llvm:select_condition=nondeterministic: refines
define i8 @src() {
  %s = select i1 undef, i8 0, i8 1
  %r = xor i8 %s, %s
  ret i8 %r
}

define i8 @tgt() {
  ret i8 1
}
