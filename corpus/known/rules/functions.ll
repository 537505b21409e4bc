; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The known bugs of this folder that have branches, loops or calls, and those that bear the
; number of an issue, each as a pair of functions that `irsieve prove` asks about at every
; width in the place of i4. Constants are arguments that are noundef. The target is what LLVM
; made of it; a repaired one is right. Where no i4 stands, branches leave i1 alone.

; Name: kb31
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i1-i64
; EXPECT branch-nondet: correct
define i4 @src_kb31(i1 %u, i4 %y, i4 %z, i4 %j, i4 noundef %C) {
entry:
  br i1 %u, label %e, label %b
b:
  %p = icmp sge i4 %y, %z
  br label %e
e:
  %c = phi i1 [ false, %entry ], [ %p, %b ]
  %a = add nsw i4 %j, %C
  %r = select i1 %c, i4 %j, i4 %a
  ret i4 %r
}
define i4 @tgt_kb31(i1 %u, i4 %y, i4 %z, i4 %j, i4 noundef %C) {
entry:
  br i1 %u, label %thread, label %b
thread:
  %a2 = add nsw i4 %j, %C
  br label %e
b:
  %p = icmp sge i4 %y, %z
  %a = add nsw i4 %j, %C
  br i1 %p, label %t, label %e
t:
  br label %e
e:
  %r = phi i4 [ %j, %t ], [ %a, %b ], [ %a2, %thread ]
  ret i4 %r
}

; Name: kb31, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define i4 @src_kb31_repaired(i1 %u, i4 %y, i4 %z, i4 %j, i4 noundef %C) {
entry:
  br i1 %u, label %e, label %b
b:
  %p = icmp sge i4 %y, %z
  br label %e
e:
  %c = phi i1 [ false, %entry ], [ %p, %b ]
  %a = add nsw i4 %j, %C
  %r = select i1 %c, i4 %j, i4 %a
  ret i4 %r
}
define i4 @tgt_kb31_repaired(i1 %u, i4 %y, i4 %z, i4 %j, i4 noundef %C) {
entry:
  br i1 %u, label %thread, label %b
thread:
  %a2 = add nsw i4 %j, %C
  br label %e
b:
  %p = icmp sge i4 %y, %z
  %a = add nsw i4 %j, %C
  %f = freeze i1 %p
  br i1 %f, label %t, label %e
t:
  br label %e
e:
  %r = phi i4 [ %j, %t ], [ %a, %b ], [ %a2, %thread ]
  ret i4 %r
}

; Name: kb32
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i1-i64
; EXPECT branch-nondet: correct
define i4 @src_kb32(i1 %a, i1 %c, i4 %x, i4 noundef %C1, i4 noundef %C2, i4 noundef %C3, i4 noundef %C4) {
entry:
  %ne = icmp ne i4 %C1, %C2
  call void @llvm.assume(i1 %ne)
  br i1 %a, label %p1, label %p2
p1:
  %s = select i1 %c, i4 %C1, i4 %x
  br label %m
p2:
  br label %m
m:
  %v = phi i4 [ %s, %p1 ], [ %C2, %p2 ]
  %k = icmp eq i4 %v, %C1
  %g = freeze i1 %k
  br i1 %g, label %t, label %e
t:
  ret i4 %C3
e:
  ret i4 %C4
}
define i4 @tgt_kb32(i1 %a, i1 %c, i4 %x, i4 noundef %C1, i4 noundef %C2, i4 noundef %C3, i4 noundef %C4) {
entry:
  br i1 %a, label %p1, label %e
p1:
  br i1 %c, label %t, label %m
m:
  %k = icmp eq i4 %x, %C1
  %g = freeze i1 %k
  br i1 %g, label %t, label %e
t:
  ret i4 %C3
e:
  ret i4 %C4
}

; Name: kb32, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define i4 @src_kb32_repaired(i1 %a, i1 %c, i4 %x, i4 noundef %C1, i4 noundef %C2, i4 noundef %C3, i4 noundef %C4) {
entry:
  %ne = icmp ne i4 %C1, %C2
  call void @llvm.assume(i1 %ne)
  br i1 %a, label %p1, label %p2
p1:
  %s = select i1 %c, i4 %C1, i4 %x
  br label %m
p2:
  br label %m
m:
  %v = phi i4 [ %s, %p1 ], [ %C2, %p2 ]
  %k = icmp eq i4 %v, %C1
  %g = freeze i1 %k
  br i1 %g, label %t, label %e
t:
  ret i4 %C3
e:
  ret i4 %C4
}
define i4 @tgt_kb32_repaired(i1 %a, i1 %c, i4 %x, i4 noundef %C1, i4 noundef %C2, i4 noundef %C3, i4 noundef %C4) {
entry:
  br i1 %a, label %p1, label %e
p1:
  %f = freeze i1 %c
  br i1 %f, label %t, label %m
m:
  %k = icmp eq i4 %x, %C1
  %g = freeze i1 %k
  br i1 %g, label %t, label %e
t:
  ret i4 %C3
e:
  ret i4 %C4
}

; Name: kb34
; EXPECT llvm: wrong more-ub
; EXPECT defined-inputs: correct
define void @src_kb34(i1 %a, i1 %b) {
entry:
  br i1 %a, label %t, label %n
n:
  br i1 %b, label %t, label %e
t:
  call void @use()
  br label %e
e:
  ret void
}
define void @tgt_kb34(i1 %a, i1 %b) {
entry:
  %o = or i1 %a, %b
  br i1 %o, label %t, label %e
t:
  call void @use()
  br label %e
e:
  ret void
}

; Name: kb34, repaired
; EXPECT llvm: correct
define void @src_kb34_repaired(i1 %a, i1 %b) {
entry:
  br i1 %a, label %t, label %n
n:
  br i1 %b, label %t, label %e
t:
  call void @use()
  br label %e
e:
  ret void
}
define void @tgt_kb34_repaired(i1 %a, i1 %b) {
entry:
  %o = select i1 %a, i1 true, i1 %b
  br i1 %o, label %t, label %e
t:
  call void @use()
  br label %e
e:
  ret void
}

; Name: kb35
; EXPECT llvm: wrong more-ub
; EXPECT branch-nondet: correct
; WIDTHS llvm: wrong for i1-i64
define void @src_kb35(i1 %c, i4 %n) {
entry:
  br label %h
h:
  %i = phi i4 [ 0, %entry ], [ %j, %l ]
  %k = icmp ult i4 %i, %n
  br i1 %k, label %body, label %e
body:
  br i1 %c, label %t, label %u
t:
  call void @a()
  br label %l
u:
  call void @b()
  br label %l
l:
  %j = add i4 %i, 1
  br label %h
e:
  ret void
}
define void @tgt_kb35(i1 %c, i4 %n) {
entry:
  br i1 %c, label %h.us, label %h
h.us:
  %i.us = phi i4 [ 0, %entry ], [ %j.us, %t.us ]
  %k.us = icmp ult i4 %i.us, %n
  br i1 %k.us, label %t.us, label %e
t.us:
  call void @a()
  %j.us = add i4 %i.us, 1
  br label %h.us
h:
  %i = phi i4 [ 0, %entry ], [ %j, %u ]
  %k = icmp ult i4 %i, %n
  br i1 %k, label %u, label %e
u:
  call void @b()
  %j = add i4 %i, 1
  br label %h
e:
  ret void
}

; Name: kb35, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried: what is invariant in a loop of a copy, that %f
; is true there, no engine finds.
define void @src_kb35_repaired(i1 %c, i4 %n) {
entry:
  br label %h
h:
  %i = phi i4 [ 0, %entry ], [ %j, %l ]
  %k = icmp ult i4 %i, %n
  br i1 %k, label %body, label %e
body:
  br i1 %c, label %t, label %u
t:
  call void @a()
  br label %l
u:
  call void @b()
  br label %l
l:
  %j = add i4 %i, 1
  br label %h
e:
  ret void
}
define void @tgt_kb35_repaired(i1 %c, i4 %n) {
entry:
  %f = freeze i1 %c
  br i1 %f, label %h.us, label %h
h.us:
  %i.us = phi i4 [ 0, %entry ], [ %j.us, %t.us ]
  %k.us = icmp ult i4 %i.us, %n
  br i1 %k.us, label %t.us, label %e
t.us:
  call void @a()
  %j.us = add i4 %i.us, 1
  br label %h.us
h:
  %i = phi i4 [ 0, %entry ], [ %j, %u ]
  %k = icmp ult i4 %i, %n
  br i1 %k, label %u, label %e
u:
  call void @b()
  %j = add i4 %i, 1
  br label %h
e:
  ret void
}

; Name: x02
; EXPECT llvm: wrong value
define i1 @src_x02(i1 %a, i1 %c) {
entry:
  br i1 %a, label %p, label %m
p:
  %s = select i1 %c, i1 %a, i1 %a
  br label %m
m:
  %v = phi i1 [ %a, %entry ], [ %s, %p ]
  %g = freeze i1 %v
  br i1 %g, label %t, label %e
t:
  ret i1 %g
e:
  ret i1 %a
}
define i1 @tgt_x02(i1 %a, i1 %c) {
entry:
  br i1 %a, label %t, label %e
t:
  %s = select i1 %c, i1 %a, i1 %a
  %g = freeze i1 %s
  ret i1 %g
e:
  ret i1 %a
}

; Name: x02, repaired
; EXPECT llvm: correct
define i1 @src_x02_repaired(i1 %a, i1 %c) {
entry:
  br i1 %a, label %p, label %m
p:
  %s = select i1 %c, i1 %a, i1 %a
  br label %m
m:
  %v = phi i1 [ %a, %entry ], [ %s, %p ]
  %g = freeze i1 %v
  br i1 %g, label %t, label %e
t:
  ret i1 %g
e:
  ret i1 %a
}
define i1 @tgt_x02_repaired(i1 %a, i1 %c) {
entry:
  br i1 %a, label %t, label %e
t:
  ret i1 true
e:
  ret i1 %a
}

; Name: x03
; EXPECT llvm: wrong value
; WIDTHS llvm: wrong for i2-i64
define i1 @src_x03(i4 %a, i1 %b) {
entry:
  switch i4 %a, label %d [
    i4 1, label %e
    i4 -1, label %e
  ]
d:
  %c = icmp eq i4 %a, 0
  switch i4 %a, label %e [ i4 1, label %u ]
u:
  br label %e
e:
  %r = phi i1 [ true, %entry ], [ true, %entry ], [ %b, %d ], [ %c, %u ]
  ret i1 %r
}
define i1 @tgt_x03(i4 %a, i1 %b) {
entry:
  switch i4 %a, label %d [
    i4 1, label %e
    i4 -1, label %e
    i4 0, label %e
  ]
d:
  br label %e
e:
  %r = phi i1 [ true, %entry ], [ true, %entry ], [ true, %entry ], [ %b, %d ]
  ret i1 %r
}

