; The argument need not be a block of the heap
; EXPECT llvm: more-ub
define void @src(ptr %p) {
  ret void
}

define void @tgt(ptr %p) {
  call void @free(ptr %p)
  ret void
}

declare void @free(ptr)
