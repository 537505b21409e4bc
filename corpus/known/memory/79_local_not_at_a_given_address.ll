; A local may lie elsewhere than where the argument points to
; EXPECT llvm: refines
define i1 @src(ptr %p, i64 %i) {
  %a = alloca i64, align 8
  %q = getelementptr i8, ptr %a, i64 %i
  %c = icmp eq ptr %p, %q
  ret i1 %c
}

define i1 @tgt(ptr %p, i64 %i) {
  ret i1 false
}
