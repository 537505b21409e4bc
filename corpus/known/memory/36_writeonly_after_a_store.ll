; A pointer through which only what was stored is loaded becomes writeonly
; EXPECT llvm: refines
define i8 @src(ptr %p) {
  store i8 1, ptr %p, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr writeonly %p) {
  store i8 1, ptr %p, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}
