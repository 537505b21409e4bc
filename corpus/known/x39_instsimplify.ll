; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select is left out because a three-way comparison would be 0 where it chooses 0; what is compared may be poison there
; id: x39
; passes: instsimplify
; kind: more-poison
; semantics: llvm
; wrong-in: 22
; right-in: 19
; not-in: 13 14 15 16
; signature: cf5f86d00cb7 a7ef03ff7574 96fee299c1e5 dbd8bd7a5dd9 1140b374e7ec
; root: 7d0b82b2cc7e 4484bdbf4266 cf77e0376fc9
define i2 @f(i2 %a, i2 %b) {
  %v0 = or i2 %a, %b
  %v1 = call i2 @llvm.scmp.i2.i2(i2 %v0, i2 %b)
  %v2 = icmp eq i2 %a, 0
  %v3 = select i1 %v2, i2 0, i2 %v1
  ret i2 %v3
}
