; a mask may not gain a poison lane (LangRef)
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: more-poison
; EXPECT llvm-undef: more-poison
; EXPECT defined-inputs: more-poison
; EXPECT taming: more-poison
; EXPECT branch-nondet: more-poison
; EXPECT branch-nondet-undef: more-poison
; EXPECT select-ub: more-poison
; EXPECT select-either: more-poison
; EXPECT overflow-undef: more-poison
; EXPECT overflow-wrap: more-poison
; EXPECT shift-undef: more-poison
; EXPECT bitwise: more-poison
define <2 x i2> @src(<2 x i2> %a, <2 x i2> %b) {
  %r = shufflevector <2 x i2> %a, <2 x i2> %b, <2 x i32> <i32 3, i32 1>
  ret <2 x i2> %r
}

define <2 x i2> @tgt(<2 x i2> %a, <2 x i2> %b) {
  %r = shufflevector <2 x i2> %a, <2 x i2> %b, <2 x i32> <i32 3, i32 poison>
  ret <2 x i2> %r
}
