; A text that is known is a number, and another text another one
; EXPECT llvm: wrong
@a = constant [3 x i8] c"12\00"
declare i64 @strtol(ptr, ptr, i32)
define i64 @src() {
  %r = call i64 @strtol(ptr @a, ptr null, i32 16)
  ret i64 %r
}
define i64 @tgt() {
  ret i64 12
}
