; A pointer is less than the one behind it, which does not wrap
; EXPECT llvm: refines
define i1 @src(ptr %p) {
  %q = getelementptr nuw i8, ptr %p, i64 1
  %c = icmp ult ptr %p, %q
  ret i1 %c
}

define i1 @tgt(ptr %p) {
  ret i1 true
}
