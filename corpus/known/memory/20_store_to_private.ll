; A store that nobody can see goes
; EXPECT llvm: refines
define void @src(i8 %x) {
  %a = alloca i8, align 1
  store i8 %x, ptr %a, align 1
  ret void
}

define void @tgt(i8 %x) {
  ret void
}
