; One of two bytes may be poison, then both
; Only where both bytes are poison.
; EXPECT llvm: more-poison
define void @src(ptr %p, ptr %q) {
  %p1 = getelementptr i8, ptr %p, i64 1
  %q1 = getelementptr i8, ptr %q, i64 1
  %x = load i8, ptr %p, align 1
  %y = load i8, ptr %p1, align 1
  %m = and i8 %x, 0
  %n = and i8 %y, 0
  %c = freeze i1 poison
  br i1 %c, label %then, label %else
then:
  store i8 %m, ptr %q, align 1
  store i8 0, ptr %q1, align 1
  ret void
else:
  store i8 0, ptr %q, align 1
  store i8 %n, ptr %q1, align 1
  ret void
}

define void @tgt(ptr %p, ptr %q) {
  %p1 = getelementptr i8, ptr %p, i64 1
  %q1 = getelementptr i8, ptr %q, i64 1
  %x = load i8, ptr %p, align 1
  %y = load i8, ptr %p1, align 1
  %m = and i8 %x, 0
  %n = and i8 %y, 0
  store i8 %m, ptr %q, align 1
  store i8 %n, ptr %q1, align 1
  ret void
}
