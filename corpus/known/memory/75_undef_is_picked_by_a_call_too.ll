; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The same where a call looks at the memory.
; EXPECT llvm: refines
declare void @use()
define i8 @src(ptr %p) {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  store i8 %v, ptr %p, align 1
  call void @use()
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  store i8 undef, ptr %p, align 1
  call void @use()
  ret i8 undef
}
