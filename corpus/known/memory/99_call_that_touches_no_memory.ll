; What may have been told to others is left alone by a call that touches nothing
; EXPECT llvm: refines
declare void @take(ptr)
declare void @quiet() #0
attributes #0 = { memory(none) }

define i8 @src() {
  %a = alloca i8, align 1
  store i8 0, ptr %a, align 1
  call void @take(ptr %a)
  store i8 1, ptr %a, align 1
  call void @quiet()
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt() {
  %a = alloca i8, align 1
  store i8 0, ptr %a, align 1
  call void @take(ptr %a)
  store i8 1, ptr %a, align 1
  call void @quiet()
  ret i8 1
}