; Name: x03, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i2-i64
define i1 @src_x03_repaired(i4 %a, i1 %b) {
entry:
  switch i4 %a, label %d [
    i4 1, label %e
    i4 -1, label %e
  ]
d:
  %c = icmp eq i4 %a, 0
  switch i4 %a, label %e [ i4 1, label %u ]
u:
  br label %e
e:
  %r = phi i1 [ true, %entry ], [ true, %entry ], [ %b, %d ], [ %c, %u ]
  ret i1 %r
}
define i1 @tgt_x03_repaired(i4 %a, i1 %b) {
entry:
  switch i4 %a, label %d [
    i4 1, label %e
    i4 -1, label %e
  ]
d:
  br label %e
e:
  %r = phi i1 [ true, %entry ], [ true, %entry ], [ %b, %d ]
  ret i1 %r
}

; Name: x04
; EXPECT llvm: wrong more-ub
define void @src_x04(i1 %a, i1 %b, i1 %c) {
entry:
  br i1 %a, label %t, label %u
t:
  %d = udiv i1 %b, %c
  br i1 %d, label %u, label %e
u:
  br label %e
e:
  ret void
}
define void @tgt_x04(i1 %a, i1 %b, i1 %c) {
  %d = udiv i1 %b, %c
  ret void
}

; Name: x04, repaired
; EXPECT llvm: correct
define void @src_x04_repaired(i1 %a, i1 %b, i1 %c) {
entry:
  br i1 %a, label %t, label %u
t:
  %d = udiv i1 %b, %c
  br i1 %d, label %u, label %e
u:
  br label %e
e:
  ret void
}
define void @tgt_x04_repaired(i1 %a, i1 %b, i1 %c) {
  ret void
}

; Name: x05
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i1-i64
define void @src_x05(i1 %a, i4 %b, i4 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %a, label %latch, label %inner
latch:
  %d = udiv i4 %b, %c
  call void @use.int(i4 %d)
  br label %outer
}
define void @tgt_x05(i1 %a, i4 %b, i4 %c) {
entry:
  %d = udiv i4 %b, %c
  br label %outer
outer:
  br label %inner
inner:
  br i1 %a, label %latch, label %inner
latch:
  call void @use.int(i4 %d)
  br label %outer
}

; Name: x06
; EXPECT llvm: wrong returns
define void @src_x06(i1 %a) {
entry:
  br label %outer
outer:
  %x = phi i1 [ false, %entry ], [ true, %inner ]
  br i1 %x, label %e, label %inner
inner:
  br i1 %a, label %outer, label %inner
e:
  ret void
}
define void @tgt_x06(i1 %a) {
  ret void
}

; Name: x07
; EXPECT llvm: wrong more-ub
; EXPECT branch-nondet: correct
define void @src_x07(i1 %a, i1 %b, i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  %x = phi i1 [ %a, %outer ], [ %b, %inner ]
  br i1 %x, label %latch, label %inner
latch:
  br i1 %c, label %outer, label %e
e:
  ret void
}
define void @tgt_x07(i1 %a, i1 %b, i1 %c) {
entry:
  br i1 %c, label %outer.us, label %outer
outer.us:
  br label %inner.us
inner.us:
  %x.us = phi i1 [ %a, %outer.us ], [ %b, %inner.us ]
  br i1 %x.us, label %outer.us, label %inner.us
outer:
  br label %inner
inner:
  %x = phi i1 [ %a, %outer ], [ %b, %inner ]
  br i1 %x, label %e, label %inner
e:
  ret void
}

; Name: x07, repaired
; EXPECT llvm: correct
define void @src_x07_repaired(i1 %a, i1 %b, i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  %x = phi i1 [ %a, %outer ], [ %b, %inner ]
  br i1 %x, label %latch, label %inner
latch:
  br i1 %c, label %outer, label %e
e:
  ret void
}
define void @tgt_x07_repaired(i1 %a, i1 %b, i1 %c) {
entry:
  %f = freeze i1 %c
  br i1 %f, label %outer.us, label %outer
outer.us:
  br label %inner.us
inner.us:
  %x.us = phi i1 [ %a, %outer.us ], [ %b, %inner.us ]
  br i1 %x.us, label %outer.us, label %inner.us
outer:
  br label %inner
inner:
  %x = phi i1 [ %a, %outer ], [ %b, %inner ]
  br i1 %x, label %e, label %inner
e:
  ret void
}

; Name: x13
; EXPECT llvm: wrong more-ub
define void @src_x13(i3 %a, i3 %b) {
entry:
  br label %loop
loop:
  %i = phi i3 [ %a, %entry ], [ %next, %loop ]
  %shifted = lshr i3 %b, %i
  %zero = icmp eq i3 %shifted, 0
  %next = add i3 %i, 1
  call void @use.i3(i3 0)
  br i1 %zero, label %e, label %loop
e:
  ret void
}
define void @tgt_x13(i3 %a, i3 %b) {
entry:
  %zeros = call i3 @llvm.ctlz.i3(i3 %b, i1 false)
  %bits = sub nuw nsw i3 3, %zeros
  %final = call i3 @llvm.smax.i3(i3 %bits, i3 %a)
  %taken = sub nuw nsw i3 %final, %a
  %count = add nuw nsw i3 %taken, 1
  br label %loop
loop:
  %i = phi i3 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i3 %i, 1
  %last = icmp eq i3 %next, %count
  call void @use.i3(i3 0)
  br i1 %last, label %e, label %loop
e:
  ret void
}

; Name: x14
; EXPECT llvm: wrong more-ub
define void @src_x14(i2 %a) {
entry:
  br label %loop
loop:
  %v = phi i2 [ %a, %entry ], [ %next, %loop ]
  %bit = and i2 %v, 1
  %unset = icmp eq i2 %bit, 0
  %next = shl i2 %v, 1
  br i1 %unset, label %loop, label %e
e:
  ret void
}
define void @tgt_x14(i2 %a) {
entry:
  %bit = and i2 %a, 1
  %zeros = call i2 @llvm.ctlz.i2(i2 %bit, i1 true)
  %count = sub i2 0, %zeros
  br label %loop
loop:
  %i = phi i2 [ 0, %entry ], [ %next, %loop ]
  %next = add i2 %i, 1
  %last = icmp eq i2 %next, %count
  br i1 %last, label %e, label %loop
e:
  ret void
}

; Name: x15
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
; A phi of undef and a value is not that value, which may be poison
define i4 @src_x15(i1 %a, i4 %b) {
entry:
  br i1 %a, label %then, label %end
then:
  br label %end
end:
  %v = phi i4 [ %b, %entry ], [ undef, %then ]
  ret i4 %v
}
define i4 @tgt_x15(i1 noundef %a, i4 %b) {
entry:
  br i1 %a, label %then, label %end
then:
  br label %end
end:
  ret i4 %b
}

; Name: x24
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
; A phi of undef and a value is not that value, which may be poison, without a branch either
define i4 @src_x24(i1 %a, i4 %b) {
entry:
  br i1 %a, label %then, label %end
then:
  br label %next
next:
  br label %end
end:
  %v = phi i4 [ undef, %entry ], [ %b, %next ]
  ret i4 %v
}
define i4 @tgt_x24(i1 %a, i4 %b) {
  ret i4 %b
}

; Name: x16
; EXPECT llvm: wrong diverges
; A `shl nuw` is not 0 if what it shifts is not; by how far says nothing
define void @src_x16(i4 %a) {
entry:
  br label %loop
loop:
  %v = phi i4 [ 1, %entry ], [ %next, %loop ]
  %next = shl nuw i4 %a, %v
  %more = icmp ne i4 %v, 0
  br i1 %more, label %loop, label %e
e:
  ret void
}
define void @tgt_x16(i4 %a) {
entry:
  br label %loop
loop:
  br label %loop
}

declare void @llvm.assume(i1)
declare void @use()
declare void @use.int(i4) willreturn nounwind
declare void @a()
declare void @b()
declare void @use.i3(i3)
declare i2 @llvm.ctlz.i2(i2, i1 immarg)
declare i3 @llvm.ctlz.i3(i3, i1 immarg)
declare i3 @llvm.smax.i3(i3, i3)
declare i4 @llvm.abs.i4(i4, i1 immarg)
declare i4 @llvm.fshl.i4(i4, i4, i4)
declare i4 @llvm.fshr.i4(i4, i4, i4)
declare { i4, i1 } @llvm.smul.with.overflow.i4(i4, i4)
declare void @use.value(i4)

; Name: x30
; EXPECT llvm: wrong more-poison
define i1 @src_x30(i1 %a, i1 %b) {
  %v0 = add i1 %a, %b
  %v1 = select i1 false, i1 %v0, i1 false
  %v2 = add i1 %a, %v1
  ret i1 %v2
}
define i1 @tgt_x30(i1 %a, i1 %b) {
  %v0 = add i1 %a, %b
  %v1 = add i1 %v0, %b
  ret i1 %v1
}

; Name: x30, repaired
; EXPECT llvm: correct
define i1 @src_x30_repaired(i1 %a, i1 %b) {
  %v0 = add i1 %a, %b
  %v1 = select i1 false, i1 %v0, i1 false
  %v2 = add i1 %a, %v1
  ret i1 %v2
}
define i1 @tgt_x30_repaired(i1 %a, i1 %b) {
  ret i1 %a
}

; Name: x31
; EXPECT llvm: wrong more-poison
; The table as a switch: it has no entry for the largest value
define i3 @src_x31(i3 %a) {
entry:
  switch i3 %a, label %other [
    i3 0, label %zero
    i3 2, label %end
  ]
other:
  br label %end
zero:
  br label %end
end:
  %r = phi i3 [ 0, %entry ], [ 1, %other ], [ 0, %zero ]
  ret i3 %r
}
define i3 @tgt_x31(i3 %a) {
entry:
  switch i3 %a, label %other [
    i3 0, label %zero
    i3 2, label %end
    i3 -1, label %last
  ]
other:
  br label %end
zero:
  br label %end
last:
  br label %end
end:
  %r = phi i3 [ 0, %entry ], [ 1, %other ], [ 0, %zero ], [ poison, %last ]
  ret i3 %r
}

; Name: x31, repaired
; EXPECT llvm: correct
define i3 @src_x31_repaired(i3 %a) {
entry:
  switch i3 %a, label %other [
    i3 0, label %zero
    i3 2, label %end
  ]
other:
  br label %end
zero:
  br label %end
end:
  %r = phi i3 [ 0, %entry ], [ 1, %other ], [ 0, %zero ]
  ret i3 %r
}
define i3 @tgt_x31_repaired(i3 %a) {
entry:
  switch i3 %a, label %other [
    i3 0, label %zero
    i3 2, label %end
    i3 -1, label %last
  ]
other:
  br label %end
zero:
  br label %end
last:
  br label %end
end:
  %r = phi i3 [ 0, %entry ], [ 1, %other ], [ 0, %zero ], [ 1, %last ]
  ret i3 %r
}

