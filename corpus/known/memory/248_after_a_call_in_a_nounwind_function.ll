; That @g must not unwind here makes nothing right that comes after it returned
; EXPECT llvm: value
; EXPECT uninit-poison: value
declare void @g(ptr)
define i8 @src(ptr %p) nounwind {
  call void @g(ptr %p)
  ret i8 0
}
define i8 @tgt(ptr %p) nounwind {
  call void @g(ptr %p)
  ret i8 1
}
