; Two loads through an address that was computed become one, across a store (llvm issue 76789)
; EXPECT llvm: value
define i8 @src() {
  %a = alloca i8, align 1
  %i = ptrtoint ptr %a to i64
  %j = add i64 %i, 1
  %m = inttoptr i64 -1 to ptr
  %g = getelementptr i8, ptr %m, i64 %j
  store i8 0, ptr %a, align 1
  %v = load i8, ptr %g, align 1
  store i8 1, ptr %a, align 1
  %w = load i8, ptr %g, align 1
  ret i8 %w
}

define i8 @tgt() {
  %a = alloca i8, align 1
  %i = ptrtoint ptr %a to i64
  %j = add i64 %i, 1
  %m = inttoptr i64 -1 to ptr
  %g = getelementptr i8, ptr %m, i64 %j
  store i8 0, ptr %a, align 1
  %v = load i8, ptr %g, align 1
  store i8 1, ptr %a, align 1
  ret i8 %v
}