; Name: x32
; EXPECT llvm: wrong value
; WIDTHS llvm: wrong for i1-i64
define i4 @src_x32(i4 %a) {
entry:
  br label %loop
loop:
  %v1 = phi i4 [ 0, %entry ], [ %a, %loop ], [ %v1, %latch ]
  %v2 = phi i4 [ 0, %entry ], [ %v2, %loop ], [ %a, %latch ]
  switch i4 %v1, label %latch [
    i4 0, label %loop
    i4 1, label %end
  ]
latch:
  br label %loop
end:
  ret i4 %v2
}
define i4 @tgt_x32(i4 %a) {
entry:
  br label %loop
loop:
  %v1 = phi i4 [ 0, %entry ], [ %a, %loop ], [ %v1, %latch ]
  switch i4 %v1, label %latch [
    i4 0, label %loop
    i4 1, label %end
  ]
latch:
  br label %loop
end:
  ret i4 %v1
}

; Name: x32, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried: that the two phis are equal no engine finds.
define i4 @src_x32_repaired(i4 %a) {
entry:
  br label %loop
loop:
  %v1 = phi i4 [ 0, %entry ], [ %a, %loop ], [ %v1, %latch ]
  %v2 = phi i4 [ 0, %entry ], [ %a, %loop ], [ %v2, %latch ]
  switch i4 %v1, label %latch [
    i4 0, label %loop
    i4 1, label %end
  ]
latch:
  br label %loop
end:
  ret i4 %v2
}
define i4 @tgt_x32_repaired(i4 %a) {
entry:
  br label %loop
loop:
  %v1 = phi i4 [ 0, %entry ], [ %a, %loop ], [ %v1, %latch ]
  switch i4 %v1, label %latch [
    i4 0, label %loop
    i4 1, label %end
  ]
latch:
  br label %loop
end:
  ret i4 %v1
}

; Name: m114738
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
define i1 @src_m114738(i2 %a, i2 %b, i2 %c, i2 %d, i2 %e, i2 %f, i2 %g, i2 %h) {
  %v0 = icmp sgt i2 %a, %b
  %v1 = icmp sgt i2 %c, %d
  %v2 = icmp sgt i2 %e, %f
  %v3 = icmp sgt i2 %g, %h
  %v4 = select i1 %v0, i1 true, i1 %v1
  %v5 = select i1 %v2, i1 true, i1 %v3
  %v6 = or i1 %v4, %v5
  ret i1 %v6
}
declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)
define i1 @tgt_m114738(i2 %a, i2 %b, i2 %c, i2 %d, i2 %e, i2 %f, i2 %g, i2 %h) {
  %v0 = insertelement <4 x i2> poison, i2 %a, i32 0
  %v1 = insertelement <4 x i2> %v0, i2 %c, i32 1
  %v2 = insertelement <4 x i2> %v1, i2 %e, i32 2
  %v3 = insertelement <4 x i2> %v2, i2 %g, i32 3
  %v4 = insertelement <4 x i2> poison, i2 %b, i32 0
  %v5 = insertelement <4 x i2> %v4, i2 %d, i32 1
  %v6 = insertelement <4 x i2> %v5, i2 %f, i32 2
  %v7 = insertelement <4 x i2> %v6, i2 %h, i32 3
  %v8 = icmp sgt <4 x i2> %v3, %v7
  %v9 = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %v8)
  ret i1 %v9
}

; Name: m114902
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
define i4 @src_m114902(i1 %a, i4 %b) {
  %v0 = select i1 %a, i4 undef, i4 0
  %v1 = add i4 %b, %v0
  ret i4 %v1
}
define i4 @tgt_m114902(i1 %a, i4 %b) {
  %v0 = select i1 %a, i4 undef, i4 0
  %v1 = add nuw nsw i4 %b, %v0
  ret i4 %v1
}

; Name: m121583
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
define i4 @src_m121583(i4 %a, i4 %b, i4 %c) {
  %v0 = and i4 %a, %b
  %v1 = or disjoint i4 %a, %b
  %v2 = xor i4 -1, %c
  %v3 = and i4 %v1, %v2
  %v4 = xor i4 %a, %b
  %v5 = icmp eq i4 %c, %v4
  %v6 = select i1 %v5, i4 %v0, i4 %v3
  ret i4 %v6
}
define i4 @tgt_m121583(i4 %a, i4 %b, i4 %c) {
  %v0 = or disjoint i4 %a, %b
  %v1 = xor i4 %c, -1
  %v2 = and i4 %v0, %v1
  ret i4 %v2
}

; Name: m126012
; EXPECT llvm: wrong value
; WIDTHS llvm: wrong for i3-i64
define i4 @src_m126012(i4 %a, i4 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v9, %b3 ]
  %v2 = phi i4 [ 1, %entry ], [ %v3, %b3 ]
  %v3 = phi i4 [ 0, %entry ], [ %v10, %b3 ]
  %v4 = icmp eq i4 %v3, 0
  br i1 %v4, label %b3, label %b2
b2:
  %v6 = icmp sgt i4 %v2, 0
  %v7 = zext i1 %v6 to i4
  br label %b3
b3:
  %v9 = phi i4 [ %v7, %b2 ], [ %b, %b1 ]
  %v10 = add i4 %v3, 1
  %v11 = icmp eq i4 %v3, 2
  br i1 %v11, label %b4, label %b1
b4:
  ret i4 %v1
}
define i4 @tgt_m126012(i4 %a, i4 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v7, %b3 ]
  %v2 = phi i4 [ 0, %entry ], [ %v8, %b3 ]
  %v3 = icmp eq i4 %v2, 0
  br i1 %v3, label %b3, label %b2
b2:
  %v5 = zext i1 true to i4
  br label %b3
b3:
  %v7 = phi i4 [ %v5, %b2 ], [ %b, %b1 ]
  %v8 = add nuw nsw i4 %v2, 1
  %v9 = icmp eq i4 %v2, 2
  br i1 %v9, label %b4, label %b1
b4:
  %v11 = phi i4 [ %v1, %b3 ]
  ret i4 %v11
}

; Name: m200344
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i2-i64; right for i1
define void @src_m200344(i4 %a, i4 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %b, %b1 ]
  %v2 = add nsw i4 %v1, 1
  %v3 = icmp samesign sgt i4 %v2, 0
  br i1 %v3, label %b1, label %b2
b2:
  ret void
}
define void @tgt_m200344(i4 %a, i4 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %b, %b1 ]
  %v2 = icmp samesign sgt i4 %v1, -1
  br i1 %v2, label %b1, label %b2
b2:
  ret void
}

; Name: m200583
; EXPECT llvm: wrong value
define i3 @src_m200583(i3 %a) {
  %v0 = sub i3 0, %a
  %v1 = and i3 %a, %v0
  %v2 = call i3 @llvm.ctlz.i3(i3 %v1, i1 true)
  %v3 = xor i3 2, %v2
  ret i3 %v3
}
define i3 @tgt_m200583(i3 %a) {
  %v0 = call i3 @llvm.cttz.i3(i3 %a, i1 true)
  ret i3 %v0
}

; Name: m223262
; EXPECT llvm: wrong value
define i1 @src_m223262(i4 %a, i4 %b, i4 %c, i4 %d) {
  %v0 = call i4 @llvm.fshr.i4(i4 %a, i4 %a, i4 %b)
  %v1 = call i4 @llvm.fshr.i4(i4 %c, i4 %c, i4 %d)
  %v2 = icmp eq i4 %v0, %v1
  ret i1 %v2
}
define i1 @tgt_m223262(i4 %a, i4 %b, i4 %c, i4 %d) {
  %v0 = sub i4 %b, %d
  %v1 = call i4 @llvm.fshr.i4(i4 %a, i4 %a, i4 %v0)
  %v2 = icmp eq i4 %c, %v1
  ret i1 %v2
}

; Name: m47012
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i2-i64
define i4 @src_m47012(i4 %a, i4 %b, i4 %c) {
  %v0 = lshr i4 %a, %b
  %v1 = and i4 1, %v0
  %v2 = and i4 %a, %c
  %v3 = icmp eq i4 0, %v2
  %v4 = select i1 %v3, i4 %v1, i4 1
  ret i4 %v4
}
define i4 @tgt_m47012(i4 %a, i4 %b, i4 %c) {
  %v0 = shl i4 1, %b
  %v1 = or i4 %v0, %c
  %v2 = and i4 %v1, %a
  %v3 = icmp ne i4 %v2, 0
  %v4 = zext i1 %v3 to i4
  ret i4 %v4
}

; Name: m53252
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i3-i64
define i4 @src_m53252(i4 %a, i4 %b, i4 %c) {
  %v0 = icmp sgt i4 0, %a
  %v1 = icmp ugt i4 2, %a
  %v2 = xor i1 true, %v1
  %v3 = select i1 %v0, i4 %b, i4 %c
  %v4 = select i1 %v2, i4 %a, i4 %v3
  ret i4 %v4
}
define i4 @tgt_m53252(i4 %a, i4 %b, i4 %c) {
  %v0 = icmp slt i4 %a, 0
  %v1 = icmp sgt i4 %a, 1
  %v2 = select i1 %v0, i4 %b, i4 %a
  %v3 = select i1 %v1, i4 %c, i4 %v2
  ret i4 %v3
}

; Name: m68683
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
define i4 @src_m68683(i1 %a, i4 %b) {
entry:
  br i1 %a, label %b1, label %b2
b1:
  br label %b2
b2:
  %v2 = phi i4 [ undef, %entry ], [ %b, %b1 ]
  ret i4 %v2
}
define i4 @tgt_m68683(i1 %a, i4 %b) {
entry:
  br i1 %a, label %b1, label %b2
b1:
  br label %b2
b2:
  ret i4 %b
}

; Name: x33
; EXPECT llvm: wrong diverges
define void @src_x33(i1 %a, i1 %b, i1 %c, i1 %d, i1 %e) {
entry:
  br i1 %a, label %b2, label %b1
b1:
  %v1 = phi i1 [ %b, %entry ], [ %c, %b1 ], [ %d, %b2 ]
  br i1 %v1, label %b1, label %b2
b2:
  br i1 %e, label %b1, label %b3
b3:
  ret void
}
define void @tgt_x33(i1 %a, i1 %b, i1 %c, i1 %d, i1 %e) {
entry:
  %v0 = xor i1 %a, true
  br label %b4
b1:
  br i1 %v5, label %b4, label %b2
b2:
  br i1 %e, label %b4, label %b3
b3:
  ret void
b4:
  %v5 = phi i1 [ %d, %b2 ], [ %v5, %b1 ], [ %b, %entry ]
  %v6 = phi i1 [ true, %b2 ], [ true, %b1 ], [ %v0, %entry ]
  br i1 %v6, label %b1, label %b2
}

; Name: x33, repaired
; EXPECT llvm: correct
define void @src_x33_repaired(i1 %a, i1 %b, i1 %c, i1 %d, i1 %e) {
entry:
  br i1 %a, label %b2, label %b1
b1:
  %v1 = phi i1 [ %b, %entry ], [ %c, %b1 ], [ %d, %b2 ]
  br i1 %v1, label %b1, label %b2
b2:
  br i1 %e, label %b1, label %b3
b3:
  ret void
}
define void @tgt_x33_repaired(i1 %a, i1 %b, i1 %c, i1 %d, i1 %e) {
entry:
  %v0 = xor i1 %a, true
  br label %b4
b1:
  br i1 %v5, label %b4, label %b2
b2:
  br i1 %e, label %b4, label %b3
b3:
  ret void
b4:
  %v5 = phi i1 [ %d, %b2 ], [ %c, %b1 ], [ %b, %entry ]
  %v6 = phi i1 [ true, %b2 ], [ true, %b1 ], [ %v0, %entry ]
  br i1 %v6, label %b1, label %b2
}

