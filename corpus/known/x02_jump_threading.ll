; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a freeze is taken for what its operand is unless that is poison, here a select whose condition may be
; id: x02
; passes: jump-threading
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: fc60397df12b 52a03726545b f7aeb2d803ec
; root: 746345262d92 04cebba2bfb4 6d280433f07f 9a11936d01a0 195bd79051b6
define i1 @f(i1 %a, i1 %c) {
entry:
  br i1 %a, label %p, label %m
p:
  %s = select i1 %c, i1 %a, i1 %a
  br label %m
m:
  %v = phi i1 [ %a, %entry ], [ %s, %p ]
  %g = freeze i1 %v
  br i1 %g, label %t, label %e
t:
  ret i1 %g
e:
  ret i1 %a
}
