; A load becomes one lane of a wider load of bytes that are there
; EXPECT llvm: refines
define i8 @src(ptr dereferenceable(2) %p) {
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr dereferenceable(2) %p) {
  %v = load <2 x i8>, ptr %p, align 1
  %r = extractelement <2 x i8> %v, i64 0
  ret i8 %r
}
