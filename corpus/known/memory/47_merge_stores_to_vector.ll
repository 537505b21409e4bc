; Two stores become one of a vector
; EXPECT llvm: refines
define void @src(ptr %p, i8 %x, i8 %y) {
  %p1 = getelementptr i8, ptr %p, i64 1
  store i8 %x, ptr %p, align 1
  store i8 %y, ptr %p1, align 1
  ret void
}

define void @tgt(ptr %p, i8 %x, i8 %y) {
  %v = insertelement <2 x i8> poison, i8 %x, i64 0
  %r = insertelement <2 x i8> %v, i8 %y, i64 1
  store <2 x i8> %r, ptr %p, align 1
  ret void
}
