; All bytes have to be there, also behind the first that differs
; EXPECT uninit-poison: refines
define i1 @src() {
  %a = alloca i8, align 1
  %b = alloca i16, align 1
  store i8 1, ptr %a, align 1
  store i16 2, ptr %b, align 1
  %r = call i32 @memcmp(ptr %a, ptr %b, i64 2)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

define i1 @tgt() {
  unreachable
}

declare i32 @memcmp(ptr, ptr, i64)
