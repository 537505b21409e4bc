; Whether an offset from a pointer that stays in its block is null, asked of the pointer
; Alive2 says so too.
; EXPECT llvm: refines
define i1 @src(ptr %p, i8 %i) {
  %q = getelementptr inbounds i8, ptr %p, i8 %i
  %c = icmp eq ptr %q, null
  ret i1 %c
}

define i1 @tgt(ptr %p, i8 %i) {
  %c = icmp eq ptr %p, null
  ret i1 %c
}
