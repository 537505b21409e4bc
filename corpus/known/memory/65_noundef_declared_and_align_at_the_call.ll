; LangRef: a parameter that is misaligned is poison, and to pass poison to a
; parameter that is noundef is UB, whichever of call and declaration says which
; EXPECT llvm: refines
declare void @g(ptr noundef)

define void @src(ptr %p) {
  call void @g(ptr align 4 %p)
  %v = load i8, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  call void @g(ptr align 4 %p)
  %v = load i8, ptr %p, align 4
  ret void
}
