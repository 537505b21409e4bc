; What is behind the zero is not looked at
; EXPECT llvm: value
@s = constant [4 x i8] c"a\00b\00"

define ptr @src() {
  %q = call ptr @strchr(ptr @s, i32 98)
  ret ptr %q
}

define ptr @tgt() {
  %q = getelementptr i8, ptr @s, i64 2
  ret ptr %q
}

declare ptr @strchr(ptr, i32)
