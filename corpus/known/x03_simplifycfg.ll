; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; an icmp folded into the switch above it gives its value to the phi, whose value for this edge was another
; id: x03
; passes: simplifycfg
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 8fbdd5e79303 64652011ce5c 02d5304c5b49
; root: 68ad2ac11ad8 414e02d3c50d
define i1 @f(i4 %a, i1 %b) {
entry:
  switch i4 %a, label %d [
    i4 1, label %e
    i4 -1, label %e
  ]
d:
  %c = icmp eq i4 %a, 0
  switch i4 %a, label %e [ i4 1, label %u ]
u:
  br label %e
e:
  %r = phi i1 [ true, %entry ], [ true, %entry ], [ %b, %d ], [ %c, %u ]
  ret i1 %r
}
