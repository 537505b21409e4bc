; A block that is filled with zeros at once is that of calloc
; EXPECT llvm: refines
define ptr @src() {
  %p = call ptr @malloc(i64 4)
  %c = icmp eq ptr %p, null
  br i1 %c, label %end, label %some
some:
  store i32 0, ptr %p, align 4
  br label %end
end:
  ret ptr %p
}

define ptr @tgt() {
  %p = call ptr @calloc(i64 1, i64 4)
  ret ptr %p
}

declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
