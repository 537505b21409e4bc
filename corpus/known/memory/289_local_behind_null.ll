; A local may be at address 1
; EXPECT llvm: value
define i1 @src() {
  ret i1 false
}
define i1 @tgt() {
  %a = alloca i8, align 1
  %q = getelementptr i8, ptr %a, i64 -1
  %c = icmp eq ptr %q, null
  ret i1 %c
}
