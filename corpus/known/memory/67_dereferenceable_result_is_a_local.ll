; LangRef, dereferenceable: of the result it is what the caller finds, and a
; local is dead then
; EXPECT llvm: refines
define dereferenceable(1) ptr @src() {
  %a = alloca i8
  ret ptr %a
}

define dereferenceable(1) ptr @tgt() {
  unreachable
}
