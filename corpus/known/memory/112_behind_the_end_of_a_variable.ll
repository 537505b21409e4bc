; A step of five bytes from a variable of four becomes inbounds
; EXPECT llvm: more-poison
@a = external global i32, align 4
@b = external global i32, align 4

define i1 @src() {
  %p = getelementptr i8, ptr @a, i64 5
  %c = icmp eq ptr %p, @b
  ret i1 %c
}

define i1 @tgt() {
  %p = getelementptr inbounds i8, ptr @a, i64 5
  %c = icmp eq ptr %p, @b
  ret i1 %c
}
