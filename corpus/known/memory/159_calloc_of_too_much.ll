; A product that overflows cannot be allocated
; EXPECT llvm: value
define i1 @src() {
  %p = call ptr @calloc(i64 4611686018427387904, i64 8)
  %c = icmp eq ptr %p, null
  ret i1 %c
}

define i1 @tgt() {
  ret i1 false
}

declare noalias ptr @calloc(i64, i64)
