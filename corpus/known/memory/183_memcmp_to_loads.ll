; Two bytes compared for equality are two loads
; EXPECT llvm: refines
define i1 @src(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 2)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

define i1 @tgt(ptr %p, ptr %q) {
  %v = load i16, ptr %p, align 1
  %w = load i16, ptr %q, align 1
  %c = icmp eq i16 %v, %w
  ret i1 %c
}

declare i32 @memcmp(ptr, ptr, i64)
