; The zero is not counted
; EXPECT llvm: value
@s = constant [6 x i8] c"hello\00"

define i64 @src() {
  %n = call i64 @strnlen(ptr @s, i64 9)
  ret i64 %n
}

define i64 @tgt() {
  ret i64 6
}

declare i64 @strnlen(ptr, i64)
