; memcmp says which is larger, not by how much
; EXPECT llvm: value
define i32 @src() {
  %a = alloca i8, align 1
  %b = alloca i8, align 1
  store i8 1, ptr %a, align 1
  store i8 3, ptr %b, align 1
  %r = call i32 @memcmp(ptr %a, ptr %b, i64 1)
  %s = call i32 @llvm.smax.i32(i32 %r, i32 -1)
  ret i32 %s
}

define i32 @tgt() {
  ret i32 -2
}

declare i32 @memcmp(ptr, ptr, i64)
