; One of them is loaded whatever freeze says
; EXPECT llvm: wrong
define ptr @src(ptr %p, ptr %q, i1 %c) {
entry:
  %f = freeze i1 %c
  br i1 %f, label %a, label %b
a:
  %v = load ptr, ptr %p
  ret ptr %v
b:
  ret ptr %q
}
define ptr @tgt(ptr %p, ptr %q, i1 %c) {
entry:
  %f = freeze i1 %c
  %v = load ptr, ptr %p
  %r = select i1 %f, ptr %v, ptr %q
  ret ptr %r
}
