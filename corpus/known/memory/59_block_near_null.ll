; A pointer is not one behind null, although the next byte is there: a block may begin at 2
; EXPECT llvm: value
define i1 @src(ptr %p) {
  %p1 = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %p1, align 1
  %m = getelementptr i8, ptr %p, i64 -1
  %c = icmp eq ptr %m, null
  ret i1 %c
}

define i1 @tgt(ptr %p) {
  %p1 = getelementptr i8, ptr %p, i64 1
  %v = load i8, ptr %p1, align 1
  ret i1 false
}
