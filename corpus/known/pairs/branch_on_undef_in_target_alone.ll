; a branch that only the target has, on what may be undef; the source has UB of
; poison already, and none of undef
; EXPECT llvm: refines
; EXPECT llvm-undef: more-ub
define i2 @src(i2 %x) {
  %o = or i2 %x, 1
  %d = udiv i2 1, %o
  ret i2 0
}

define i2 @tgt(i2 %x) {
  %c = icmp eq i2 %x, 0
  br i1 %c, label %a, label %b
a:
  ret i2 0
b:
  ret i2 0
}
