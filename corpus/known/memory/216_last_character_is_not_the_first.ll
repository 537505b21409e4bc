; The last one
; EXPECT llvm: value
@s = constant [6 x i8] c"hello\00"

define ptr @src() {
  %q = call ptr @strrchr(ptr @s, i32 108)
  ret ptr %q
}

define ptr @tgt() {
  %q = getelementptr i8, ptr @s, i64 2
  ret ptr %q
}

declare ptr @strrchr(ptr, i32)
