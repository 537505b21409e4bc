; A pointer that is loaded through first initializes
; EXPECT llvm: wrong
define i8 @src(ptr %p) {
  %v = load i8, ptr %p, align 1
  store i8 1, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr initializes((0, 1)) %p) {
  %v = load i8, ptr %p, align 1
  store i8 1, ptr %p, align 1
  ret i8 %v
}
