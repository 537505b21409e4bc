; Who reads it as a number alone might read poison
; EXPECT llvm: unsupported
define i64 @src(ptr %p) {
  %a = alloca ptr
  store ptr %p, ptr %a
  %n = ptrtoint ptr %p to i64
  ret i64 %n
}
define i64 @tgt(ptr %p) {
  %a = alloca ptr
  store ptr %p, ptr %a
  %n = load i64, ptr %a
  ret i64 %n
}
