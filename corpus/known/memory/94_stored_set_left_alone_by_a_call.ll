; two loads of a stored set, if a call leaves it alone, need not agree
; EXPECT defined-inputs: wrong
declare void @g(ptr) nofree

define i8 @src(ptr %p) {
  %s = sext i1 undef to i8
  store i8 %s, ptr %p, align 1
  call void @g(ptr %p)
  ret i8 0
}

define i8 @tgt(ptr %p) {
  %s = sext i1 undef to i8
  store i8 %s, ptr %p, align 1
  call void @g(ptr %p)
  %a = load i8, ptr %p, align 1
  %b = load i8, ptr %p, align 1
  %c = xor i8 %a, %b
  ret i8 %c
}
