; A store that knows more of the alignment moves up to one that knows less (llvm issue 89672)
; EXPECT llvm: more-ub
define void @src(ptr %p, i1 %c) {
  store i8 0, ptr %p, align 1
  br i1 %c, label %join, label %then
then:
  store i8 0, ptr %p, align 2
  br label %join
join:
  ret void
}

define void @tgt(ptr %p, i1 %c) {
  store i8 0, ptr %p, align 1
  store i8 0, ptr %p, align 2
  ret void
}
