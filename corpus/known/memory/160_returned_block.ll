; What stands in a block that is returned is seen
; EXPECT llvm: value
define ptr @src() {
  %p = call ptr @malloc(i64 1)
  %c = icmp eq ptr %p, null
  br i1 %c, label %end, label %some
some:
  store i8 1, ptr %p, align 1
  br label %end
end:
  ret ptr %p
}

define ptr @tgt() {
  %p = call ptr @malloc(i64 1)
  %c = icmp eq ptr %p, null
  br i1 %c, label %end, label %some
some:
  store i8 2, ptr %p, align 1
  br label %end
end:
  ret ptr %p
}

declare noalias ptr @malloc(i64)
