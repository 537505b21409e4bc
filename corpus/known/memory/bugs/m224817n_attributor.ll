; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The same with nonnull, believed by a comparison
; id: m224817n
; issue: llvm/llvm-project#224817
; passes: attributor
; kind: value
; semantics: llvm
; wrong-in: 15 16 19 22
; signature: cc8f95393c7b
; root: 2af224ce2ba7 80f3bdc3b506 e2ba1277e0fc
declare void @g(ptr)
define i1 @f(ptr %p) {
  call void @g(ptr nonnull %p)
  %c = icmp eq ptr %p, null
  ret i1 %c
}
