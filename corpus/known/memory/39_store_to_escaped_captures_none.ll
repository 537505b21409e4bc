; A load gives what was stored in a local variable that no other call knows
; EXPECT llvm: refines
declare void @g(ptr captures(none))
declare void @h()

define i8 @src() {
  %a = alloca i8, align 1
  call void @g(ptr %a)
  store i8 1, ptr %a, align 1
  call void @h()
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt() {
  %a = alloca i8, align 1
  call void @g(ptr %a)
  store i8 1, ptr %a, align 1
  call void @h()
  ret i8 1
}
