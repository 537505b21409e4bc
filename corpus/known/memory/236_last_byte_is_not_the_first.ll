; memrchr finds the last of two
; EXPECT llvm: value
declare ptr @memrchr(ptr, i32, i64)
define i1 @src(ptr %p) {
  %a = alloca [2 x i8]
  store i16 257, ptr %a, align 1
  %r = call ptr @memrchr(ptr %a, i32 1, i64 2)
  %c = icmp eq ptr %r, %a
  ret i1 %c
}
define i1 @tgt(ptr %p) {
  ret i1 true
}
