; The other parameter becomes captures(none) too, and is returned
; EXPECT llvm: wrong
define ptr @src(ptr captures(none) %p, ptr %q, i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret ptr %p
b:
  ret ptr %q
}

define ptr @tgt(ptr captures(none) %p, ptr captures(none) %q, i1 %c) {
  %r = select i1 %c, ptr %p, ptr %q
  ret ptr %r
}
