; It has the alignment of the local
; EXPECT llvm: refines
define i64 @src() {
  %a = alloca i32, align 4
  %n = ptrtoint ptr %a to i64
  %m = and i64 %n, 3
  ret i64 %m
}

define i64 @tgt() {
  ret i64 0
}


