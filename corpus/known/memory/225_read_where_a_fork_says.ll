; What the source reads where it picks is what is there, whatever it picks
; EXPECT llvm: value
define i1 @src(ptr dereferenceable(2) %p) {
  %f = freeze i1 undef
  %z = zext i1 %f to i64
  %q = getelementptr i8, ptr %p, i64 %z
  %a = load i8, ptr %q
  %r = trunc i8 %a to i1
  ret i1 %r
}
define i1 @tgt(ptr dereferenceable(2) %p) {
  %a = load i8, ptr %p
  %r = trunc i8 %a to i1
  %q = getelementptr i8, ptr %p, i64 1
  %b = load i8, ptr %q
  %e = icmp eq i8 %a, %b
  %s = select i1 %e, i1 true, i1 false
  ret i1 %s
}
