; Nobody reads a block that is freed
; EXPECT llvm: refines
define void @src(ptr %p) {
  store i8 1, ptr %p, align 1
  call void @free(ptr %p)
  ret void
}

define void @tgt(ptr %p) {
  call void @free(ptr %p)
  ret void
}

declare void @free(ptr)
