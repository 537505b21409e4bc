; Two bytes are compared with a bound that is one less
; EXPECT llvm: value
define i1 @src(ptr %p) {
  %v = load i16, ptr %p, align 1
  %c = icmp ult i16 %v, 261
  ret i1 %c
}

define i1 @tgt(ptr %p) {
  %v = load i16, ptr %p, align 1
  %c = icmp ult i16 %v, 260
  ret i1 %c
}
