; The first one, and not the second
; EXPECT llvm: value
@s = constant [6 x i8] c"hello\00"

define ptr @src() {
  %q = call ptr @memchr(ptr @s, i32 108, i64 6)
  ret ptr %q
}

define ptr @tgt() {
  %q = getelementptr inbounds i8, ptr @s, i64 3
  ret ptr %q
}

declare ptr @memchr(ptr, i32, i64)
