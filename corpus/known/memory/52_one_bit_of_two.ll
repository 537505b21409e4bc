; One bit of a byte or the next one: not 0 where both are 1
; EXPECT llvm: value
define i1 @src(ptr %p) {
  %c = freeze i1 poison
  %v = load i8, ptr %p, align 1
  %t = trunc i8 %v to i1
  %h = lshr i8 %v, 1
  %f = trunc i8 %h to i1
  %r = select i1 %c, i1 %t, i1 %f
  ret i1 %r
}

define i1 @tgt(ptr %p) {
  ret i1 false
}
