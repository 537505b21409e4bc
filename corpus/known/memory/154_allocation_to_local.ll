; A block that is freed in any case can be a local: where it failed, the store was UB
; EXPECT llvm: refines
define i8 @src(i8 %x) {
  %p = call ptr @malloc(i64 1)
  store i8 %x, ptr %p, align 1
  %v = load i8, ptr %p, align 1
  call void @free(ptr %p)
  ret i8 %v
}

define i8 @tgt(i8 %x) {
  %a = alloca i8, align 1
  store i8 %x, ptr %a, align 1
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

declare noalias ptr @malloc(i64)
declare void @free(ptr)
