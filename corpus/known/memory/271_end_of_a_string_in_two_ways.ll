; Of a string of unknown length, as far as it is followed
; EXPECT llvm: refines
declare i64 @strlen(ptr)
declare ptr @strchr(ptr, i32)
define ptr @src(ptr %p) {
  %r = call ptr @strchr(ptr %p, i32 0)
  ret ptr %r
}
define ptr @tgt(ptr %p) {
  %n = call i64 @strlen(ptr %p)
  %r = getelementptr i8, ptr %p, i64 %n
  ret ptr %r
}
