; Behind it nothing is read, there need not be more
; EXPECT llvm: refines
@s = constant [6 x i8] c"hello\00"

define ptr @src() {
  %q = call ptr @memchr(ptr @s, i32 364, i64 100)
  ret ptr %q
}

define ptr @tgt() {
  %q = getelementptr inbounds i8, ptr @s, i64 2
  ret ptr %q
}

declare ptr @memchr(ptr, i32, i64)
