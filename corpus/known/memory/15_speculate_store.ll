; A guarded store writes back what is there on the other path
; EXPECT llvm: more-ub
define void @src(i1 %c, ptr %p) {
  br i1 %c, label %then, label %join
then:
  store i8 1, ptr %p, align 1
  br label %join
join:
  ret void
}

define void @tgt(i1 %c, ptr %p) {
  %v = load i8, ptr %p, align 1
  %s = select i1 %c, i8 1, i8 %v
  store i8 %s, ptr %p, align 1
  ret void
}
