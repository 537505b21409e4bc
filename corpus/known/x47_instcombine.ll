; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; counted zeros get a value for 0, and keep the flag that their cast has because there was none
; id: x47
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 86226237592e 871c8f2f21c8 8d6887141316 a4ec279c1b7d 18229f06a7d9 f54add52dcab 44ef82d9b831 6f50de2777d6
; root: ace56719149d 8dfca020e05c
declare i2 @llvm.ctlz.i2(i2, i1 immarg)
define i3 @f(i2 %a) {
  %v0 = icmp ne i2 0, %a
  %v1 = call i2 @llvm.ctlz.i2(i2 %a, i1 true)
  %v2 = zext i2 %v1 to i3
  %v3 = select i1 %v0, i3 %v2, i3 2
  ret i3 %v3
}
