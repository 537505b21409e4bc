; the same, rounded down
; EXPECT llvm: value
define i3 @src(i3 %n) {
  br label %head
head:
  %i = phi i3 [ 0, %0 ], [ %next, %join ]
  %sum = phi i3 [ 0, %0 ], [ %chosen, %join ]
  %odd = trunc i3 %i to i1
  br i1 %odd, label %add, label %skip
add:
  %more = add i3 %sum, 1
  br label %join
skip:
  br label %join
join:
  %chosen = phi i3 [ %more, %add ], [ %sum, %skip ]
  %next = add i3 %i, 1
  %last = icmp eq i3 %i, %n
  br i1 %last, label %exit, label %head
exit:
  ret i3 %chosen
}

define i3 @tgt(i3 %n) {
  %half = lshr i3 %n, 1
  ret i3 %half
}
