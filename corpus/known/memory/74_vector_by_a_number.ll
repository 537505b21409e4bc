; One poison byte makes the number poison, and both lanes with it
; EXPECT llvm: more-poison
define <2 x i8> @src(ptr %p) {
  %v = load <2 x i8>, ptr %p, align 1
  ret <2 x i8> %v
}

define <2 x i8> @tgt(ptr %p) {
  %n = load i16, ptr %p, align 1
  %v = bitcast i16 %n to <2 x i8>
  ret <2 x i8> %v
}
