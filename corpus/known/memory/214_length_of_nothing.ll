; Nothing is read
; EXPECT llvm: more-ub
define i64 @src(ptr %p) {
  %n = call i64 @strnlen(ptr %p, i64 0)
  ret i64 %n
}

define i64 @tgt(ptr %p) {
  %v = load i8, ptr %p, align 1
  ret i64 0
}

declare i64 @strnlen(ptr, i64)
