; A load of an unwritten byte moves into the loop that uses it
; EXPECT llvm: refines
; EXPECT uninit-poison: refines
; EXPECT uninit-nondet: calls
declare void @use(i8)

define void @src() {
  %a = alloca i8, align 1
  %v = load i8, ptr %a, align 1
  br label %loop
loop:
  %again = phi i1 [ true, %0 ], [ false, %loop ]
  call void @use(i8 %v)
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

define void @tgt() {
  %a = alloca i8, align 1
  br label %loop
loop:
  %again = phi i1 [ true, %0 ], [ false, %loop ]
  %v = load i8, ptr %a, align 1
  call void @use(i8 %v)
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
