; EXPECT llvm: value
define i64 @src(ptr align 4 %p) {
  %a = ptrtoint ptr %p to i64
  %low = and i64 %a, 7
  ret i64 %low
}

define i64 @tgt(ptr align 4 %p) {
  ret i64 0
}
