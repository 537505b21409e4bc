; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; InstCombine takes away an alloca that nobody writes, with what is copied out of it: poison there would have become any number, and stays
; id: m86261c
; issue: llvm/llvm-project#86261
; passes: instcombine
; kind: more-poison
; semantics: llvm
; wrong-in: 15 16 19 22
; right-in: 13 14
; signature: 27677c4a5cf3 31e2cb776a59 0a00a638dec5 a7fe9b300249
; root: 73e04678b64a cf77e0376fc9 b211941565c0
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, i64 %n) {
  %a = alloca i8, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 %n, i1 false)
  ret void
}
