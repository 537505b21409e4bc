; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the result of an overflow intrinsic becomes a product that has nuw
; id: m82884
; issue: llvm/llvm-project#82884
; passes: gvn
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16
; right-in: 19 22
; signature: 6c6058d492b3 32b423377b35
; root: e0a3dae5de10
declare { i2, i1 } @llvm.smul.with.overflow.i2(i2, i2)
declare void @use(i2)
define i2 @f(i2 %a) {
  %v0 = mul nuw i2 %a, %a
  %v1 = call { i2, i1 } @llvm.smul.with.overflow.i2(i2 %a, i2 %a)
  %v2 = extractvalue { i2, i1 } %v1, 0
  call void @use(i2 %v0)
  ret i2 %v2
}
