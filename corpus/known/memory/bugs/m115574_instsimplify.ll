; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a select of two pointers by whether they are equal becomes one of them, though the other may point into another object
; id: m115574
; issue: llvm/llvm-project#115574
; passes: instsimplify
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: a5584f9e77fb 4c2ff0f3e835 c6a5cc1f1efe b8b4a5822414
; root: 3c29a1f084c9 555ca1595b7c 64c41e156e9f ac5e31152eca
define ptr @f(ptr %a, ptr %b) {
  %v0 = icmp eq ptr %a, %b
  %v1 = select i1 %v0, ptr %a, ptr %b
  ret ptr %v1
}
