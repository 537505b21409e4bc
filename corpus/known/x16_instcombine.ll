; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a phi that is the amount of a shift in a loop (with nuw, nsw or exact) is taken for the value that is shifted, and so for one that is never 0
; id: x16
; passes: instcombine
; kind: diverges
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: b66322adb0a5 4f7f7ebdae22 57146f8ab060
; root: 56431beaee63 6b0afaa1e403 3c5036db0c15 6bd11ece3e4d dc2bbd292f7b e2fa14637a52 16b3f25f5b9b 3d36a59e9bfb 536b3d3cb9b4 87427b759038 025b25c63adf 0c34cef0a257 1477dcaa969d 50ae74bf96e2 6425412c9ebd 961c9f686c80 e9a54f532ff9 4578b4fa5cd7 86ed38f8c266 94b7595c60d7 1b15aec10b75 8e34caa3883e
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
