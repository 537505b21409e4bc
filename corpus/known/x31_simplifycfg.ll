; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a switch becomes a table without an entry for the largest value, and without a check for it
; id: x31
; passes: simplifycfg<switch-to-lookup>
; data-layout: n8:16:32:64
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: ee477be22319 5a43e9159141 0af3e87a53d7 25d07f88486a
; root: 786946bac030 36dd9b3cc033 248d5332ff32
define i3 @f(i3 %a) {
entry:
  switch i3 %a, label %other [
    i3 0, label %zero
    i3 2, label %end
    i3 3, label %three
  ]
other:
  br label %end
zero:
  br label %end
three:
  br label %end
end:
  %r = phi i3 [ 0, %entry ], [ 1, %other ], [ 0, %zero ], [ 0, %three ]
  ret i3 %r
}
