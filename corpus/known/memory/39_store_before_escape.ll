; A load gives what was stored in a local variable before a call that gets it
; Alive2 says yes: its calls do not write local variables.
; EXPECT llvm: value
declare void @g(ptr)

define i8 @src() {
  %a = alloca i8, align 1
  store i8 1, ptr %a, align 1
  call void @g(ptr %a)
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt() {
  %a = alloca i8, align 1
  store i8 1, ptr %a, align 1
  call void @g(ptr %a)
  ret i8 1
}
