; A load gives what was stored before a store to another byte
; EXPECT llvm: refines
define i8 @src(ptr noalias %p, ptr %q, i8 %x, i8 %y) {
  store i8 %x, ptr %p, align 1
  store i8 %y, ptr %q, align 1
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr noalias %p, ptr %q, i8 %x, i8 %y) {
  store i8 %x, ptr %p, align 1
  store i8 %y, ptr %q, align 1
  ret i8 %x
}
