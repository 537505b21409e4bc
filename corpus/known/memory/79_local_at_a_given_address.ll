; ... but need not
; EXPECT llvm: value
define i1 @src(ptr noundef %p, i64 noundef %i) {
  ret i1 false
}

define i1 @tgt(ptr noundef %p, i64 noundef %i) {
  %a = alloca i64, align 8
  %q = getelementptr i8, ptr %a, i64 %i
  %c = icmp eq ptr %p, %q
  ret i1 %c
}
