; Memory has no types: its bytes are those of the address
; EXPECT llvm: refines
define i64 @src(ptr %p) {
  %a = load ptr, ptr %p
  %b = load i64, ptr %p
  %c = icmp eq ptr %a, null
  %r = select i1 %c, i64 0, i64 %b
  ret i64 %r
}
define i64 @tgt(ptr %p) {
  %a = load ptr, ptr %p
  %r = ptrtoint ptr %a to i64
  ret i64 %r
}
