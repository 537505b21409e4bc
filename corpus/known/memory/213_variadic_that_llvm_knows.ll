; A variadic one is known by its name as well
; EXPECT llvm: unsupported
declare i32 @printf(ptr, ...)

define void @src(ptr %s, i32 %n) {
  %r = call i32 (ptr, ...) @printf(ptr %s, i32 %n)
  ret void
}

define void @tgt(ptr %s, i32 %n) {
  %r = call i32 (ptr, ...) @printf(ptr %s)
  ret void
}
