; A local goes that nothing uses, before one that a call is given
; Which local of a program it is that the call sees is nothing that it shows: formulas once took
; the second of the source for another one than the first of the target.
; EXPECT llvm: refines
@g = external global i8

declare void @use(ptr)

define void @src() {
  %unused = alloca i8, align 1
  %a = alloca i8, align 1
  %x = load i8, ptr @g, align 1
  store i8 %x, ptr %a, align 1
  call void @use(ptr %a)
  ret void
}

define void @tgt() {
  %a = alloca i8, align 1
  %x = load i8, ptr @g, align 1
  store i8 %x, ptr %a, align 1
  call void @use(ptr %a)
  ret void
}
