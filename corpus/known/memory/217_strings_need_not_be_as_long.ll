; Fewer bytes may be there than memcmp reads
; EXPECT llvm: more-ub
@t = constant [5 x i8] c"help\00"

define i1 @src(ptr %p) {
  %r = call i32 @strncmp(ptr %p, ptr @t, i64 4)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

define i1 @tgt(ptr %p) {
  %r = call i32 @memcmp(ptr %p, ptr @t, i64 4)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

declare i32 @strncmp(ptr, ptr, i64)
declare i32 @memcmp(ptr, ptr, i64)
