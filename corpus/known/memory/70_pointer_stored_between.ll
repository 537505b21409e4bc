; %q may be %p or overlap it: then another pointer is loaded
; EXPECT llvm: more-poison
define ptr @src(ptr %p, ptr %q, ptr %x, ptr %y) {
  store ptr %x, ptr %p, align 1
  store ptr %y, ptr %q, align 8
  %r = load ptr, ptr %p, align 8
  ret ptr %r
}

define ptr @tgt(ptr %p, ptr %q, ptr %x, ptr %y) {
  store ptr %x, ptr %p, align 1
  store ptr %y, ptr %q, align 8
  %r = load ptr, ptr %p, align 8
  ret ptr %x
}
