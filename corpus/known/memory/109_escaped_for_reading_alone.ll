; What a call may only read through is not written by a later one
; EXPECT llvm: refines
define i8 @src() {
  %a = alloca i8, align 1
  store i8 1, ptr %a, align 1
  call void @take(ptr readonly captures(address, read_provenance) %a)
  call void @other()
  %v = load i8, ptr %a, align 1
  ret i8 %v
}
define i8 @tgt() {
  %a = alloca i8, align 1
  store i8 1, ptr %a, align 1
  call void @take(ptr readonly captures(address, read_provenance) %a)
  call void @other()
  ret i8 1
}
declare void @take(ptr)
declare void @other()
