; Steps to the ends of two variables become inbounds
; No object crosses the end of the address space, and neither does the address behind it (LangRef,
; "Allocated Objects"): such a step does not wrap.
; EXPECT llvm: refines
@a = external global i32, align 4
@b = external global i32, align 4

define i1 @src() {
  %p = getelementptr i8, ptr @a, i64 4
  %q = getelementptr i8, ptr @b, i64 4
  %c = icmp eq ptr %p, %q
  ret i1 %c
}

define i1 @tgt() {
  %p = getelementptr inbounds i8, ptr @a, i64 4
  %q = getelementptr inbounds i8, ptr @b, i64 4
  %c = icmp eq ptr %p, %q
  ret i1 %c
}
