; Freeing null does nothing, so that the test can go
; EXPECT llvm: refines
define void @src(ptr %p) {
  %c = icmp eq ptr %p, null
  br i1 %c, label %end, label %some
some:
  call void @free(ptr %p)
  br label %end
end:
  ret void
}

define void @tgt(ptr %p) {
  call void @free(ptr %p)
  ret void
}

declare void @free(ptr)
