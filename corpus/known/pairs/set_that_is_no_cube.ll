; UB for 0 and for 3, so that every partly undef value is UB, but not the set {1, 2}
; (docs/semantics.md, section 1).
; EXPECT llvm: refines
; EXPECT llvm-undef: refines
; EXPECT llvm:inputs=any-set: more-undef
; EXPECT taming:inputs=any-set: refines
declare i2 @llvm.ctpop.i2(i2)

define i2 @src(i2 %x) {
  %n = call i2 @llvm.ctpop.i2(i2 %x)
  %odd = and i2 %n, 1
  %q = udiv i2 1, %odd
  %r = mul i2 %x, 2
  ret i2 %r
}

define i2 @tgt(i2 %x) {
  %r = add i2 %x, %x
  ret i2 %r
}
