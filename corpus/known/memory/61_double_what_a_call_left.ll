; Twice what a call may have left unwritten becomes a sum
; EXPECT llvm: more-undef
declare void @g(ptr)

define i8 @src() {
  %a = alloca i8, align 1
  call void @g(ptr %a)
  %v = load i8, ptr %a, align 1
  %r = mul i8 %v, 2
  ret i8 %r
}

define i8 @tgt() {
  %a = alloca i8, align 1
  call void @g(ptr %a)
  %v = load i8, ptr %a, align 1
  %r = add i8 %v, %v
  ret i8 %r
}