; Name: x35
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i1-i64
define void @src_x35(i4 %a, i4 %b, i4 %c) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v2, %b1 ]
  %v2 = add i4 %v1, %b
  %v3 = icmp ugt i4 %v1, %c
  br i1 %v3, label %b1, label %b2
b2:
  ret void
}
define void @tgt_x35(i4 %a, i4 %b, i4 %c) {
entry:
  %v0 = sub i4 %a, %b
  br label %b1
b1:
  %v2 = phi i4 [ %v3, %b1 ], [ %v0, %entry ]
  %v3 = add i4 %v2, %b
  %v4 = icmp ugt i4 %v3, %c
  br i1 %v4, label %b1, label %b2
b2:
  ret void
}

; Name: x35, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried, to i5.
define void @src_x35_repaired(i4 %a, i4 %b, i4 %c) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v2, %b1 ]
  %v2 = add i4 %v1, %b
  %v3 = icmp ugt i4 %v1, %c
  br i1 %v3, label %b1, label %b2
b2:
  ret void
}
define void @tgt_x35_repaired(i4 %a, i4 %b, i4 %c) {
entry:
  %step = freeze i4 %b
  %v0 = sub i4 %a, %step
  br label %b1
b1:
  %v2 = phi i4 [ %v3, %b1 ], [ %v0, %entry ]
  %v3 = add i4 %v2, %step
  %v4 = icmp ugt i4 %v3, %c
  br i1 %v4, label %b1, label %b2
b2:
  ret void
}

; Name: m60748
; EXPECT llvm: wrong calls
; WIDTHS llvm: wrong for i2-i64; right for i1
define i4 @src_m60748(i4 %a, i4 %b) {
  %v0 = urem i4 %a, %b
  %v1 = udiv exact i4 %a, %b
  call void @use.value(i4 %v0)
  ret i4 %v1
}
define i4 @tgt_m60748(i4 %a, i4 %b) {
  %v0 = freeze i4 %a
  %v1 = freeze i4 %b
  %v2 = udiv exact i4 %v0, %v1
  %v3 = mul i4 %v2, %v1
  %v4 = sub i4 %v0, %v3
  call void @use.value(i4 %v4)
  ret i4 %v2
}

; Name: m82884
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i2-i64; right for i1
define i4 @src_m82884(i4 %a) {
  %v0 = mul nuw i4 %a, %a
  %v1 = call { i4, i1 } @llvm.smul.with.overflow.i4(i4 %a, i4 %a)
  %v2 = extractvalue { i4, i1 } %v1, 0
  call void @use.value(i4 %v0)
  ret i4 %v2
}
define i4 @tgt_m82884(i4 %a) {
  %v0 = mul nuw i4 %a, %a
  %v1 = call { i4, i1 } @llvm.smul.with.overflow.i4(i4 %a, i4 %a)
  call void @use.value(i4 %v0)
  ret i4 %v0
}

; Name: x39
; EXPECT llvm: wrong more-poison
; Two operands that become the same value compare as equal, unless it is poison
define i2 @src_x39(i2 %a, i2 %b) {
  %v0 = or i2 %a, %b
  %v1 = call i2 @llvm.scmp.i2.i2(i2 %v0, i2 %b)
  %v2 = icmp eq i2 %a, 0
  %v3 = select i1 %v2, i2 0, i2 %v1
  ret i2 %v3
}
define i2 @tgt_x39(i2 %a, i2 %b) {
  %v0 = or i2 %a, %b
  %v1 = call i2 @llvm.scmp.i2.i2(i2 %v0, i2 %b)
  ret i2 %v1
}

; Name: x39, repaired
; EXPECT llvm: correct
define i2 @src_x39_repaired(i2 %a, i2 %b) {
  %v0 = or i2 %a, %b
  %v1 = call i2 @llvm.scmp.i2.i2(i2 %v0, i2 %b)
  %v2 = icmp eq i2 %a, 0
  %v3 = select i1 %v2, i2 0, i2 %v1
  ret i2 %v3
}
define i2 @tgt_x39_repaired(i2 %a, i2 %b) {
  %f = freeze i2 %b
  %v0 = or i2 %a, %f
  %v1 = call i2 @llvm.scmp.i2.i2(i2 %v0, i2 %f)
  ret i2 %v1
}

declare i2 @llvm.scmp.i2.i2(i2, i2)

; Name: x40
; EXPECT llvm: wrong diverges
; The second phi is 0 on the way back, but the first one is what the second was
define void @src_x40(i2 %a, i2 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i2 [ %a, %entry ], [ %v2, %b1 ]
  %v2 = phi i2 [ %b, %entry ], [ 0, %b1 ]
  switch i2 %v1, label %b2 [ i2 0, label %b1 ]
b2:
  ret void
}
define void @tgt_x40(i2 %a, i2 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i2 [ %a, %entry ], [ 0, %b2 ]
  switch i2 %v1, label %b3 [ i2 0, label %b2 ]
b2:
  br label %b1
b3:
  ret void
}

; Name: x41
; EXPECT llvm: wrong diverges
define void @src_x41(i2 %a) {
entry:
  %v0 = icmp ult i2 %a, 0
  %v1 = icmp eq i2 %a, 0
  %v2 = and i1 %v0, %v1
  br label %b1
b1:
  br i1 %v2, label %b1, label %b2
b2:
  ret void
}
define void @tgt_x41(i2 %a) {
entry:
  br label %b1
b1:
  switch i2 %a, label %b2 [ i2 0, label %b1 ]
b2:
  ret void
}

; Name: x41, repaired
; EXPECT llvm: correct
define void @src_x41_repaired(i2 %a) {
entry:
  %v0 = icmp ult i2 %a, 0
  %v1 = icmp eq i2 %a, 0
  %v2 = and i1 %v0, %v1
  br label %b1
b1:
  br i1 %v2, label %b1, label %b2
b2:
  ret void
}
define void @tgt_x41_repaired(i2 %a) {
  ret void
}

; Name: x42
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i2-i64
define i2 @src_x42(i2 %a) {
entry:
  switch i2 %a, label %never [
    i2 -2, label %b1
    i2 -1, label %b4
    i2 0, label %b2
    i2 1, label %b3
  ]
never:
  unreachable
b1:
  br label %b4
b2:
  br label %b4
b3:
  br label %b4
b4:
  %r = phi i2 [ -1, %entry ], [ -2, %b1 ], [ 0, %b2 ], [ 1, %b3 ]
  ret i2 %r
}
define i2 @tgt_x42(i2 %a) {
  %v0 = sub i2 %a, -2
  %v1 = add nsw i2 %v0, -2
  ret i2 %v1
}

; Name: x42, repaired
; EXPECT llvm: correct
define i2 @src_x42_repaired(i2 %a) {
entry:
  switch i2 %a, label %never [
    i2 -2, label %b1
    i2 -1, label %b4
    i2 0, label %b2
    i2 1, label %b3
  ]
never:
  unreachable
b1:
  br label %b4
b2:
  br label %b4
b3:
  br label %b4
b4:
  %r = phi i2 [ -1, %entry ], [ -2, %b1 ], [ 0, %b2 ], [ 1, %b3 ]
  ret i2 %r
}
define i2 @tgt_x42_repaired(i2 %a) {
  %v0 = sub i2 %a, -2
  %v1 = add i2 %v0, -2
  ret i2 %v1
}

; Name: x43
; EXPECT llvm: wrong more-poison
define <1 x i2> @src_x43(<1 x i2> %a, <1 x i2> %b) {
  %v0 = shufflevector <1 x i2> %a, <1 x i2> poison, <1 x i32> <i32 0>
  %v1 = shufflevector <1 x i2> %b, <1 x i2> poison, <1 x i32> <i32 0>
  %v2 = shufflevector <1 x i2> %v0, <1 x i2> %v1, <1 x i32> <i32 1>
  ret <1 x i2> %v2
}
define <1 x i2> @tgt_x43(<1 x i2> %a, <1 x i2> %b) {
  ret <1 x i2> %a
}

; Name: m114905
; EXPECT llvm: wrong more-poison
define i1 @src_m114905(i1 %a, i1 %b, i1 %c) {
  %v0 = add i1 %a, %b
  %v1 = and i1 %v0, %c
  %v2 = select i1 %v0, i1 %c, i1 false
  %v3 = select i1 %v2, i1 %v1, i1 false
  ret i1 %v3
}
define i1 @tgt_m114905(i1 %a, i1 %b, i1 %c) {
  %v0 = add i1 %a, %b
  %v1 = select i1 %c, i1 %v0, i1 false
  ret i1 %v1
}

; Name: m114905, repaired
; EXPECT llvm: correct
define i1 @src_m114905_repaired(i1 %a, i1 %b, i1 %c) {
  %v0 = add i1 %a, %b
  %v1 = and i1 %v0, %c
  %v2 = select i1 %v0, i1 %c, i1 false
  %v3 = select i1 %v2, i1 %v1, i1 false
  ret i1 %v3
}
define i1 @tgt_m114905_repaired(i1 %a, i1 %b, i1 %c) {
  %v0 = add i1 %a, %b
  %v1 = select i1 %v0, i1 %c, i1 false
  ret i1 %v1
}

; Name: x45
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
; Trailing zeros of 0 are poison where a select had a value for 0. The width is what 0 has of
; zeros, and the xor of a power of two's is written as the difference that it is.
define i4 @src_x45(i4 %a, i1 %b) {
  %w = call i4 @llvm.ctlz.i4(i4 0, i1 false)
  %m = call i4 @llvm.ctlz.i4(i4 1, i1 false)
  %v0 = sub i4 0, %a
  %v1 = and i4 %a, %v0
  %v2 = icmp eq i4 0, %a
  %v3 = call i4 @llvm.ctlz.i4(i4 %v1, i1 true)
  %v4 = sub i4 %m, %v3
  %v5 = select i1 %v2, i4 %w, i4 %v4
  %v6 = select i1 %b, i4 %v5, i4 %v3
  ret i4 %v6
}
define i4 @tgt_x45(i4 %a, i1 %b) {
  %v0 = sub i4 0, %a
  %v1 = and i4 %a, %v0
  %v2 = call i4 @llvm.ctlz.i4(i4 %v1, i1 true)
  %v3 = call i4 @llvm.cttz.i4(i4 %a, i1 true)
  %v4 = select i1 %b, i4 %v3, i4 %v2
  ret i4 %v4
}

