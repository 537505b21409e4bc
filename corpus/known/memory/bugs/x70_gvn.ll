; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; GVN makes a load a part of a wider load before it, which any poison byte poisons
; id: x70
; passes: gvn
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: 48d1da4d62e0 b0c9f898034d 0610b85664fc 5675a1430dc1
; root: fbd373f14906 878f24830216 15761997c495 1895efb8fe21
declare void @use(i32)
define i8 @f(ptr %a) {
  %v0 = load i32, ptr %a, align 1
  %v1 = load i8, ptr %a, align 1
  call void @use(i32 %v0)
  ret i8 %v1
}
