; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a comparison of an ashr that always holds leaves no value for what is shifted
; id: x53
; passes: jump-threading
; kind: value
; semantics: llvm
; wrong-in: 19 22
; right-in: 13 14 15 16
; signature: 64235ce7438a
; root: 1c5a28fb1056 eddd6aec2378 c4c0d2588a83 e92bdcefc09f
declare void @use()
define i2 @f(i2 %a, i2 %b) {
entry:
  %v0 = ashr i2 %a, 1
  %v1 = icmp sgt i2 %v0, -2
  br i1 %v1, label %b1, label %b2
b1:
  call void @use()
  br label %b2
b2:
  %v5 = add i2 %a, 0
  %v6 = icmp eq i2 %v5, 0
  br i1 %v6, label %b3, label %b4
b3:
  ret i2 0
b4:
  ret i2 %b
}
