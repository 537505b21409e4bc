; Two stores of one undef value may be of two values
; EXPECT llvm: refines
define void @src(ptr %p, ptr %q, i1 %c) {
entry:
  %l = alloca i8, align 1
  %v = load i8, ptr %l, align 1
  br i1 %c, label %a, label %b
a:
  store i8 %v, ptr %p, align 1
  br label %b
b:
  store i8 %v, ptr %q, align 1
  ret void
}
define void @tgt(ptr %p, ptr %q, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  store i8 0, ptr %p, align 1
  br label %b
b:
  store i8 1, ptr %q, align 1
  ret void
}
