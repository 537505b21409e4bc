; The bytes in front of the first 0
; EXPECT llvm: refines
define i64 @src() {
  %a = alloca i32, align 4
  store i32 25185, ptr %a, align 4
  %n = call i64 @strlen(ptr %a)
  ret i64 %n
}

define i64 @tgt() {
  ret i64 2
}

declare i64 @strlen(ptr)
