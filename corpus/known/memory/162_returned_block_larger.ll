; More than was asked for harms nobody
; EXPECT llvm: refines
define ptr @src(i8 %n) {
  %m = zext i8 %n to i64
  %p = call ptr @malloc(i64 %m)
  ret ptr %p
}

define ptr @tgt(i8 %n) {
  %m = zext i8 %n to i64
  %k = add i64 %m, 1
  %p = call ptr @malloc(i64 %k)
  ret ptr %p
}

declare noalias ptr @malloc(i64)
