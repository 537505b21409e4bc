; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; the light Attributor takes a function for memory(none) that reads, or writes, behind a select
; id: x28
; passes: attributor-light
; kind: more-poison
; semantics: llvm
; wrong-in: 19 22
; not-in: 13 14 15 16
; signature: 093a406fdc3f
; root: 460a2fd20e2e
define i8 @f(i1 %a, ptr %b) {
  %v0 = select i1 %a, ptr %b, ptr %b
  %v1 = load i8, ptr %v0, align 1
  ret i8 %v1
}
