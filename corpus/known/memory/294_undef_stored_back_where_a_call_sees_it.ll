; What was never written and is stored back may be any number as before
; EXPECT llvm: refines
declare void @g(ptr)
define void @src(i1 %c) {
entry:
  %a = alloca i8
  %x = load i8, ptr %a
  store i8 %x, ptr %a
  br label %loop
loop:
  call void @g(ptr %a)
  br i1 %c, label %loop, label %end
end:
  ret void
}
define void @tgt(i1 %c) {
entry:
  %a = alloca i8
  br label %loop
loop:
  call void @g(ptr %a)
  br i1 %c, label %loop, label %end
end:
  ret void
}
