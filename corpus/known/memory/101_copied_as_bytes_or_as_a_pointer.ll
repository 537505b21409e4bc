; A pointer that is copied as bytes, or loaded and stored: the load wants all of one
; EXPECT llvm: more-poison
; EXPECT defined-inputs: refines
define void @src(ptr writable dereferenceable(8) %p, ptr writable dereferenceable(8) %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
  %x = load ptr, ptr %p, align 1
  ret void
}
define void @tgt(ptr writable dereferenceable(8) %p, ptr writable dereferenceable(8) %q) {
  %x = load ptr, ptr %p, align 1
  store ptr %x, ptr %q, align 1
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
