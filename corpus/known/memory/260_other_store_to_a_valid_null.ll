; And not another number
; EXPECT llvm: wrong
define void @src() null_pointer_is_valid {
  store i8 1, ptr null
  ret void
}
define void @tgt() null_pointer_is_valid {
  store i8 2, ptr null
  ret void
}
