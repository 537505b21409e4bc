; But not wrong where it is another half, as nobody says what becomes of it
; EXPECT llvm: unsupported
define i32 @src(ptr %p) {
  %a = load ptr, ptr %p
  %b = load i32, ptr %p
  ret i32 %b
}
define i32 @tgt(ptr %p) {
  %a = load ptr, ptr %p
  %n = ptrtoint ptr %a to i64
  %h = lshr i64 %n, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}
