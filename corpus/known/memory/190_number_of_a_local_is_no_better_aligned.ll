; And no better one
; EXPECT llvm: value
define i64 @src(i64 %x) {
  %a = alloca i32, align 4
  %n = ptrtoint ptr %a to i64
  %m = and i64 %n, 1
  ret i64 %m
}

define i64 @tgt(i64 %x) {
  %a = alloca i32, align 4
  %n = ptrtoint ptr %a to i64
  %m = and i64 %n, 4
  ret i64 %m
}


