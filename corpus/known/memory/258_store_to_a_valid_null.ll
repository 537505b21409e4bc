; What lies at null may be accessed where the function says so
; EXPECT llvm: wrong
define void @src() null_pointer_is_valid {
  store i8 1, ptr null
  ret void
}
define void @tgt() null_pointer_is_valid {
  unreachable
}
