; A length of 0 reads nothing
; EXPECT llvm: more-ub
define i32 @src(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 0)
  ret i32 %r
}

define i32 @tgt(ptr %p, ptr %q) {
  unreachable
}

declare i32 @memcmp(ptr, ptr, i64)
