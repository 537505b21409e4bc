; What is stored there can be loaded again, through a pointer that compares equal too
; EXPECT llvm: refines
define i8 @src(ptr %p) null_pointer_is_valid {
  store i8 1, ptr null
  store i8 2, ptr %p
  %c = icmp eq ptr %p, null
  %v = load i8, ptr null
  %r = select i1 %c, i8 %v, i8 2
  ret i8 %r
}
define i8 @tgt(ptr %p) null_pointer_is_valid {
  store i8 1, ptr null
  store i8 2, ptr %p
  ret i8 2
}
