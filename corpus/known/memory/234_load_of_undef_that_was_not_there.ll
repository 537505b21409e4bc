; Only on one way is the address undef
; EXPECT llvm: more-ub
define i8 @src(ptr dereferenceable(1) %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %q = phi ptr [ %p, %entry ], [ undef, %a ]
  br i1 %c, label %e, label %f
e:
  ret i8 0
f:
  %v = load i8, ptr %q
  ret i8 %v
}
define i8 @tgt(ptr dereferenceable(1) %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %q = phi ptr [ %p, %entry ], [ undef, %a ]
  %v = load i8, ptr %q
  %r = select i1 %c, i8 0, i8 %v
  ret i8 %r
}
