; Products and quotients of wide words that cancel, narrow or are compared, and
; undef that has to be chosen.
; EXPECT src_narrowed: refines
; EXPECT src_narrowed_minimum: more-ub
; EXPECT src_divided_product: refines
; EXPECT src_divided_wrapped_product: value
; EXPECT src_divided_unsigned: refines
; EXPECT src_multiple: refines
; EXPECT src_negated_factors: refines
; EXPECT src_negated_factor: more-poison
; EXPECT src_overflow: refines
; EXPECT src_compared: value
; EXPECT src_opposite: refines
; EXPECT src_square: refines
; EXPECT src_no_square: value
; EXPECT src_undef_bytes: refines
; EXPECT src_undef_sum: refines
; EXPECT src_undef_compared: refines
; EXPECT src_undef_even: more-undef
declare void @llvm.assume(i1)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)

define i64 @src_narrowed(i64 %x, i64 %y) {
  %c = icmp slt i64 %x, 32768
  call void @llvm.assume(i1 %c)
  %d = icmp sgt i64 %x, -32768
  call void @llvm.assume(i1 %d)
  %e = icmp slt i64 %y, 32768
  call void @llvm.assume(i1 %e)
  %f = icmp sge i64 %y, -32768
  call void @llvm.assume(i1 %f)
  %q = sdiv i64 %x, %y
  ret i64 %q
}
define i64 @tgt_narrowed(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %q = sdiv i16 %a, %b
  %r = sext i16 %q to i64
  ret i64 %r
}

define i64 @src_narrowed_minimum(i64 %x, i64 %y) {
  %c = icmp slt i64 %x, 32768
  call void @llvm.assume(i1 %c)
  %d = icmp sge i64 %x, -32768
  call void @llvm.assume(i1 %d)
  %e = icmp slt i64 %y, 32768
  call void @llvm.assume(i1 %e)
  %f = icmp sge i64 %y, -32768
  call void @llvm.assume(i1 %f)
  %q = sdiv i64 %x, %y
  ret i64 %q
}
define i64 @tgt_narrowed_minimum(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %q = sdiv i16 %a, %b
  %r = sext i16 %q to i64
  ret i64 %r
}

define i32 @src_divided_product(i32 %x, i32 %y) {
  %p = mul nsw i32 %x, %y
  %q = sdiv i32 %p, %y
  ret i32 %q
}
define i32 @tgt_divided_product(i32 %x, i32 %y) {
  ret i32 %x
}

define i32 @src_divided_wrapped_product(i32 %x, i32 %y) {
  %p = mul i32 %x, %y
  %q = sdiv i32 %p, %y
  ret i32 %q
}
define i32 @tgt_divided_wrapped_product(i32 %x, i32 %y) {
  ret i32 %x
}

define i64 @src_divided_unsigned(i64 %x, i64 %y) {
  %p = mul nuw i64 %x, %y
  %q = udiv i64 %p, %x
  ret i64 %q
}
define i64 @tgt_divided_unsigned(i64 %x, i64 %y) {
  ret i64 %y
}

define i32 @src_multiple(i32 %x, i32 %y) {
  %q = sdiv i32 %x, %y
  %m = mul i32 %q, %y
  %r = sdiv i32 %m, %y
  ret i32 %r
}
define i32 @tgt_multiple(i32 %x, i32 %y) {
  %q = sdiv i32 %x, %y
  ret i32 %q
}

define i64 @src_negated_factors(i64 %x, i64 %y) {
  %a = sub nsw i64 0, %x
  %b = sub nsw i64 0, %y
  %p = mul nsw i64 %a, %b
  ret i64 %p
}
define i64 @tgt_negated_factors(i64 %x, i64 %y) {
  %p = mul nsw i64 %y, %x
  ret i64 %p
}

