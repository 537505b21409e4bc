; Neither wrong nor right, as long as nobody says what they do
; EXPECT llvm: unsupported
declare i32 @fputc(i32, ptr)
declare i32 @putc(i32, ptr)

define i32 @src(ptr %f) {
  %r = call i32 @fputc(i32 3, ptr %f)
  ret i32 %r
}

define i32 @tgt(ptr %f) {
  %r = call i32 @putc(i32 3, ptr %f)
  ret i32 %r
}
