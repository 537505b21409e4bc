; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a phi keeps an entry too many where a switch lists every value and most go where the default goes
; id: x34
; passes: lower-switch
; kind: invalid
; semantics: llvm
; wrong-in: 16 19 22
; right-in: 13 14 15
; signature: 75c59471cfd7
; root: a2c8d28bb92a
define i1 @f(i1 %a) {
entry:
  switch i1 %a, label %b2 [
    i1 false, label %b2
    i1 true, label %b1
  ]
b1:
  br label %b2
b2:
  %v2 = phi i1 [ true, %entry ], [ true, %entry ], [ false, %b1 ]
  ret i1 %v2
}
