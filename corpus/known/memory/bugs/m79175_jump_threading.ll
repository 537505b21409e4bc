; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a load is threaded past a store to an index that may be the same
; id: m79175
; issue: llvm/llvm-project#79175
; passes: jump-threading
; kind: value
; semantics: llvm
; wrong-in: 13 14 15 16
; right-in: 19 22
; signature: b8cd5cc54332
; root: daa9deb9f10c
@g = external global i8
define i1 @f(i64 %i, i8 %v) {
entry:
  %cmp = icmp slt i64 %i, 1
  br i1 %cmp, label %b, label %e
b:
  %f = load i8, ptr @g
  %c = icmp eq i8 %f, 0
  br i1 %c, label %m, label %n
n:
  br label %m
m:
  %p = phi i8 [ %v, %n ], [ 1, %b ]
  %s = icmp sgt i8 %p, 0
  %x = select i1 %s, i8 0, i8 %p
  %a = getelementptr inbounds i8, ptr @g, i64 %i
  store i8 %x, ptr %a
  %r = load i8, ptr @g
  %d = icmp slt i8 %r, 1
  br i1 %d, label %t, label %e
t:
  ret i1 true
e:
  ret i1 false
}
