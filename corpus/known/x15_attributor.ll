; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a phi of undef and another value becomes that value, which may be poison
; id: x15
; passes: attributor
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 4594ce74742a c171b25de8f2 c20073b13c24 cb8da60e3aa7 d87266e3fd54
; root: 0f2a8c135e9d 49edbd2ab7a8 67c44e41df84 5c53b8562b05
define i2 @f(i1 %a, i2 %b) {
entry:
  br i1 %a, label %then, label %end
then:
  br label %end
end:
  %v = phi i2 [ %b, %entry ], [ undef, %then ]
  ret i2 %v
}