; Name: x45, repaired
; EXPECT llvm: correct
define i4 @src_x45_repaired(i4 %a, i1 %b) {
  %w = call i4 @llvm.ctlz.i4(i4 0, i1 false)
  %m = call i4 @llvm.ctlz.i4(i4 1, i1 false)
  %v0 = sub i4 0, %a
  %v1 = and i4 %a, %v0
  %v2 = icmp eq i4 0, %a
  %v3 = call i4 @llvm.ctlz.i4(i4 %v1, i1 true)
  %v4 = sub i4 %m, %v3
  %v5 = select i1 %v2, i4 %w, i4 %v4
  %v6 = select i1 %b, i4 %v5, i4 %v3
  ret i4 %v6
}
define i4 @tgt_x45_repaired(i4 %a, i1 %b) {
  %v0 = sub i4 0, %a
  %v1 = and i4 %a, %v0
  %v2 = call i4 @llvm.ctlz.i4(i4 %v1, i1 true)
  %v3 = call i4 @llvm.cttz.i4(i4 %a, i1 false)
  %v4 = select i1 %b, i4 %v3, i4 %v2
  ret i4 %v4
}

declare i4 @llvm.ctlz.i4(i4, i1 immarg)
declare i4 @llvm.cttz.i4(i4, i1 immarg)

; Name: x46
; EXPECT llvm: wrong value
; The xor with the width less one is no difference where the width is no power of two
define i3 @src_x46(i3 %a) {
  %m = call i3 @llvm.ctlz.i3(i3 1, i1 false)
  %v0 = call i3 @llvm.ctpop.i3(i3 %a)
  %v1 = icmp ne i3 1, %v0
  %v2 = zext i1 %v1 to i3
  %v3 = call i3 @llvm.ctlz.i3(i3 %a, i1 true)
  %v4 = xor i3 %m, %v3
  %v5 = add i3 %v2, %v4
  ret i3 %v5
}
define i3 @tgt_x46(i3 %a) {
  %w = call i3 @llvm.ctlz.i3(i3 0, i1 false)
  %v0 = add i3 %a, -1
  %v1 = call i3 @llvm.ctlz.i3(i3 %v0, i1 false)
  %v2 = sub i3 %w, %v1
  ret i3 %v2
}

; Name: x46, repaired
; EXPECT llvm: correct
define i3 @src_x46_repaired(i3 %a) {
  %m = call i3 @llvm.ctlz.i3(i3 1, i1 false)
  %v0 = call i3 @llvm.ctpop.i3(i3 %a)
  %v1 = icmp ne i3 1, %v0
  %v2 = zext i1 %v1 to i3
  %v3 = call i3 @llvm.ctlz.i3(i3 %a, i1 true)
  %v4 = sub i3 %m, %v3
  %v5 = add i3 %v2, %v4
  ret i3 %v5
}
define i3 @tgt_x46_repaired(i3 %a) {
  %w = call i3 @llvm.ctlz.i3(i3 0, i1 false)
  %v0 = add i3 %a, -1
  %v1 = call i3 @llvm.ctlz.i3(i3 %v0, i1 false)
  %v2 = sub i3 %w, %v1
  ret i3 %v2
}

; Name: x48
; EXPECT llvm: wrong more-poison
; The width less a number has nsw, and the width of i2 is negative
define i2 @src_x48(i2 %a) {
  %m = call i2 @llvm.ctlz.i2(i2 1, i1 false)
  %v0 = call i2 @llvm.ctpop.i2(i2 %a)
  %v1 = icmp ne i2 1, %v0
  %v2 = zext i1 %v1 to i2
  %v3 = call i2 @llvm.ctlz.i2(i2 %a, i1 true)
  %v4 = sub i2 %m, %v3
  %v5 = add i2 %v2, %v4
  ret i2 %v5
}
define i2 @tgt_x48(i2 %a) {
  %w = call i2 @llvm.ctlz.i2(i2 0, i1 false)
  %v0 = add i2 %a, -1
  %v1 = call i2 @llvm.ctlz.i2(i2 %v0, i1 false)
  %v2 = sub nuw nsw i2 %w, %v1
  ret i2 %v2
}

declare i2 @llvm.ctpop.i2(i2)
declare i3 @llvm.ctpop.i3(i3)

; Name: x47
; EXPECT llvm: wrong more-poison
; The leading zeros of 0 are 2, which is negative in i2
define i3 @src_x47(i2 %a) {
  %v0 = icmp ne i2 0, %a
  %v1 = call i2 @llvm.ctlz.i2(i2 %a, i1 true)
  %v2 = zext i2 %v1 to i3
  %v3 = select i1 %v0, i3 %v2, i3 2
  ret i3 %v3
}
define i3 @tgt_x47(i2 %a) {
  %v0 = call i2 @llvm.ctlz.i2(i2 %a, i1 false)
  %v1 = zext nneg i2 %v0 to i3
  ret i3 %v1
}

; Name: x47, repaired
; EXPECT llvm: correct
define i3 @src_x47_repaired(i2 %a) {
  %v0 = icmp ne i2 0, %a
  %v1 = call i2 @llvm.ctlz.i2(i2 %a, i1 true)
  %v2 = zext i2 %v1 to i3
  %v3 = select i1 %v0, i3 %v2, i3 2
  ret i3 %v3
}
define i3 @tgt_x47_repaired(i2 %a) {
  %v0 = call i2 @llvm.ctlz.i2(i2 %a, i1 false)
  %v1 = zext i2 %v0 to i3
  ret i3 %v1
}

; Name: x49
; EXPECT llvm: wrong value
; WIDTHS llvm: wrong for i4-i64; right for i3
; The width is a constant of the amount's type, i2, where 4 is 0. It is written as a count.
define i4 @src_x49(i2 %a, i4 %b) {
  %w = call i4 @llvm.ctlz.i4(i4 0, i1 false)
  %n = trunc i4 %w to i2
  %v0 = sub i2 %n, %a
  %v1 = icmp sgt i4 0, %b
  %v2 = zext i2 %a to i4
  %v3 = shl i4 1, %v2
  %v4 = select i1 %v1, i4 %v3, i4 0
  %v5 = zext i2 %v0 to i4
  %v6 = lshr i4 %b, %v5
  %v7 = sub i4 %v6, %v4
  ret i4 %v7
}
define i4 @tgt_x49(i2 %a, i4 %b) {
  %w = call i4 @llvm.ctlz.i4(i4 0, i1 false)
  %n = trunc i4 %w to i2
  %v0 = sub i2 %n, %a
  %v1 = zext i2 %v0 to i4
  %v2 = ashr i4 %b, %v1
  ret i4 %v2
}

; Name: x49, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i3-i64
define i4 @src_x49_repaired(i2 %a, i4 %b) {
  %w = call i4 @llvm.ctlz.i4(i4 0, i1 false)
  %v0 = zext i2 %a to i4
  %v1 = sub i4 %w, %v0
  %v2 = icmp sgt i4 0, %b
  %v3 = shl i4 1, %v0
  %v4 = select i1 %v2, i4 %v3, i4 0
  %v5 = lshr i4 %b, %v1
  %v6 = sub i4 %v5, %v4
  ret i4 %v6
}
define i4 @tgt_x49_repaired(i2 %a, i4 %b) {
  %w = call i4 @llvm.ctlz.i4(i4 0, i1 false)
  %v0 = zext i2 %a to i4
  %v1 = sub i4 %w, %v0
  %v2 = ashr i4 %b, %v1
  ret i4 %v2
}

; Name: m125817
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i2-i64; right for i1
; The select kept the sum's overflow away. The width and the mask are written as counts.
define i4 @src_m125817(i4 %a) {
  %w = call i4 @llvm.ctlz.i4(i4 0, i1 false)
  %v0 = add nsw i4 %a, 1
  %v1 = icmp ne i4 %a, 7
  %v2 = call i4 @llvm.ctlz.i4(i4 %v0, i1 false)
  %v3 = sub i4 %w, %v2
  %v4 = shl i4 1, %v3
  %v5 = select i1 %v1, i4 %v4, i4 1
  ret i4 %v5
}
define i4 @tgt_m125817(i4 %a) {
  %m = call i4 @llvm.ctlz.i4(i4 1, i1 false)
  %v0 = add nsw i4 %a, 1
  %v1 = call i4 @llvm.ctlz.i4(i4 %v0, i1 false)
  %v2 = sub i4 0, %v1
  %v3 = and i4 %v2, %m
  %v4 = shl i4 1, %v3
  ret i4 %v4
}

; Name: m62221
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i3-i64
; Where the shift leaves nothing, the source divides by 1 and the target shifts by the width
define i4 @src_m62221(i4 %a, i4 %b) {
  %v0 = shl i4 2, %a
  %v1 = call i4 @llvm.umax.i4(i4 %v0, i4 1)
  %v2 = udiv i4 %b, %v1
  ret i4 %v2
}
define i4 @tgt_m62221(i4 %a, i4 %b) {
  %v0 = add i4 %a, 1
  %v1 = lshr i4 %b, %v0
  ret i4 %v1
}

declare i4 @llvm.umax.i4(i4, i4)

; Name: m187472
; EXPECT llvm: wrong value
; WIDTHS llvm: wrong for i3-i64; right for i1-i2
; How often the loop runs is computed by a sum that wraps. The loop starts with the largest
; value, and the step, -3 of i3, is 0 less that, so that every width is decided.
define i4 @src_m187472(i4 %a, i4 %b) {
entry:
  %p = icmp sgt i4 7, 0
  call void @llvm.assume(i1 %p)
  %q = icmp eq i4 %a, 7
  call void @llvm.assume(i1 %q)
  %s = sub i4 0, 7
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v4, %b2 ]
  %v2 = icmp slt i4 %b, %v1
  br i1 %v2, label %b2, label %b3
b2:
  %v4 = add nsw i4 %v1, %s
  br label %b1
b3:
  ret i4 %v1
}
define i4 @tgt_m187472(i4 %a, i4 %b) {
  %v = sub i4 7, 1
  %v0 = add i4 %a, %v
  %v1 = call i4 @llvm.smin.i4(i4 %b, i4 %a)
  %v2 = sub i4 %v0, %v1
  %v3 = udiv i4 %v2, 7
  %v4 = mul nuw i4 %v3, 7
  %v5 = sub i4 %a, %v4
  ret i4 %v5
}

; Name: m187472l
; EXPECT llvm: wrong value
; WIDTHS llvm: wrong for i3-i64; right for i1-i2
; The same of another counter, which counts the runs
define i4 @src_m187472l(i4 %a, i4 %b) {
entry:
  %p = icmp sgt i4 7, 0
  call void @llvm.assume(i1 %p)
  %q = icmp eq i4 %a, 7
  call void @llvm.assume(i1 %q)
  %s = sub i4 0, 7
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v6, %b2 ]
  %v2 = phi i4 [ 0, %entry ], [ %v5, %b2 ]
  %v3 = icmp slt i4 %b, %v1
  br i1 %v3, label %b2, label %b3
b2:
  %v5 = add i4 1, %v2
  %v6 = add nsw i4 %s, %v1
  br label %b1
