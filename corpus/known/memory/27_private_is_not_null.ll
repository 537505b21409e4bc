; A local variable is not at null
; EXPECT llvm: refines
define i1 @src() {
  %a = alloca i8, align 1
  %c = icmp eq ptr %a, null
  ret i1 %c
}

define i1 @tgt() {
  ret i1 false
}
