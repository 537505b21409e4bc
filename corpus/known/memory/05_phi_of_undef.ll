; Stored on one path only, the load becomes a phi with undef
; EXPECT llvm: refines
; EXPECT uninit-poison: refines
; EXPECT uninit-nondet: more-undef
define i8 @src(i1 %c, i8 %x) {
  %a = alloca i8, align 1
  br i1 %c, label %then, label %join
then:
  store i8 %x, ptr %a, align 1
  br label %join
join:
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt(i1 %c, i8 %x) {
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %v = phi i8 [ undef, %0 ], [ %x, %then ]
  ret i8 %v
}
