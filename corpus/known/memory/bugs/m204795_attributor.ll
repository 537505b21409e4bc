; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Attributor promises dereferenceable, which holds until the function returns (from LLVM 23 on: at entry), of what a later call may free
; id: m204795
; issue: llvm/llvm-project#204795
; passes: attributor
; kind: more-ub
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 103e32447b0f c32356faa609 19cbaf1bbd21
; root: 6ec6fe04a402
declare void @g()
define void @f(ptr %p, i8 %x) {
  store i8 %x, ptr %p, align 1
  call void @g()
  ret void
}
