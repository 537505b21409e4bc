; 0xff is more than 0
; EXPECT llvm: value
@e = constant [1 x i8] zeroinitializer

define i32 @src(ptr %p) {
  %r = call i32 @strcmp(ptr %p, ptr @e)
  ret i32 %r
}

define i32 @tgt(ptr %p) {
  %v = load i8, ptr %p, align 1
  %r = sext i8 %v to i32
  ret i32 %r
}

declare i32 @strcmp(ptr, ptr)
