; The last byte is not the end
; EXPECT llvm: value
declare i64 @strlen(ptr)
declare ptr @strchr(ptr, i32)
define ptr @src(ptr %p) {
  %r = call ptr @strchr(ptr %p, i32 0)
  ret ptr %r
}
define ptr @tgt(ptr %p) {
  %n = call i64 @strlen(ptr %p)
  %m = sub i64 %n, 1
  %r = getelementptr i8, ptr %p, i64 %m
  ret ptr %r
}
