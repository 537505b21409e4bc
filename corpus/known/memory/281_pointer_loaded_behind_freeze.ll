; Which of two pointers is loaded is for freeze to say, not what stands there
; EXPECT llvm: refines
define ptr @src(ptr %p, ptr %q, i1 %c) {
entry:
  %f = freeze i1 %c
  br i1 %f, label %a, label %b
a:
  %v = load ptr, ptr %p
  ret ptr %v
b:
  %w = load ptr, ptr %q
  ret ptr %w
}
define ptr @tgt(ptr %p, ptr %q, i1 %c) {
entry:
  %f = freeze i1 %c
  br i1 %f, label %a, label %b
a:
  %v = load ptr, ptr %p
  br label %end
b:
  %w = load ptr, ptr %q
  br label %end
end:
  %r = phi ptr [ %v, %a ], [ %w, %b ]
  ret ptr %r
}
