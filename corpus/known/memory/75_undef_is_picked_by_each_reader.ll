; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What was never written is stored and returned: memory and the caller pick for themselves.
; EXPECT llvm: refines
define i8 @src(ptr %p) {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  store i8 %v, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  store i8 undef, ptr %p, align 1
  ret i8 undef
}
