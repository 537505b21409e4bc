; A function that is nofree does not free what it was given
; EXPECT llvm: refines
define void @src(ptr %p) nofree {
  store i8 1, ptr %p, align 1
  call void @free(ptr %p)
  ret void
}

define void @tgt(ptr %p) nofree {
  unreachable
}

declare void @free(ptr)
