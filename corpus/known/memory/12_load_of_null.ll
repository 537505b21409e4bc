; A load through null is not reached
; EXPECT llvm: refines
define i8 @src() {
  %v = load i8, ptr null, align 1
  ret i8 %v
}

define i8 @tgt() {
  unreachable
}
