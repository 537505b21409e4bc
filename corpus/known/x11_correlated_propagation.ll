; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; undef inserted into a vector with a poison lane leaves that lane poison
; id: x11
; passes: correlated-propagation
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 8c1698f08ae8 02216eac8cbd
; root: 509d4d08e137
define <2 x i2> @f(i1 %a) {
  %v0 = insertelement <2 x i2> <i2 poison, i2 0>, i2 undef, i1 %a
  ret <2 x i2> %v0
}
