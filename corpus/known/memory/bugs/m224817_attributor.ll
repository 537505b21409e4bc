; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Attributor takes the alignment that a call gives its argument for one that the pointer has: without noundef it only makes poison
; id: m224817
; issue: llvm/llvm-project#224817
; passes: attributor
; kind: more-ub
; semantics: llvm
; wrong-in: 15 16 19 22
; signature: 286eee71eb5b
; root: 4bae1ed39767 80466f209955
declare void @g(ptr)
define void @f(ptr %p) {
  call void @g(ptr align 2 %p)
  store i8 1, ptr %p, align 1
  ret void
}
