; A byte that decides whether more is read is not poison
; EXPECT llvm: refines
@t = constant [2 x i8] c"x\00"

define i1 @src(ptr %p) {
  %r = call i32 @strcmp(ptr %p, ptr @t)
  %c = icmp eq i32 %r, 0
  ret i1 %c
}

define i1 @tgt(ptr %p) {
  %v = load i8, ptr %p, align 1
  %c = icmp eq i8 %v, 120
  br i1 %c, label %more, label %end
more:
  %q = getelementptr i8, ptr %p, i64 1
  %w = load i8, ptr %q, align 1
  %d = icmp eq i8 %w, 0
  ret i1 %d
end:
  ret i1 false
}

declare i32 @strcmp(ptr, ptr)
