; A call does not see a block that did not escape
; EXPECT llvm: refines
define i8 @src(i8 %x) {
  %p = call ptr @malloc(i64 1)
  store i8 %x, ptr %p, align 1
  call void @g()
  %v = load i8, ptr %p, align 1
  call void @free(ptr %p)
  ret i8 %v
}

define i8 @tgt(i8 %x) {
  %p = call ptr @malloc(i64 1)
  store i8 %x, ptr %p, align 1
  call void @g()
  call void @free(ptr %p)
  ret i8 %x
}

declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare void @g()
