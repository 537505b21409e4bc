; Unsigned bytes; the sign is all that is told
; EXPECT llvm: refines
@e = constant [1 x i8] zeroinitializer

define i32 @src(ptr %p) {
  %r = call i32 @strcmp(ptr %p, ptr @e)
  ret i32 %r
}

define i32 @tgt(ptr %p) {
  %v = load i8, ptr %p, align 1
  %r = zext i8 %v to i32
  ret i32 %r
}

declare i32 @strcmp(ptr, ptr)
