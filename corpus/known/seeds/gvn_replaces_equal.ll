; t = x + 1; if (t == y) { w = x + 1; f(w) } -> f(y) (Taming UB 3.3)
; Stated by the source: llvm, taming, branch-nondet.
; The other verdicts are what the engines agree on.
; EXPECT llvm: refines
; EXPECT llvm-undef: refines
; EXPECT defined-inputs: refines
; EXPECT taming: refines
; EXPECT branch-nondet: calls
; EXPECT branch-nondet-undef: calls
; EXPECT select-ub: refines
; EXPECT select-either: refines
; EXPECT overflow-undef: refines
; EXPECT overflow-wrap: refines
; EXPECT shift-undef: refines
; EXPECT bitwise: refines
declare void @f(i2)

define void @src(i2 %x, i2 %y) {
  %t = add i2 %x, 1
  %c = icmp eq i2 %t, %y
  br i1 %c, label %then, label %exit
then:
  %w = add i2 %x, 1
  call void @f(i2 %w)
  br label %exit
exit:
  ret void
}

define void @tgt(i2 %x, i2 %y) {
  %t = add i2 %x, 1
  %c = icmp eq i2 %t, %y
  br i1 %c, label %then, label %exit
then:
  %w = add i2 %x, 1
  call void @f(i2 %y)
  br label %exit
exit:
  ret void
}
