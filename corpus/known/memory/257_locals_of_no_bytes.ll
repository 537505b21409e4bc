; Of no bytes, two locals may be at one place (LangRef, alloca)
; EXPECT llvm: refines
define i1 @src() {
  %a = alloca i8
  %b = alloca [0 x i8]
  %r = icmp eq ptr %a, %b
  ret i1 %r
}
define i1 @tgt() {
  ret i1 true
}
