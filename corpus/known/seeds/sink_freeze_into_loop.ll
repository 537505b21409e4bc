; sink freeze into a loop (Taming UB 5.5)
; Stated by the source: llvm, taming.
; The other verdicts are what the engines agree on.
; EXPECT llvm: calls
; EXPECT llvm-undef: calls
; EXPECT defined-inputs: refines
; EXPECT taming: calls
; EXPECT branch-nondet: calls
; EXPECT branch-nondet-undef: calls
; EXPECT select-ub: calls
; EXPECT select-either: calls
; EXPECT overflow-undef: calls
; EXPECT overflow-wrap: calls
; EXPECT shift-undef: calls
; EXPECT bitwise: calls
declare void @use(i2)

define void @src(i2 %y) {
  %x = freeze i2 %y
  br label %head
head:
  %again = phi i1 [ true, %0 ], [ false, %head ]
  call void @use(i2 %x)
  br i1 %again, label %head, label %exit
exit:
  ret void
}

define void @tgt(i2 %y) {
  br label %head
head:
  %again = phi i1 [ true, %0 ], [ false, %head ]
  %x = freeze i2 %y
  call void @use(i2 %x)
  br i1 %again, label %head, label %exit
exit:
  ret void
}
