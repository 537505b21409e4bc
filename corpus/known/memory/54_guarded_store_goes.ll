; A store guarded by a sign goes
; EXPECT llvm: more-poison
define void @src(ptr %p, i8 %x) {
  %c = icmp sgt i8 %x, 0
  br i1 %c, label %then, label %join
then:
  store i8 1, ptr %p, align 1
  br label %join
join:
  ret void
}

define void @tgt(ptr %p, i8 %x) {
  ret void
}
