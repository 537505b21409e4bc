; An allocation that nobody needs may as well succeed
; EXPECT llvm: refines
define i1 @src() {
  %p = call ptr @malloc(i64 4)
  %c = icmp eq ptr %p, null
  ret i1 %c
}

define i1 @tgt() {
  ret i1 false
}

declare noalias ptr @malloc(i64)
