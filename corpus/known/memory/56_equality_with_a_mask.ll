; A byte never equals 4 or 5
; EXPECT llvm: value
define i1 @src(ptr %p) {
  %p1 = getelementptr i8, ptr %p, i64 1
  %x = load i8, ptr %p, align 1
  %y = load i8, ptr %p1, align 1
  %m = and i8 %y, 1
  %n = or i8 %m, 4
  %c = icmp eq i8 %x, %n
  ret i1 %c
}

define i1 @tgt(ptr %p) {
  ret i1 false
}
