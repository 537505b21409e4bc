; A store of a byte that nobody wrote goes: what was there may be poison
; EXPECT llvm: more-poison
; EXPECT uninit-poison: refines
define void @src(ptr %p) {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  store i8 %v, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  ret void
}
