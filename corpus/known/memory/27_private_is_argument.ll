; A local variable is where an argument points
; EXPECT llvm: value
define i1 @src(ptr %p) {
  %a = alloca i8, align 1
  %c = icmp eq ptr %a, %p
  ret i1 %c
}

define i1 @tgt(ptr %p) {
  ret i1 true
}
