; What is not null initializes nothing where it is null, in front of a block
; EXPECT llvm: more-poison
define void @src(ptr initializes((0, 2)) %p) {
  ret void
}
define void @tgt(ptr nonnull initializes((0, 2)) %p) {
  ret void
}
