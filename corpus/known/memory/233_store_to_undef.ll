; An undef address may be null
; EXPECT llvm: refines
define i8 @src(ptr %p) {
  %q = getelementptr i8, ptr undef, i64 1
  store i8 1, ptr %q
  %a = load i8, ptr %p
  ret i8 %a
}
define i8 @tgt(ptr %p) {
  ret i8 0
}
