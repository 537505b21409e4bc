; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a path around a loop gives its phi what another phi of the same block becomes, not what it was
; id: x40
; passes: dfa-jump-threading
; kind: diverges
; semantics: llvm
; wrong-in: 15 16 19
; right-in: 13 14 22
; signature: 3f423fb09e6f d4977829c660
; root: ea7b168f816a 0a5bd07fd5b5
define void @f(i2 %a, i2 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i2 [ %a, %entry ], [ %v2, %b1 ]
  %v2 = phi i2 [ %b, %entry ], [ 0, %b1 ]
  switch i2 %v1, label %b2 [ i2 0, label %b1 ]
b2:
  ret void
}