b3:
  ret i4 %v2
}
define i4 @tgt_m187472l(i4 %a, i4 %b) {
entry:
  %s = sub i4 0, 7
  %v = sub i4 7, 1
  %v0 = add i4 %a, %v
  %v1 = call i4 @llvm.smin.i4(i4 %b, i4 %a)
  %v2 = sub i4 %v0, %v1
  %v3 = udiv i4 %v2, 7
  br label %b1
b1:
  %v4 = phi i4 [ %a, %entry ], [ %v6, %b2 ]
  %v5 = icmp slt i4 %b, %v4
  br i1 %v5, label %b2, label %b3
b2:
  %v6 = add nsw i4 %s, %v4
  br label %b1
b3:
  ret i4 %v3
}

declare i4 @llvm.smin.i4(i4, i4)
declare i4 @llvm.umin.i4(i4, i4)

; Name: m202028
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i2-i64
; The step is not 0, but may be poison, and the loop that does not run does not add it
define i4 @src_m202028(i4 %a, i1 %b) {
entry:
  %v0 = zext i1 %b to i4
  %v1 = add i4 %v0, 1
  br label %b1
b1:
  %v3 = phi i4 [ 0, %entry ], [ %v6, %b2 ]
  %v4 = icmp ult i4 %v3, %a
  br i1 %v4, label %b2, label %b3
b2:
  %v6 = add nuw i4 %v3, %v1
  br label %b1
b3:
  ret i4 %v3
}
define i4 @tgt_m202028(i4 %a, i1 %b) {
  %v0 = zext i1 %b to i4
  %v1 = add i4 %v0, 1
  %v2 = call i4 @llvm.umin.i4(i4 %a, i4 1)
  %v3 = sub i4 %a, %v2
  %v4 = udiv i4 %v3, %v1
  %v5 = add i4 %v2, %v4
  %v6 = mul i4 %v5, %v1
  ret i4 %v6
}

; Name: m202028, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried, to i9.
define i4 @src_m202028_repaired(i4 %a, i1 %b) {
entry:
  %v0 = zext i1 %b to i4
  %v1 = add i4 %v0, 1
  br label %b1
b1:
  %v3 = phi i4 [ 0, %entry ], [ %v6, %b2 ]
  %v4 = icmp ult i4 %v3, %a
  br i1 %v4, label %b2, label %b3
b2:
  %v6 = add nuw i4 %v3, %v1
  br label %b1
b3:
  ret i4 %v3
}
define i4 @tgt_m202028_repaired(i4 %a, i1 %b) {
  %f = freeze i1 %b
  %v0 = zext i1 %f to i4
  %v1 = add i4 %v0, 1
  %v2 = call i4 @llvm.umin.i4(i4 %a, i4 1)
  %v3 = sub i4 %a, %v2
  %v4 = udiv i4 %v3, %v1
  %v5 = add i4 %v2, %v4
  %v6 = mul i4 %v5, %v1
  ret i4 %v6
}

; Name: x53
; EXPECT llvm: wrong value
; WIDTHS llvm: wrong for i2-i64
; What is shifted keeps no value where a comparison of its sign holds, as it always does. The
; amount, the width less one, is written as a count.
define i4 @src_x53(i4 %a, i4 %b) {
entry:
  %m = call i4 @llvm.ctlz.i4(i4 1, i1 false)
  %v0 = ashr i4 %a, %m
  %v1 = icmp sgt i4 %v0, -2
  br i1 %v1, label %b1, label %b2
b1:
  call void @use()
  br label %b2
b2:
  %v5 = add i4 %a, 0
  %v6 = icmp eq i4 %v5, 0
  br i1 %v6, label %b3, label %b4
b3:
  ret i4 0
b4:
  ret i4 %b
}
define i4 @tgt_x53(i4 %a, i4 %b) {
entry:
  %m = call i4 @llvm.ctlz.i4(i4 1, i1 false)
  %v0 = ashr i4 %a, %m
  %v1 = icmp sgt i4 %v0, -2
  br i1 %v1, label %thread, label %b2
thread:
  call void @use()
  br label %b3
b2:
  %v5 = add i4 %a, 0
  %v6 = icmp eq i4 %v5, 0
  br i1 %v6, label %b3, label %b4
b3:
  ret i4 0
b4:
  ret i4 %b
}

; Name: x54
; EXPECT llvm: wrong value
; WIDTHS llvm: wrong for i2-i64; right for i1
; On the edge to the phi the sum overflows, and what is frozen is not the smallest value
define i4 @src_x54(i4 %a) {
entry:
  %v0 = add nsw i4 %a, 1
  %v1 = freeze i4 %v0
  %v2 = icmp eq i4 %a, 7
  br i1 %v2, label %b2, label %b1
b1:
  br label %b2
b2:
  %v5 = phi i4 [ -8, %entry ], [ %v1, %b1 ]
  ret i4 %v5
}
define i4 @tgt_x54(i4 %a) {
entry:
  %v0 = add nsw i4 %a, 1
  %v1 = freeze i4 %v0
  %v2 = icmp eq i4 %a, 7
  br i1 %v2, label %b2, label %b1
b1:
  br label %b2
b2:
  ret i4 %v1
}

; Name: x54, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define i4 @src_x54_repaired(i4 %a) {
entry:
  %v0 = add nsw i4 %a, 1
  %v1 = freeze i4 %v0
  %v2 = icmp eq i4 %a, 7
  br i1 %v2, label %b2, label %b1
b1:
  br label %b2
b2:
  %v5 = phi i4 [ -8, %entry ], [ %v1, %b1 ]
  ret i4 %v5
}
define i4 @tgt_x54_repaired(i4 %a) {
entry:
  %v0 = add i4 %a, 1
  %v1 = freeze i4 %v0
  %v2 = icmp eq i4 %a, 7
  br i1 %v2, label %b2, label %b1
b1:
  br label %b2
b2:
  ret i4 %v1
}

; Name: x59
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
; What stands for the sum behind the phi is the sum before it, which has nsw
define i4 @src_x59(i4 %a, i1 %b, i1 %c) {
entry:
  %v0 = add nsw i4 1, %a
  br i1 %b, label %b1, label %b2
b1:
  br label %b2
b2:
  %v3 = phi i4 [ 0, %entry ], [ %a, %b1 ]
  %v4 = add i4 1, %v3
  %v5 = select i1 %c, i4 %v4, i4 %v0
  ret i4 %v5
}
define i4 @tgt_x59(i4 %a, i1 %b, i1 %c) {
entry:
  %v0 = add nsw i4 1, %a
  br i1 %b, label %b1, label %b2
b1:
  br label %b2
b2:
  %v3 = phi i4 [ 1, %entry ], [ %v0, %b1 ]
  %v5 = select i1 %c, i4 %v3, i4 %v0
  ret i4 %v5
}

; Name: x59, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define i4 @src_x59_repaired(i4 %a, i1 %b, i1 %c) {
entry:
  %v0 = add nsw i4 1, %a
  br i1 %b, label %b1, label %b2
b1:
  br label %b2
b2:
  %v3 = phi i4 [ 0, %entry ], [ %a, %b1 ]
  %v4 = add i4 1, %v3
  %v5 = select i1 %c, i4 %v4, i4 %v0
  ret i4 %v5
}
define i4 @tgt_x59_repaired(i4 %a, i1 %b, i1 %c) {
entry:
  %v0 = add i4 1, %a
  br i1 %b, label %b1, label %b2
b1:
  br label %b2
b2:
  %v3 = phi i4 [ 1, %entry ], [ %v0, %b1 ]
  %v5 = select i1 %c, i4 %v3, i4 %v0
  ret i4 %v5
}

; Name: x60
; EXPECT llvm: wrong value
; WIDTHS llvm: wrong for i1-i64
; Two freezes of poison are two values, and one less what is in the other is not 0
define i4 @src_x60(i4 %a) {
  %v0 = freeze i4 %a
  %v1 = xor i4 -1, %v0
  %v2 = freeze i4 %a
  %v3 = and i4 %v1, %v2
  call void @use.value(i4 %v2)
  call void @use.value(i4 %v0)
  ret i4 %v3
}
define i4 @tgt_x60(i4 %a) {
  %v0 = freeze i4 %a
  %v2 = freeze i4 %a
  call void @use.value(i4 %v2)
  call void @use.value(i4 %v0)
  ret i4 0
}

; Name: x60, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define i4 @src_x60_repaired(i4 %a) {
  %v0 = freeze i4 %a
  %v1 = xor i4 -1, %v0
  %v2 = freeze i4 %a
  %v3 = and i4 %v1, %v2
  call void @use.value(i4 %v2)
  call void @use.value(i4 %v0)
  ret i4 %v3
}
define i4 @tgt_x60_repaired(i4 %a) {
  %v0 = freeze i4 %a
  call void @use.value(i4 %v0)
  call void @use.value(i4 %v0)
  ret i4 0
}

; Name: x61
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i2-i64
; The shift by -1 is poison, not a product with 0, and the sum with it is the basis
define i4 @src_x61(i4 %a, i4 %b) {
  %v0 = shl i4 %a, -1
  %v1 = add i4 %b, %v0
  call void @use.value(i4 %v1)
  %v3 = mul i4 %a, -2
  %v4 = add i4 %b, %v3
  ret i4 %v4
}
define i4 @tgt_x61(i4 %a, i4 %b) {
  %v0 = shl i4 %a, -1
  %v1 = add i4 %b, %v0
  call void @use.value(i4 %v1)
  %v3 = shl i4 %a, 1
  %v4 = sub i4 %v1, %v3
  ret i4 %v4
}

; Name: x63
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i3-i64
; That undef is at least 0 says nothing of its sign
define i4 @src_x63(i2 %a, i1 %b, i2 %c, i4 %d) {
entry:
  %v0 = lshr i2 %a, 1
  %v1 = select i1 %b, i2 undef, i2 %v0
  %v2 = icmp uge i2 %v1, %c
  br i1 %v2, label %b1, label %b2
b1:
  %v4 = sext i2 %v1 to i4
  ret i4 %v4
b2:
  ret i4 %d
}
define i4 @tgt_x63(i2 %a, i1 %b, i2 %c, i4 %d) {
entry:
  %v0 = lshr i2 %a, 1
  %v1 = select i1 %b, i2 undef, i2 %v0
  %v2 = icmp uge i2 %v1, %c
  br i1 %v2, label %b1, label %b2
b1:
  %v4 = zext nneg i2 %v1 to i4
  ret i4 %v4
b2:
  ret i4 %d
}

; Name: x64
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i1-i64
; The least number has no absolute value, and where the branch is not taken nobody asks for one
define void @src_x64(i1 %a, i4 %b) {
entry:
  br i1 %a, label %b1, label %b2
b1:
  %v1 = call noundef i4 @llvm.abs.i4(i4 %b, i1 true)
  br label %b2
b2:
  ret void
}
define void @tgt_x64(i1 %a, i4 %b) {
entry:
  %v0 = call noundef i4 @llvm.abs.i4(i4 %b, i1 true)
  br i1 %a, label %b1, label %b2
b1:
  br label %b2
b2:
  ret void
}

