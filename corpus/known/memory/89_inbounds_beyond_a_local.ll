; One byte further it is poison, and to store there is UB
; EXPECT llvm: refines
define i8 @src() {
  %a = alloca i8, align 1
  %beyond = getelementptr inbounds i8, ptr %a, i64 2
  %p = getelementptr inbounds i8, ptr %beyond, i64 -2
  store i8 1, ptr %p, align 1
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt() {
  ret i8 2
}
