; A load through null is not reached, although null may be valid
; EXPECT llvm: more-ub
define i8 @src() null_pointer_is_valid {
  %v = load i8, ptr null, align 1
  ret i8 %v
}

define i8 @tgt() null_pointer_is_valid {
  unreachable
}
