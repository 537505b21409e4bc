; Inbounds reaches from the first byte of a local to behind its last, and back
; EXPECT llvm: value
define i8 @src() {
  %a = alloca i8, align 1
  %end = getelementptr inbounds i8, ptr %a, i64 1
  %p = getelementptr inbounds i8, ptr %end, i64 -1
  store i8 1, ptr %p, align 1
  %v = load i8, ptr %a, align 1
  ret i8 %v
}

define i8 @tgt() {
  ret i8 2
}
