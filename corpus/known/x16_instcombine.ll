; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a phi that is the amount of a `shl nuw` in a loop is taken for the value that is shifted, and so for one that is never 0
; id: x16
; passes: instcombine
; kind: diverges
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: b66322adb0a5 4f7f7ebdae22 57146f8ab060
; root: 56431beaee63 6b0afaa1e403 3c5036db0c15 6bd11ece3e4d
define void @f(i2 %a) {
entry:
  br label %b1
b1:
  %v1 = phi i2 [ 1, %entry ], [ %v2, %b1 ]
  %v2 = shl nuw i2 %a, %v1
  %v3 = icmp ne i2 %v1, 0
  br i1 %v3, label %b1, label %b2
b2:
  ret void
}
