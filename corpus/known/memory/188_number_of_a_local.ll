; The address of a local is a number, and not 0
; EXPECT llvm: refines
define i1 @src() {
  %a = alloca i8, align 1
  %n = ptrtoint ptr %a to i64
  %c = icmp eq i64 %n, 0
  ret i1 %c
}

define i1 @tgt() {
  ret i1 false
}


