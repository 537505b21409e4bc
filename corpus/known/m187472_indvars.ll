; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; how often a loop that counts down runs is computed by a sum that wraps
; id: m187472
; issue: llvm/llvm-project#187472 llvm/llvm-project#217537
; passes: indvars
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 33a9c997a4f9 c5a82406ea0a
; root: 82b9cdd4eb71
define i3 @f(i3 %a, i3 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i3 [ %a, %entry ], [ %v4, %b2 ]
  %v2 = icmp slt i3 %b, %v1
  br i1 %v2, label %b2, label %b3
b2:
  %v4 = add nsw i3 %v1, -3
  br label %b1
b3:
  ret i3 %v1
}
