; What stood between them does not stay
; EXPECT llvm: more-undef
define void @src(ptr %p, i8 %a, i32 %b) {
  store i8 %a, ptr %p, align 4
  %q = getelementptr i8, ptr %p, i64 1
  store i8 0, ptr %q
  %r = getelementptr i8, ptr %p, i64 4
  store i32 %b, ptr %r, align 4
  ret void
}
define void @tgt(ptr %p, i8 %a, i32 %b) {
  %q = getelementptr i8, ptr %p, i64 1
  store i8 0, ptr %q
  %s = insertvalue { i8, i32 } poison, i8 %a, 0
  %t = insertvalue { i8, i32 } %s, i32 %b, 1
  store { i8, i32 } %t, ptr %p
  ret void
}