; Name: x64, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define void @src_x64_repaired(i1 %a, i4 %b) {
entry:
  br i1 %a, label %b1, label %b2
b1:
  %v1 = call noundef i4 @llvm.abs.i4(i4 %b, i1 true)
  br label %b2
b2:
  ret void
}
define void @tgt_x64_repaired(i1 %a, i4 %b) {
entry:
  %v0 = call i4 @llvm.abs.i4(i4 %b, i1 true)
  br i1 %a, label %b1, label %b2
b1:
  br label %b2
b2:
  ret void
}

; Name: x65
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
; What is poison is the sum of the iteration before, and the condition is one of this iteration
define i1 @src_x65(i4 %a, i4 %b, i4 %c, i4 %d, i4 %e) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %b, %b1 ]
  %v2 = phi i4 [ 0, %entry ], [ %v3, %b1 ]
  %v3 = add nsw i4 %c, %v1
  %v4 = icmp eq i4 %d, %v1
  br i1 %v4, label %b1, label %b2
b2:
  %v6 = icmp eq i4 %e, %v3
  %v7 = icmp eq i4 0, %v2
  %v8 = select i1 %v6, i1 %v7, i1 false
  ret i1 %v8
}
define i1 @tgt_x65(i4 %a, i4 %b, i4 %c, i4 %d, i4 %e) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %b, %b1 ]
  %v2 = phi i4 [ 0, %entry ], [ %v3, %b1 ]
  %v3 = add nsw i4 %c, %v1
  %v4 = icmp eq i4 %d, %v1
  br i1 %v4, label %b1, label %b2
b2:
  %v6 = icmp eq i4 %e, %v3
  %v7 = icmp eq i4 %v2, 0
  %v8 = and i1 %v6, %v7
  ret i1 %v8
}

; Name: x65, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried, to i3.
define i1 @src_x65_repaired(i4 %a, i4 %b, i4 %c, i4 %d, i4 %e) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %b, %b1 ]
  %v2 = phi i4 [ 0, %entry ], [ %v3, %b1 ]
  %v3 = add nsw i4 %c, %v1
  %v4 = icmp eq i4 %d, %v1
  br i1 %v4, label %b1, label %b2
b2:
  %v6 = icmp eq i4 %e, %v3
  %v7 = icmp eq i4 0, %v2
  %v8 = select i1 %v6, i1 %v7, i1 false
  ret i1 %v8
}
define i1 @tgt_x65_repaired(i4 %a, i4 %b, i4 %c, i4 %d, i4 %e) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %b, %b1 ]
  %v2 = phi i4 [ 0, %entry ], [ %v3, %b1 ]
  %v3 = add i4 %c, %v1
  %v4 = icmp eq i4 %d, %v1
  br i1 %v4, label %b1, label %b2
b2:
  %v6 = icmp eq i4 %e, %v3
  %v7 = icmp eq i4 %v2, 0
  %v8 = and i1 %v6, %v7
  ret i1 %v8
}

; Name: x66
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i2-i64; right for i1
; Where the factor that is taken out is 0, no product of it wraps, and what is left of it may
define i4 @src_x66(i4 %a, i4 %b, i4 %c, i4 %d) {
  %v0 = mul i4 %a, %b
  %v1 = shl i4 %a, 1
  %v2 = mul i4 %c, %v1
  %v3 = mul nuw i4 %d, %v2
  %v4 = add i4 %v0, %v3
  ret i4 %v4
}
define i4 @tgt_x66(i4 %a, i4 %b, i4 %c, i4 %d) {
  %v0 = shl i4 %c, 1
  %v1 = mul nuw i4 %v0, %d
  %v2 = add i4 %v1, %b
  %v3 = mul i4 %v2, %a
  ret i4 %v3
}

; Name: x66, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define i4 @src_x66_repaired(i4 %a, i4 %b, i4 %c, i4 %d) {
  %v0 = mul i4 %a, %b
  %v1 = shl i4 %a, 1
  %v2 = mul i4 %c, %v1
  %v3 = mul nuw i4 %d, %v2
  %v4 = add i4 %v0, %v3
  ret i4 %v4
}
define i4 @tgt_x66_repaired(i4 %a, i4 %b, i4 %c, i4 %d) {
  %v0 = shl i4 %c, 1
  %v1 = mul i4 %v0, %d
  %v2 = add i4 %v1, %b
  %v3 = mul i4 %v2, %a
  ret i4 %v3
}

; Name: x72
; EXPECT llvm: wrong calls
; WIDTHS llvm: wrong for i1-i64
; What overflows is the counter from 0, and the one from %a is computed from it
define void @src_x72(i4 %a, i4 noundef %C) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v6, %b1 ]
  %v2 = phi i4 [ 0, %entry ], [ %v5, %b1 ]
  call void @use.value(i4 %v2)
  call void @use.value(i4 %v1)
  %v5 = add nuw i4 %v2, %C
  %v6 = add i4 %v1, %C
  br label %b1
}
define void @tgt_x72(i4 %a, i4 noundef %C) {
entry:
  br label %b1
b1:
  %v2 = phi i4 [ 0, %entry ], [ %v5, %b1 ]
  %v3 = add i4 %a, %v2
  call void @use.value(i4 %v2)
  call void @use.value(i4 %v3)
  %v5 = add nuw i4 %v2, %C
  br label %b1
}

; Name: x72, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried, to i5.
define void @src_x72_repaired(i4 %a, i4 noundef %C) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v6, %b1 ]
  %v2 = phi i4 [ 0, %entry ], [ %v5, %b1 ]
  call void @use.value(i4 %v2)
  call void @use.value(i4 %v1)
  %v5 = add nuw i4 %v2, %C
  %v6 = add i4 %v1, %C
  br label %b1
}
define void @tgt_x72_repaired(i4 %a, i4 noundef %C) {
entry:
  br label %b1
b1:
  %v2 = phi i4 [ 0, %entry ], [ %v5, %b1 ]
  %v3 = add i4 %a, %v2
  call void @use.value(i4 %v2)
  call void @use.value(i4 %v3)
  %v5 = add i4 %v2, %C
  br label %b1
}

; Name: m175729
; EXPECT llvm: wrong diverges
; WIDTHS llvm: wrong for i1-i64
; The sum with nuw is poison in the end, and nobody uses it
define void @src_m175729() {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ -1, %entry ], [ %v5, %b1 ]
  %v2 = phi i4 [ -1, %entry ], [ %v3, %b1 ]
  %v3 = add nuw i4 %v2, 1
  %v5 = add i4 %v1, 1
  %v6 = icmp eq i4 %v1, 0
  br i1 %v6, label %b2, label %b1
b2:
  ret void
}
define void @tgt_m175729() {
entry:
  br label %b1
b1:
  br label %b1
}

; Name: m175729, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define void @src_m175729_repaired() {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ -1, %entry ], [ %v5, %b1 ]
  %v2 = phi i4 [ -1, %entry ], [ %v3, %b1 ]
  %v3 = add nuw i4 %v2, 1
  %v5 = add i4 %v1, 1
  %v6 = icmp eq i4 %v1, 0
  br i1 %v6, label %b2, label %b1
b2:
  ret void
}
define void @tgt_m175729_repaired() {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ -1, %entry ], [ %v5, %b1 ]
  %v5 = add i4 %v1, 1
  %v6 = icmp eq i4 %v1, 0
  br i1 %v6, label %b2, label %b1
b2:
  ret void
}

; Name: x73
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i1-i64
; From -1 to 0 the sum wraps, and where the loop ends at once nobody asks
define void @src_x73(i4 %a, i4 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ -1, %entry ], [ %v5, %b1 ]
  %v2 = phi i4 [ %a, %entry ], [ %v4, %b1 ]
  call void @use.value(i4 %v1)
  %v4 = add i4 1, %v2
  %v5 = add nuw i4 1, %v1
  %v6 = icmp ugt i4 %b, %v2
  br i1 %v6, label %b1, label %b2
b2:
  ret void
}
define void @tgt_x73(i4 %a, i4 %b) {
entry:
  %v0 = call i4 @llvm.umax.i4(i4 %b, i4 %a)
  %v1 = sub i4 %v0, %a
  br label %b1
b1:
  %v3 = phi i4 [ -1, %entry ], [ %v5, %b1 ]
  call void @use.value(i4 %v3)
  %v5 = add nuw nsw i4 1, %v3
  %v6 = icmp ne i4 %v5, %v1
  br i1 %v6, label %b1, label %b2
b2:
  ret void
}

; Name: x73, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried, to i6.
define void @src_x73_repaired(i4 %a, i4 %b) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ -1, %entry ], [ %v5, %b1 ]
  %v2 = phi i4 [ %a, %entry ], [ %v4, %b1 ]
  call void @use.value(i4 %v1)
  %v4 = add i4 1, %v2
  %v5 = add nuw i4 1, %v1
  %v6 = icmp ugt i4 %b, %v2
  br i1 %v6, label %b1, label %b2
b2:
  ret void
}
define void @tgt_x73_repaired(i4 %a, i4 %b) {
entry:
  %v0 = call i4 @llvm.umax.i4(i4 %b, i4 %a)
  %v1 = sub i4 %v0, %a
  br label %b1
b1:
  %v3 = phi i4 [ -1, %entry ], [ %v5, %b1 ]
  call void @use.value(i4 %v3)
  %v5 = add i4 1, %v3
  %v6 = icmp ne i4 %v5, %v1
  br i1 %v6, label %b1, label %b2
b2:
  ret void
}

; Name: x74
; EXPECT llvm: wrong calls
; WIDTHS llvm: wrong for i2-i64; right for i1
; The sum with nuw overflows, and a call that may not return comes before it
define void @src_x74(i4 %a) {
entry:
  %least = shl i4 -1, 1
  br label %b1
b1:
  %v1 = phi i4 [ %least, %entry ], [ %v5, %b2 ]
  %v2 = icmp ugt i4 %a, %v1
  br i1 %v2, label %b2, label %b3
b2:
  call void @use()
  %step = shl i4 1, 1
  %v5 = add nuw i4 %step, %v1
  br label %b1
b3:
  ret void
}
define void @tgt_x74(i4 %a) {
  ret void
}

; Name: x74, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried, to i18.
define void @src_x74_repaired(i4 %a) {
entry:
  %least = shl i4 -1, 1
  br label %b1
b1:
  %v1 = phi i4 [ %least, %entry ], [ %v5, %b2 ]
  %v2 = icmp ugt i4 %a, %v1
  br i1 %v2, label %b2, label %b3
b2:
  call void @use()
  %step = shl i4 1, 1
  %v5 = add nuw i4 %step, %v1
  br label %b1
b3:
  ret void
}
define void @tgt_x74_repaired(i4 %a) {
entry:
  %v0 = icmp eq i4 %a, -1
  br i1 %v0, label %b1, label %b2
b1:
  call void @use()
  br label %b1
b2:
  ret void
}

