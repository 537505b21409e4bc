; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select of two srem by constants becomes one srem by a select: a poison condition is now UB
; id: kb09
; issue: llvm/llvm-project#60906
; passes: instcombine
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16
; right-in: 19 22
; signature: 0291a947eebc 888cdefc4b5b 53ceac77fdaf
; root: 826afcb473e7
define i4 @f(i1 %b, i4 %x) {
  %r1 = srem i4 %x, 3
  %r2 = srem i4 %x, 5
  %s = select i1 %b, i4 %r2, i4 %r1
  ret i4 %s
}
