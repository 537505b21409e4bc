; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select that decides where a switch goes next becomes a branch on its condition without a freeze
; id: x77
; passes: dfa-jump-threading
; kind: more-ub
; semantics: llvm
; wrong-in: 15 16 19 22
; right-in: 13 14
; signature: 2dd53efd4eae d08011057700 8ef455805239 f1613a1d6a01 8459fe21a181 91b7e0bd76f1
; root: 5452bc8080a9
define i4 @f(i4 %a, i1 %b, i1 %c) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v6, %b4 ]
  switch i4 %v1, label %b2 [ i4 1, label %b3 i4 2, label %b4 ]
b2:
  ret i4 %v1
b3:
  %v4 = select i1 %b, i4 0, i4 2
  br label %b4
b4:
  %v6 = phi i4 [ 0, %b1 ], [ %v4, %b3 ]
  br i1 %c, label %b1, label %b5
b5:
  ret i4 5
}
