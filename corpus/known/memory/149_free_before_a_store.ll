; The store is to a block that was freed
; EXPECT llvm: more-ub
define void @src(ptr %p) {
  store i8 1, ptr %p, align 1
  call void @free(ptr %p)
  ret void
}

define void @tgt(ptr %p) {
  call void @free(ptr %p)
  store i8 1, ptr %p, align 1
  ret void
}

declare void @free(ptr)
