; A laundered pointer is that pointer, but for invariant.group metadata
; EXPECT llvm: refines
define i8 @src(ptr %p) {
  store i8 1, ptr %p, align 1
  %q = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  %v = load i8, ptr %q, align 1
  ret i8 %v
}
define i8 @tgt(ptr %p) {
  store i8 1, ptr %p, align 1
  ret i8 1
}
declare ptr @llvm.launder.invariant.group.p0(ptr)
