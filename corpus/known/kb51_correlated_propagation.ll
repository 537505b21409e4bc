; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; sdiv i1 divides by zero inside the compiler
; id: kb51
; issue: llvm/llvm-project#56333 llvm/llvm-project#55390
; passes: correlated-propagation
; kind: crash
; semantics: llvm
; wrong-in: 13 14
; right-in: 15 16 19 22
; signature: 5b539aab167b
; root: bf1639524d87
define i1 @f(i1 %x, i1 %y) {
  %r = sdiv i1 %x, %y
  ret i1 %r
}
