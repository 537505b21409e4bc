; Bytes are compared as unsigned, the first one first
; EXPECT llvm: refines
define i1 @src() {
  %a = alloca i16, align 2
  %b = alloca i16, align 2
  store i16 511, ptr %a, align 2
  store i16 384, ptr %b, align 2
  %r = call i32 @memcmp(ptr %a, ptr %b, i64 2)
  %c = icmp sgt i32 %r, 0
  ret i1 %c
}

define i1 @tgt() {
  ret i1 true
}

declare i32 @memcmp(ptr, ptr, i64)
