; Of what is no constant it can: the callee may write it meanwhile
; EXPECT llvm: calls
; EXPECT uninit-poison: calls
@g = external global i8
declare i8 @look(ptr readonly nocapture)
define i8 @src() {
  %a = alloca i8
  %v = load i8, ptr @g
  store i8 %v, ptr %a
  %r = call i8 @look(ptr %a)
  ret i8 %r
}
define i8 @tgt() {
  %v = load i8, ptr @g
  %r = call i8 @look(ptr @g)
  ret i8 %r
}
