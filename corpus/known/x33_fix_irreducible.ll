; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a phi loses what comes from its own block, where a block with two entries branches to itself
; id: x33
; passes: fix-irreducible
; kind: diverges
; semantics: llvm
; wrong-in: 22
; otherwise-in: 13 14 15 16 19
; signature: e9634b934d6d 4451f2ca49ca
; root: 68d60ac5bc14 4d69f6f1232c fcc204a76346 d58c84a5ae6f 808cbeeac2e5 3bacfa8a8081
define void @f(i1 %a, i1 %b) {
entry:
  br i1 %a, label %b2, label %b1
b1:
  %v1 = phi i1 [ false, %entry ], [ true, %b1 ], [ true, %b2 ]
  br i1 %v1, label %b2, label %b1
b2:
  br i1 %b, label %b1, label %end
end:
  ret void
}
