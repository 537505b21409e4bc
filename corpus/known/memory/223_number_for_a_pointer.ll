; Whether the block is exposed nobody says
; EXPECT llvm: unsupported
define i8 @src(ptr %p) {
  %v = load i8, ptr %p, align 1
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  %x = ptrtoint ptr %p to i64
  %q = inttoptr i64 %x to ptr
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
