; Who asks for equality alone does not need the sign
; EXPECT llvm: refines
define i1 @src(ptr %p, ptr %q) {
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 3)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

define i1 @tgt(ptr %p, ptr %q) {
  %r = call i32 @bcmp(ptr %p, ptr %q, i64 3)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

declare i32 @memcmp(ptr, ptr, i64)
declare i32 @bcmp(ptr, ptr, i64)
