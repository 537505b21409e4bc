; No zero, no more than the limit
; EXPECT llvm: refines
define i64 @src(ptr %p) {
  %n = call i64 @strnlen(ptr %p, i64 1)
  ret i64 %n
}

define i64 @tgt(ptr %p) {
  %v = load i8, ptr %p, align 1
  %c = icmp ne i8 %v, 0
  %n = zext i1 %c to i64
  ret i64 %n
}

declare i64 @strnlen(ptr, i64)
