; A call that may unwind becomes one that may not, in a function that may not either
; EXPECT llvm: refines
; EXPECT uninit-poison: refines
declare void @g(ptr)
define void @src() nounwind {
  %a = alloca i8
  call void @g(ptr %a)
  ret void
}
define void @tgt() nounwind {
  %a = alloca i8
  call void @g(ptr %a) nounwind
  ret void
}
