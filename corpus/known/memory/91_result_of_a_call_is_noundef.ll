; a result that is neither undef nor poison, minus itself
; EXPECT llvm: refines
declare i8 @f()

define i8 @src(ptr %p) {
  %v = call noundef i8 @f()
  store i8 0, ptr %p, align 1
  ret i8 0
}

define i8 @tgt(ptr %p) {
  %v = call noundef i8 @f()
  store i8 0, ptr %p, align 1
  %w = sub i8 %v, %v
  ret i8 %w
}
