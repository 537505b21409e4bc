; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select that keeps poison of a lane of a constant away is left out
; id: x36
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: a29e21155069 0754125abec9 e2dfcf31ea10 0f2a4c9e66a0
; root: a57dd26d6df1 263b952cf311 311f1c8d1b53 81bc5176633c 5bb05d765c77
define <2 x i1> @f(<2 x i2> %a) {
  %v0 = icmp eq <2 x i2> %a, <i2 0, i2 0>
  %v1 = icmp ugt <2 x i2> %a, <i2 1, i2 poison>
  %v2 = select <2 x i1> %v0, <2 x i1> <i1 false, i1 false>, <2 x i1> %v1
  ret <2 x i1> %v2
}
