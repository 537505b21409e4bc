; And the reverse, where the sign is asked for
; EXPECT llvm: value
define i1 @src(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 1)
  %c = icmp slt i32 %r, 0
  ret i1 %c
}

define i1 @tgt(ptr %p, ptr %q) {
  %r = call i32 @bcmp(ptr %p, ptr %q, i64 1)
  %c = icmp slt i32 %r, 0
  ret i1 %c
}

declare i32 @memcmp(ptr, ptr, i64)
declare i32 @bcmp(ptr, ptr, i64)
