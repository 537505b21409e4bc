; Equal bytes compare as 0
; EXPECT llvm: refines
define i32 @src(i16 %x) {
  %a = alloca i16, align 2
  %b = alloca i16, align 2
  store i16 %x, ptr %a, align 2
  store i16 %x, ptr %b, align 2
  %r = call i32 @memcmp(ptr %a, ptr %b, i64 2)
  ret i32 %r
}

define i32 @tgt(i16 %x) {
  ret i32 0
}

declare i32 @memcmp(ptr, ptr, i64)
