; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; No object is that long: the call is never made.
; EXPECT llvm: refines
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define i8 @src() {
  %a = alloca i8, align 1
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 -1, i1 false)
  ret i8 0
}

define i8 @tgt() {
  unreachable
}
