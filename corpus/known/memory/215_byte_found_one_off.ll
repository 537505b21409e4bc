; As far as the length goes, and no further
; EXPECT llvm: value
@s = constant [6 x i8] c"hello\00"

define i1 @src(i64 %n) {
  %q = call ptr @memchr(ptr @s, i32 108, i64 %n)
  %c = icmp eq ptr %q, null
  ret i1 %c
}

define i1 @tgt(i64 %n) {
  %c = icmp ult i64 %n, 4
  ret i1 %c
}

declare ptr @memchr(ptr, i32, i64)
