; C17 7.24.5.1: c is converted to an unsigned char; LLVM 19 compares all of it
; EXPECT llvm: value
@t = constant [2 x i8] c"xy"

define i1 @src(i32 %c) {
  %q = call ptr @memchr(ptr @t, i32 %c, i64 2)
  %r = icmp ne ptr %q, null
  ret i1 %r
}

define i1 @tgt(i32 %c) {
  %d = add i32 %c, -120
  %r = icmp ult i32 %d, 2
  ret i1 %r
}

declare ptr @memchr(ptr, i32, i64)
