; A vector in memory is its lanes, one behind the other, each poison or not
; EXPECT llvm: refines
define <2 x i8> @src(ptr %p) {
  %v = load <2 x i8>, ptr %p, align 1
  ret <2 x i8> %v
}

define <2 x i8> @tgt(ptr %p) {
  %a = load i8, ptr %p, align 1
  %q = getelementptr inbounds i8, ptr %p, i64 1
  %b = load i8, ptr %q, align 1
  %v0 = insertelement <2 x i8> poison, i8 %a, i64 0
  %v1 = insertelement <2 x i8> %v0, i8 %b, i64 1
  ret <2 x i8> %v1
}
