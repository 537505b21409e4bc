; All bits equal, then some other byte, is stored
; EXPECT llvm: value
define void @src(ptr %p) {
  %s = sext i1 undef to i8
  store i8 %s, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  store i8 5, ptr %p, align 1
  ret void
}
