; memrchr looks from the end, and not at what is in front of the last one
; EXPECT llvm: refines
declare ptr @memrchr(ptr, i32, i64)
define i1 @src(ptr %p) {
  %a = alloca [3 x i8]
  %b = getelementptr i8, ptr %a, i64 1
  store i8 poison, ptr %a
  store i16 513, ptr %b, align 1
  %r = call ptr @memrchr(ptr %a, i32 1, i64 3)
  %c = icmp eq ptr %r, %b
  ret i1 %c
}
define i1 @tgt(ptr %p) {
  ret i1 true
}
