; l is less than p
; EXPECT llvm: value
@s = constant [6 x i8] c"hello\00"

@t = constant [5 x i8] c"help\00"

define i32 @src() {
  %r = call i32 @strncmp(ptr @s, ptr @t, i64 4)
  ret i32 %r
}

define i32 @tgt() {
  ret i32 1
}

declare i32 @strncmp(ptr, ptr, i64)
