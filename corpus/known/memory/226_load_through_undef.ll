; What is loaded through undef is a set, of which a fork of the source covers one
; EXPECT llvm: more-undef
define i1 @src(ptr dereferenceable(2) %p) {
  %f = freeze i1 undef
  %q = getelementptr i8, ptr %p, i64 1
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %x = trunc i8 %a to i1
  %y = trunc i8 %b to i1
  %s = select i1 %f, i1 %x, i1 %y
  ret i1 %s
}
define i1 @tgt(ptr dereferenceable(2) %p) {
  %c = add i1 undef, 0
  %z = zext i1 %c to i64
  %q = getelementptr i8, ptr %p, i64 %z
  %b = load i8, ptr %q
  %y = trunc i8 %b to i1
  ret i1 %y
}
