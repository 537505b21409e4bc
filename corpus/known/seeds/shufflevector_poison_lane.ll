; a poison lane of the mask is a poison lane of the result (LangRef)
; Stated by the source: llvm.
; The other verdicts are what the engines agree on.
; EXPECT llvm: refines
; EXPECT llvm-undef: refines
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: refines
; EXPECT branch-nondet-undef: refines
; EXPECT select-ub: refines
; EXPECT select-either: refines
; EXPECT overflow-undef: refines
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: refines
; EXPECT bitwise: refines
define <2 x i2> @src(<2 x i2> %a, <2 x i2> %b) {
  %r = shufflevector <2 x i2> %a, <2 x i2> %b, <2 x i32> <i32 3, i32 poison>
  ret <2 x i2> %r
}

define <2 x i2> @tgt(<2 x i2> %a, <2 x i2> %b) {
  %r = shufflevector <2 x i2> %b, <2 x i2> poison, <2 x i32> <i32 1, i32 0>
  ret <2 x i2> %r
}
