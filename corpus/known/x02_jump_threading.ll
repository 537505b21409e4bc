; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the value of a select is known on an edge, its condition may be poison there
; id: x02
; passes: jump-threading
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: fc60397df12b
; root: 746345262d92
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
