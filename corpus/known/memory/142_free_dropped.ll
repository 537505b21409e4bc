; Not to free an argument: who could tell
; EXPECT llvm: refines
define void @src(ptr %p) {
  call void @free(ptr %p)
  ret void
}

define void @tgt(ptr %p) {
  ret void
}

declare void @free(ptr)
