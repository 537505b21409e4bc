; The choice that shows it is the third of four, of a second freeze
; EXPECT llvm: more-poison
define i2 @src() {
  %f = freeze i2 poison
  %a = add i2 %f, 1
  %g = freeze i2 poison
  %c = icmp eq i2 %g, 2
  br i1 %c, label %a1, label %b1
a1:
  ret i2 %a
b1:
  ret i2 0
}
define i2 @tgt() {
  %f = freeze i2 poison
  %a = add i2 %f, 1
  %g = freeze i2 poison
  %c = icmp eq i2 %g, 2
  br i1 %c, label %a1, label %b1
a1:
  ret i2 poison
b1:
  ret i2 0
}
