; A variable may be aligned worse than an access says, also where arguments are compared
; EXPECT llvm: more-ub
@g = external global i8, align 1

define i1 @src(ptr %a, ptr %b) {
  %v0 = icmp eq ptr %a, %b
  ret i1 %v0
}
define i1 @tgt(ptr %a, ptr %b) {
  %v0 = load i8, ptr @g, align 2
  %v1 = icmp eq ptr %a, %b
  ret i1 %v1
}
