; The first lane is in front, whichever byte of a number is
; EXPECT llvm: refines
target datalayout = "E"

define i16 @src(<2 x i16> %v) {
  %a = alloca <2 x i16>, align 1
  store <2 x i16> %v, ptr %a, align 1
  %x = load i16, ptr %a, align 1
  ret i16 %x
}

define i16 @tgt(<2 x i16> %v) {
  %x = extractelement <2 x i16> %v, i64 0
  ret i16 %x
}
