; Behind the byte that decides there may be poison, and C says nothing of it: set aside
; EXPECT llvm: refines
@t = constant [3 x i8] c"xy\00"

define i1 @src(ptr dereferenceable(3) %p) {
  %r = call i32 @strcmp(ptr %p, ptr @t)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

define i1 @tgt(ptr dereferenceable(3) %p) {
  %r = call i32 @memcmp(ptr %p, ptr @t, i64 3)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

declare i32 @strcmp(ptr, ptr)
declare i32 @memcmp(ptr, ptr, i64)
