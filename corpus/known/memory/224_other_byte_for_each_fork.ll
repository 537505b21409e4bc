; Each fork changes another byte, and both differ
; EXPECT llvm: value
define void @src(ptr dereferenceable(2) %p) {
  %f = freeze i1 undef
  %q = getelementptr i8, ptr %p, i64 1
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  br i1 %f, label %A, label %B
A:
  %c = and i8 %a, 254
  store i8 %c, ptr %p
  ret void
B:
  %d = or i8 %b, 1
  store i8 %d, ptr %q
  ret void
}
define void @tgt(ptr dereferenceable(2) %p) {
  ret void
}
