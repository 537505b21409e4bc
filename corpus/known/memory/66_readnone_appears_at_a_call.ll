; LangRef: of an argument that is readnone the callee may not read, and the
; source lets it
; EXPECT llvm: calls
declare i8 @g(ptr)

define i8 @src(ptr %p) {
  %v = call i8 @g(ptr %p)
  ret i8 %v
}

define i8 @tgt(ptr %p) {
  %v = call i8 @g(ptr readnone %p)
  ret i8 %v
}
