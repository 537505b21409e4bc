; The allocation may have failed
; EXPECT llvm: more-ub
define i8 @src() {
  %p = call ptr @malloc(i64 4)
  %c = icmp eq ptr %p, null
  br i1 %c, label %failed, label %done
failed:
  ret i8 0
done:
  store i8 1, ptr %p, align 1
  ret i8 0
}

define i8 @tgt() {
  %p = call ptr @malloc(i64 4)
  store i8 1, ptr %p, align 1
  ret i8 0
}

declare noalias ptr @malloc(i64)
