; A call that may unwind becomes one that is UB where it does (LangRef, nounwind)
; EXPECT llvm: calls
; EXPECT uninit-poison: calls
declare void @g(ptr)
define void @src() {
  %a = alloca i8
  call void @g(ptr %a)
  ret void
}
define void @tgt() {
  %a = alloca i8
  call void @g(ptr %a) nounwind
  ret void
}
