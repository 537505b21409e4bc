; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Half of the stored byte is zero, whoever looks.
; EXPECT llvm: more-undef
define i8 @src(ptr %p) {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  %w = and i8 %v, 15
  store i8 %w, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  store i8 undef, ptr %p, align 1
  ret i8 undef
}