define i64 @src_negated_factor(i64 %x, i64 %y) {
  %a = sub nsw i64 0, %x
  %p = mul nsw i64 %a, %y
  ret i64 %p
}
define i64 @tgt_negated_factor(i64 %x, i64 %y) {
  %p = mul nsw i64 %x, %y
  %n = sub i64 0, %p
  ret i64 %n
}

define i1 @src_overflow(i32 %x, i32 %y) {
  %a = zext i32 %x to i64
  %b = zext i32 %y to i64
  %p = mul i64 %a, %b
  %c = icmp ugt i64 %p, 4294967295
  ret i1 %c
}
define i1 @tgt_overflow(i32 %x, i32 %y) {
  %p = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %x, i32 %y)
  %c = extractvalue { i32, i1 } %p, 1
  ret i1 %c
}

define i1 @src_compared(i32 %x, i32 %y) {
  %p = sdiv i32 %x, 40
  %q = sdiv i32 %y, 40
  %c = icmp sge i32 %p, %q
  ret i1 %c
}
define i1 @tgt_compared(i32 %x, i32 %y) {
  %c = icmp sge i32 %x, %y
  ret i1 %c
}

define i32 @src_opposite(i32 %x, i32 %y) {
  %a = sub nsw i32 %x, %y
  %b = sub nsw i32 %y, %x
  %q = sdiv i32 %a, %b
  ret i32 %q
}
define i32 @tgt_opposite(i32 %x, i32 %y) {
  ret i32 -1
}

define <16 x i8> @src_undef_bytes() {
  %v = bitcast <4 x i32> <i32 undef, i32 2, i32 undef, i32 2> to <16 x i8>
  ret <16 x i8> %v
}
define <16 x i8> @tgt_undef_bytes() {
  ret <16 x i8> <i8 undef, i8 undef, i8 undef, i8 undef, i8 2, i8 0, i8 0, i8 0, i8 undef, i8 undef, i8 undef, i8 undef, i8 2, i8 0, i8 0, i8 0>
}

define <4 x i32> @src_undef_sum(<4 x i32> %x) {
  %a = add <4 x i32> %x, <i32 21, i32 undef, i32 8, i32 8>
  %b = add <4 x i32> %a, <i32 2, i32 3, i32 undef, i32 2>
  ret <4 x i32> %b
}
define <4 x i32> @tgt_undef_sum(<4 x i32> %x) {
  %b = add <4 x i32> %x, <i32 23, i32 undef, i32 undef, i32 10>
  ret <4 x i32> %b
}

define <2 x i1> @src_undef_compared(<2 x i64> %x) {
  %c = icmp eq <2 x i64> %x, undef
  ret <2 x i1> %c
}
define <2 x i1> @tgt_undef_compared(<2 x i64> %x) {
  ret <2 x i1> undef
}

define i64 @src_undef_even() {
  %v = mul i64 undef, 6
  ret i64 %v
}
define i64 @tgt_undef_even() {
  ret i64 undef
}

; A square of a sum, as InstCombine makes it, and one that is not.
define i64 @src_square(i64 %a, i64 %b) {
  %aa = mul nsw i64 %a, %a
  %twoa = shl i64 %a, 1
  %twoab = add i64 %twoa, %b
  %m = mul i64 %twoab, %b
  %s = add i64 %aa, %m
  ret i64 %s
}
define i64 @tgt_square(i64 %a, i64 %b) {
  %s = add i64 %a, %b
  %m = mul i64 %s, %s
  ret i64 %m
}

define i64 @src_no_square(i64 %a, i64 %b) {
  %aa = mul i64 %a, %a
  %m = mul i64 %a, %b
  %bb = mul i64 %b, %b
  %r = add i64 %aa, %m
  %s = add i64 %r, %bb
  ret i64 %s
}
define i64 @tgt_no_square(i64 %a, i64 %b) {
  %s = add i64 %a, %b
  %m = mul i64 %s, %s
  ret i64 %m
}
