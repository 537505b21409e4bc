; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; SimplifyCFG makes a guarded store on both paths and believes its alignment there
; id: m89672
; issue: llvm/llvm-project#89672
; passes: simplifycfg
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16
; right-in: 19 22
; signature: e9940eae82cc
; root: ad2ade12fe35
define void @f(ptr %p, i1 %c) {
  store i8 0, ptr %p, align 1
  br i1 %c, label %join, label %then
then:
  store i8 0, ptr %p, align 2
  br label %join
join:
  ret void
}
