; The zero at the end is part of the string
; EXPECT llvm: refines
@s = constant [6 x i8] c"hello\00"

define ptr @src() {
  %q = call ptr @strchr(ptr @s, i32 0)
  ret ptr %q
}

define ptr @tgt() {
  %q = getelementptr i8, ptr @s, i64 5
  ret ptr %q
}

declare ptr @strchr(ptr, i32)