; Name: x75
; EXPECT llvm: wrong more-ub
; A count of 2 is the least number of i2; the width is written as the bits of -1
define i4 @src_x75(i4 %a) {
entry:
  %v0 = icmp eq i4 %a, 0
  br i1 %v0, label %b2, label %b1
b1:
  %v2 = phi i4 [ %a, %entry ], [ %v5, %b1 ]
  %v3 = phi i4 [ 0, %entry ], [ %v4, %b1 ]
  %v4 = add i4 %v3, 1
  %v5 = lshr i4 %v2, 1
  %v6 = icmp eq i4 %v5, 0
  br i1 %v6, label %b2, label %b1
b2:
  %v8 = phi i4 [ 0, %entry ], [ %v4, %b1 ]
  ret i4 %v8
}
define i4 @tgt_x75(i4 %a) {
entry:
  %v0 = icmp eq i4 %a, 0
  br i1 %v0, label %b3, label %b1
b1:
  %width = call i4 @llvm.ctpop.i4(i4 -1)
  %v2 = call i4 @llvm.ctlz.i4(i4 %a, i1 true)
  %v3 = sub i4 %width, %v2
  br label %b2
b2:
  %v4 = phi i4 [ %v3, %b1 ], [ %v5, %b2 ]
  %v5 = sub nsw i4 %v4, 1
  %v6 = icmp eq i4 %v5, 0
  br i1 %v6, label %b3, label %b2
b3:
  %v8 = phi i4 [ 0, %entry ], [ %v3, %b2 ]
  ret i4 %v8
}

; Name: x75, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried, to i17.
define i4 @src_x75_repaired(i4 %a) {
entry:
  %v0 = icmp eq i4 %a, 0
  br i1 %v0, label %b2, label %b1
b1:
  %v2 = phi i4 [ %a, %entry ], [ %v5, %b1 ]
  %v3 = phi i4 [ 0, %entry ], [ %v4, %b1 ]
  %v4 = add i4 %v3, 1
  %v5 = lshr i4 %v2, 1
  %v6 = icmp eq i4 %v5, 0
  br i1 %v6, label %b2, label %b1
b2:
  %v8 = phi i4 [ 0, %entry ], [ %v4, %b1 ]
  ret i4 %v8
}
define i4 @tgt_x75_repaired(i4 %a) {
entry:
  %v0 = icmp eq i4 %a, 0
  br i1 %v0, label %b3, label %b1
b1:
  %width = call i4 @llvm.ctpop.i4(i4 -1)
  %v2 = call i4 @llvm.ctlz.i4(i4 %a, i1 true)
  %v3 = sub i4 %width, %v2
  br label %b2
b2:
  %v4 = phi i4 [ %v3, %b1 ], [ %v5, %b2 ]
  %v5 = sub i4 %v4, 1
  %v6 = icmp eq i4 %v5, 0
  br i1 %v6, label %b3, label %b2
b3:
  %v8 = phi i4 [ 0, %entry ], [ %v3, %b2 ]
  ret i4 %v8
}

; Name: x76
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i1-i64
; A select may have a poison condition, a branch may not; the part that was hoisted is frozen, and the rest is not
define void @src_x76(i4 %a, i4 %b, i1 %c, i4 %d, i4 %e) {
entry:
  br label %b1
b1:
  %v1 = icmp eq i4 %a, %b
  %v2 = or i1 %c, %v1
  %v3 = select i1 %v2, i4 %d, i4 %e
  br label %b1
}
define void @tgt_x76(i4 %a, i4 %b, i1 %c, i4 %d, i4 %e) {
entry:
  %v0 = freeze i1 %c
  br i1 %v0, label %b1, label %b2
b1:
  br label %b1
b2:
  %v4 = icmp eq i4 %a, %b
  br i1 %v4, label %b3, label %b4
b3:
  br label %b4
b4:
  %v7 = phi i4 [ %e, %b2 ], [ %d, %b3 ]
  br label %b2
}

; Name: x76, repaired
; EXPECT llvm: undecided
; Right as far as all runs can be tried, to i3.
define void @src_x76_repaired(i4 %a, i4 %b, i1 %c, i4 %d, i4 %e) {
entry:
  br label %b1
b1:
  %v1 = icmp eq i4 %a, %b
  %v2 = or i1 %c, %v1
  %v3 = select i1 %v2, i4 %d, i4 %e
  br label %b1
}
define void @tgt_x76_repaired(i4 %a, i4 %b, i1 %c, i4 %d, i4 %e) {
entry:
  %v0 = freeze i1 %c
  br i1 %v0, label %b1, label %b2
b1:
  br label %b1
b2:
  %v4 = icmp eq i4 %a, %b
  %v5 = freeze i1 %v4
  br i1 %v5, label %b3, label %b4
b3:
  br label %b4
b4:
  %v8 = phi i4 [ %e, %b2 ], [ %d, %b3 ]
  br label %b2
}

; Name: m115651
; EXPECT llvm: wrong more-undef
; WIDTHS llvm: wrong for i2-i64; right for i1
; undef is any number, and the minimum of it is 0 or 1
define i4 @src_m115651(i4 %a, i1 %b) {
  %v0 = and i4 %a, 1
  %v1 = select i1 %b, i4 undef, i4 %v0
  %v2 = call i4 @llvm.umin.i4(i4 1, i4 %v1)
  ret i4 %v2
}
define i4 @tgt_m115651(i4 %a, i1 %b) {
  %v0 = and i4 %a, 1
  %v1 = select i1 %b, i4 undef, i4 %v0
  ret i4 %v1
}

; Name: m173787
; EXPECT llvm: wrong value
; The mask with the width less one is no remainder by the width where that is no power of two
define i3 @src_m173787(i3 %a) {
  %w = call i3 @llvm.ctlz.i3(i3 0, i1 false)
  %v0 = icmp ne i3 %a, -1
  %v1 = call i3 @llvm.ctlz.i3(i3 %a, i1 false)
  %v2 = sub i3 %w, %v1
  %v3 = shl i3 1, %v2
  %v4 = select i1 %v0, i3 %v3, i3 1
  ret i3 %v4
}
define i3 @tgt_m173787(i3 %a) {
  %m = call i3 @llvm.ctlz.i3(i3 1, i1 false)
  %v0 = call i3 @llvm.ctlz.i3(i3 %a, i1 false)
  %v1 = sub i3 0, %v0
  %v2 = and i3 %v1, %m
  %v3 = shl i3 1, %v2
  ret i3 %v3
}

; Name: m173787, repaired
; EXPECT llvm: correct
define i3 @src_m173787_repaired(i3 %a) {
  %w = call i3 @llvm.ctlz.i3(i3 0, i1 false)
  %v0 = icmp ne i3 %a, -1
  %v1 = call i3 @llvm.ctlz.i3(i3 %a, i1 false)
  %v2 = sub i3 %w, %v1
  %v3 = shl i3 1, %v2
  %v4 = select i1 %v0, i3 %v3, i3 1
  ret i3 %v4
}
define i3 @tgt_m173787_repaired(i3 %a) {
  %w = call i3 @llvm.ctlz.i3(i3 0, i1 false)
  %v0 = call i3 @llvm.ctlz.i3(i3 %a, i1 false)
  %v1 = sub i3 %w, %v0
  %v2 = urem i3 %v1, %w
  %v3 = shl i3 1, %v2
  ret i3 %v3
}

; Name: m169614
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i3-i64
; Where the sum wraps it is poison, and what is computed from it did not depend on it
define i4 @src_m169614(i4 %a, i4 %b) {
  %v0 = add nuw i4 %a, %b
  %v1 = mul i4 %b, 3
  %v2 = add i4 %a, %v1
  ret i4 %v2
}
define i4 @tgt_m169614(i4 %a, i4 %b) {
  %v0 = add nuw i4 %a, %b
  %v1 = shl i4 %b, 1
  %v2 = add i4 %v0, %v1
  ret i4 %v2
}

; Name: m169614, repaired
; EXPECT llvm: correct
define i4 @src_m169614_repaired(i4 %a, i4 %b) {
  %v0 = add nuw i4 %a, %b
  %v1 = mul i4 %b, 3
  %v2 = add i4 %a, %v1
  ret i4 %v2
}
define i4 @tgt_m169614_repaired(i4 %a, i4 %b) {
  %v0 = add i4 %a, %b
  %v1 = shl i4 %b, 1
  %v2 = add i4 %v0, %v1
  ret i4 %v2
}

; Name: m200583s
; EXPECT llvm: wrong value
define i3 @src_m200583s(i3 %a) {
  %v0 = sub i3 0, %a
  %v1 = and i3 %a, %v0
  %v2 = icmp eq i3 %a, 0
  %v3 = call i3 @llvm.ctlz.i3(i3 %v1, i1 false)
  %v4 = xor i3 %v3, 2
  %v5 = select i1 %v2, i3 %v3, i3 %v4
  ret i3 %v5
}
define i3 @tgt_m200583s(i3 %a) {
  %v0 = call i3 @llvm.cttz.i3(i3 %a, i1 false)
  ret i3 %v0
}

; Name: x84
; EXPECT llvm: wrong more-poison
; WIDTHS llvm: wrong for i1-i64
; Where the amount is 0 the value is undef, which poison is no choice of
define i4 @src_x84(i1 %b) {
  %v0 = select i1 %b, i4 0, i4 undef
  %v1 = shl i4 undef, %v0
  ret i4 %v1
}
define i4 @tgt_x84(i1 %b) {
  ret i4 poison
}

; Name: x84, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define i4 @src_x84_repaired(i1 %b) {
  %v0 = select i1 %b, i4 0, i4 undef
  %v1 = shl i4 undef, %v0
  ret i4 %v1
}
define i4 @tgt_x84_repaired(i1 %b) {
  ret i4 undef
}

; Name: x85
; EXPECT llvm: wrong more-ub
; WIDTHS llvm: wrong for i1-i64
; The phi that stays is poison where its sum wrapped, and nobody used it
define void @src_x85(i4 %a) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v4, %b1 ]
  %v2 = phi i4 [ %a, %entry ], [ %v3, %b1 ]
  call void @use.value(i4 %v2)
  %v3 = add i4 1, %v2
  %v4 = add nuw i4 1, %v1
  %v5 = icmp eq i4 %v2, %a
  br i1 %v5, label %b1, label %b2
b2:
  ret void
}
define void @tgt_x85(i4 %a) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v4, %b1 ]
  call void @use.value(i4 %v1)
  %v4 = add nuw i4 1, %v1
  %v5 = icmp eq i4 %v1, %a
  br i1 %v5, label %b1, label %b2
b2:
  ret void
}

; Name: x85, repaired
; EXPECT llvm: correct
; WIDTHS llvm: right for i1-i64
define void @src_x85_repaired(i4 %a) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v4, %b1 ]
  %v2 = phi i4 [ %a, %entry ], [ %v3, %b1 ]
  call void @use.value(i4 %v2)
  %v3 = add i4 1, %v2
  %v4 = add nuw i4 1, %v1
  %v5 = icmp eq i4 %v2, %a
  br i1 %v5, label %b1, label %b2
b2:
  ret void
}
define void @tgt_x85_repaired(i4 %a) {
entry:
  br label %b1
b1:
  %v1 = phi i4 [ %a, %entry ], [ %v4, %b1 ]
  call void @use.value(i4 %v1)
  %v4 = add i4 1, %v1
  %v5 = icmp eq i4 %v1, %a
  br i1 %v5, label %b1, label %b2
b2:
  ret void
}
