; Without the last byte it is another comparison, poison or not
; EXPECT llvm: value
@a = constant [3 x i8] c"ab\00"
declare i32 @strcmp(ptr, ptr)
declare i32 @memcmp(ptr, ptr, i64)
define i1 @src(ptr dereferenceable(3) %p) {
  %c = call i32 @strcmp(ptr %p, ptr @a)
  %r = icmp eq i32 %c, 0
  ret i1 %r
}
define i1 @tgt(ptr dereferenceable(3) %p) {
  %c = call i32 @memcmp(ptr %p, ptr @a, i64 2)
  %r = icmp eq i32 %c, 0
  ret i1 %r
}
