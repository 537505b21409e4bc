; Right, whatever the library function does
; EXPECT llvm: refines
declare i32 @fputs(ptr, ptr)
declare void @exit(i32) noreturn

define i32 @src(ptr %s, ptr %f) {
  %a = add i32 3, 4
  %r = call i32 @fputs(ptr %s, ptr %f)
  %c = icmp slt i32 %r, 0
  br i1 %c, label %bad, label %good
bad:
  call void @exit(i32 %a)
  unreachable
good:
  ret i32 %r
}

define i32 @tgt(ptr %s, ptr %f) {
  %r = call i32 @fputs(ptr %s, ptr %f)
  %c = icmp sgt i32 %r, -1
  br i1 %c, label %good, label %bad
bad:
  call void @exit(i32 7)
  unreachable
good:
  ret i32 %r
}
