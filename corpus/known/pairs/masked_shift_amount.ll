; A shift whose amount is taken modulo the width by itself (docs/semantics.md, section 7).
; EXPECT llvm: more-poison
; EXPECT shift-undef: more-undef
; EXPECT llvm:shift_amount=masked: refines
; EXPECT llvm-undef:shift_amount=masked: refines
; EXPECT bitwise:shift_amount=masked: refines
define i4 @src(i4 %a, i4 %b) {
  %m = and i4 %b, 3
  %r = shl i4 %a, %m
  ret i4 %r
}

define i4 @tgt(i4 %a, i4 %b) {
  %r = shl i4 %a, %b
  ret i4 %r
}
