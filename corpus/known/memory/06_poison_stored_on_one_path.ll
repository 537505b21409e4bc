; Poison is stored on one path only, the load becomes poison (llvm issue 97702)
; EXPECT llvm: more-poison
; EXPECT uninit-nondet: more-poison
; EXPECT uninit-poison: refines
define i8 @src(i1 %c) {
  %a = alloca i8, align 1
  br i1 %c, label %then, label %join
then:
  store i8 poison, ptr %a, align 1
  br label %join
join:
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt(i1 %c) {
  ret i8 poison
}
