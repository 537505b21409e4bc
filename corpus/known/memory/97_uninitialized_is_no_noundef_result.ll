; What is uninitialized is not noundef: to return it is UB
; EXPECT llvm: refines
define noundef i8 @src() {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define noundef i8 @tgt() {
  ret i8 poison
}
