; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Attributor takes a load through a pointer computed from an argument for one of what never changes, as the function does not write through it; through another argument it may
; id: m147706
; issue: llvm/llvm-project#147706
; passes: attributor
; kind: more-ub
; semantics: llvm
; wrong-in: 22
; signature: 61a768a82e0b a40c474fb0b8 c6ccc5a055b9 e61023b415fa
; root: 635d31447851
define i8 @f(ptr %p, i8 %x, ptr %q) {
  %b = getelementptr i8, ptr %p, i64 1
  store i8 %x, ptr %q, align 1
  %v = load i8, ptr %b, align 1
  ret i8 %v
}
