; A guarded load of a byte that is there is made on both paths
; EXPECT llvm: refines
define i8 @src(i1 %c, ptr dereferenceable(1) %p) {
  br i1 %c, label %then, label %join
then:
  %v = load i8, ptr %p, align 1
  br label %join
join:
  %r = phi i8 [ 0, %0 ], [ %v, %then ]
  ret i8 %r
}

define i8 @tgt(i1 %c, ptr dereferenceable(1) %p) {
  %v = load i8, ptr %p, align 1
  %r = select i1 %c, i8 %v, i8 0
  ret i8 %r
}
