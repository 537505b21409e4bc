; Whether an offset from a pointer is null, asked of the pointer
; EXPECT llvm: value
define i1 @src(ptr %p, i8 %i) {
  %q = getelementptr i8, ptr %p, i8 %i
  %c = icmp eq ptr %q, null
  ret i1 %c
}

define i1 @tgt(ptr %p, i8 %i) {
  %c = icmp eq ptr %p, null
  ret i1 %c
}
