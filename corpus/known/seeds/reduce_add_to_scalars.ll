; a reduction is a sum of the lanes, poison if one of them is (LangRef)
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
declare i2 @llvm.vector.reduce.add.v2i2(<2 x i2>)

define i2 @src(<2 x i2> %a) {
  %r = call i2 @llvm.vector.reduce.add.v2i2(<2 x i2> %a)
  ret i2 %r
}

define i2 @tgt(<2 x i2> %a) {
  %x = extractelement <2 x i2> %a, i2 0
  %y = extractelement <2 x i2> %a, i2 1
  %r = add i2 %x, %y
  ret i2 %r
}
