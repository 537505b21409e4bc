; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; an operation on a phi becomes a phi of operations that stand in its predecessors, which keep their flags
; id: x59
; passes: newgvn
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: a062e20e7c04 04a7165290c6 702b743fda2a 769a9e6f61ea 8da1a33eedb7 c7146f9830a3
; root: b87333f693aa 441e915c364a 77a814b26161 d491144ad827 e321bd319c9d 5845e96dd5cf c5bab3e6d899 aeaf7fdb290d
define i2 @f(i2 %a, i1 %b, i1 %c) {
entry:
  %v0 = add nsw i2 1, %a
  br i1 %b, label %b1, label %b2
b1:
  br label %b2
b2:
  %v3 = phi i2 [ 0, %entry ], [ %a, %b1 ]
  %v4 = add i2 1, %v3
  %v5 = select i1 %c, i2 %v4, i2 %v0
  ret i2 %v5
}
