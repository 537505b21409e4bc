; LangRef, alloca: it is aligned as it says, and need not be any better
; EXPECT llvm: more-ub
define i16 @src(i16 %x) {
  %a = alloca i16, align 1
  store i16 %x, ptr %a, align 1
  %v = load i16, ptr %a, align 1
  ret i16 %v
}

define i16 @tgt(i16 %x) {
  %a = alloca i16, align 1
  store i16 %x, ptr %a, align 1
  %v = load i16, ptr %a, align 2
  ret i16 %v
}
