; EXPECT llvm: refines
define void @src(ptr %p) {
  store ptr null, ptr %p, align 1
  ret void
}

define void @tgt(ptr %p) {
  store i64 0, ptr %p, align 1
  ret void
}
