; Without a 0 it reads beyond the block
; EXPECT llvm: refines
define i64 @src() {
  %a = alloca i16, align 2
  store i16 257, ptr %a, align 2
  %n = call i64 @strlen(ptr %a)
  ret i64 %n
}

define i64 @tgt() {
  unreachable
}

declare i64 @strlen(ptr)
