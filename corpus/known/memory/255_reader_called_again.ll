; What reads and does not write returns the same again
; EXPECT llvm: refines
declare i32 @f(ptr) memory(read)
define i32 @src(ptr %p) {
  %x = call i32 @f(ptr %p)
  %y = call i32 @f(ptr %p)
  %r = sub i32 %x, %y
  ret i32 %r
}
define i32 @tgt(ptr %p) {
  %x = call i32 @f(ptr %p)
  ret i32 0
}
