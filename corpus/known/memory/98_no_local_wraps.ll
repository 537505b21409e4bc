; No local goes on at the beginning of the address space
; EXPECT llvm: refines
define i1 @src(ptr %p) {
  store i8 0, ptr %p, align 1
  ret i1 false
}

define i1 @tgt(ptr %p) {
  store i8 0, ptr %p, align 1
  %a = alloca i16, align 1
  %q = getelementptr i8, ptr %a, i64 1
  %c = icmp ult ptr %q, %a
  %d = icmp ult ptr %p, %a
  %r = and i1 %c, %d
  ret i1 %r
}
