; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; MemCpyOpt drops a memmove of what a memset wrote, though it reads a byte behind that
; id: m206451
; issue: llvm/llvm-project#206451
; passes: memcpyopt
; kind: value
; semantics: llvm
; wrong-in: 22
; signature: fd83e47f2cb8
; root: 43a99d91e111 9ec241e65913
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1 immarg)
define void @f(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 1
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 2, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 2, i1 false)
  ret void
}
