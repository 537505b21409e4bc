; What a pointer of memory points to may hold that pointer
; EXPECT llvm: value
define ptr @src(ptr %p, ptr %x) {
  %q = load ptr, ptr %p, align 8
  store ptr %x, ptr %q, align 8
  %r = load ptr, ptr %p, align 8
  ret ptr %r
}

define ptr @tgt(ptr %p, ptr %x) {
  %q = load ptr, ptr %p, align 8
  store ptr %x, ptr %q, align 8
  ret ptr %q
}
