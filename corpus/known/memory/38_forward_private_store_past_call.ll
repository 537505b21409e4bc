; A load gives what was stored in a local variable before a call
; EXPECT llvm: refines
declare void @g()

define i8 @src() {
  %a = alloca i8, align 1
  store i8 1, ptr %a, align 1
  call void @g()
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt() {
  %a = alloca i8, align 1
  store i8 1, ptr %a, align 1
  call void @g()
  ret i8 1
}
