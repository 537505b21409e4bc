; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; SROA gives a load what was stored on one path only, and nothing was on the other
; id: m52930
; issue: llvm/llvm-project#52930
; passes: sroa
; kind: more-poison
; semantics: llvm
; wrong-in: 14 15 16 19
; right-in: 22
; signature: cd725bb949fd
; root: 36571e8b3ddf 7991695e0830
define i8 @f(i1 %c, i8 %x) {
  %a = alloca i8, align 1
  br i1 %c, label %then, label %join
then:
  store i8 %x, ptr %a, align 1
  br label %join
join:
  %v = load i8, ptr %a, align 1
  ret i8 %v
}
