; Pairs of wide integers: what a test file of LLVM is full of.
; EXPECT src_next: value
; EXPECT src_shifts: value
; EXPECT src_byte_shifts: value
; EXPECT src_long_next: value
; EXPECT src_rare_divisor: value
; EXPECT src_flag: more-poison
; EXPECT src_speculated: more-ub
; EXPECT src_odd_power: value
; EXPECT src_frozen: more-poison
; EXPECT src_both_frozen: refines
; EXPECT src_double: refines
; EXPECT src_exact: refines
; EXPECT src_order: refines
; EXPECT src_absolute: refines
; EXPECT src_masked: refines
; EXPECT src_clamp: refines
; EXPECT src_remainder: refines
define i32 @src_next(i32 %x) {
  %a = add i32 %x, 1
  ret i32 %a
}
define i32 @tgt_next(i32 %x) {
  ret i32 %x
}

define i32 @src_shifts(i32 %x) {
  %a = shl i32 %x, 4
  %b = ashr i32 %a, 4
  ret i32 %b
}
define i32 @tgt_shifts(i32 %x) {
  ret i32 %x
}

define i8 @src_byte_shifts(i8 %x) {
  %a = shl i8 %x, 4
  %b = lshr i8 %a, 4
  ret i8 %b
}
define i8 @tgt_byte_shifts(i8 %x) {
  ret i8 %x
}

define i64 @src_long_next(i64 %x) {
  %a = add i64 %x, 1
  ret i64 %a
}
define i64 @tgt_long_next(i64 %x) {
  ret i64 %x
}

define i32 @src_rare_divisor(i32 %x, i32 %y) {
  %a = udiv i32 %x, %y
  ret i32 %a
}
define i32 @tgt_rare_divisor(i32 %x, i32 %y) {
  %c = icmp eq i32 %y, 12345
  %z = zext i1 %c to i32
  %a = udiv i32 %x, %y
  %b = add i32 %a, %z
  ret i32 %b
}

define i64 @src_flag(i64 %x) {
  %a = mul i64 %x, 2
  ret i64 %a
}
define i64 @tgt_flag(i64 %x) {
  %a = shl nsw i64 %x, 1
  ret i64 %a
}

define i32 @src_speculated(i1 %c, i32 %x, i32 %y) {
entry:
  br i1 %c, label %then, label %else
then:
  %a = sdiv i32 %x, %y
  ret i32 %a
else:
  ret i32 0
}
define i32 @tgt_speculated(i1 %c, i32 %x, i32 %y) {
  %f = freeze i1 %c
  %a = sdiv i32 %x, %y
  %b = select i1 %f, i32 %a, i32 0
  ret i32 %b
}

define i64 @src_odd_power(i64 %x) {
  %a = mul i64 %x, %x
  %b = mul i64 %a, %x
  ret i64 %b
}
define i64 @tgt_odd_power(i64 %x) {
  %a = mul i64 %x, %x
  %b = mul i64 %a, %a
  ret i64 %b
}

define i32 @src_frozen(i32 %x) {
  %f = freeze i32 %x
  %a = and i32 %f, 255
  ret i32 %a
}
define i32 @tgt_frozen(i32 %x) {
  %a = and i32 %x, 255
  ret i32 %a
}

define i32 @src_both_frozen(i32 %x, i32 %y) {
  %f = freeze i32 %x
  %a = xor i32 %f, %y
  %b = xor i32 %a, %f
  ret i32 %b
}
define i32 @tgt_both_frozen(i32 %x, i32 %y) {
  ret i32 %y
}

define i16 @src_double(i16 %x) {
  %a = mul nuw i16 %x, 2
  ret i16 %a
}
define i16 @tgt_double(i16 %x) {
  %a = shl nuw i16 %x, 1
  ret i16 %a
}

define i64 @src_exact(i64 %x) {
  %a = sdiv exact i64 %x, 16
  ret i64 %a
}
define i64 @tgt_exact(i64 %x) {
  %a = ashr exact i64 %x, 4
  ret i64 %a
}

define i32 @src_order(i32 %x, i32 %y, i32 %z) {
  %a = add i32 %x, %y
  %b = add i32 %a, %z
  ret i32 %b
}
define i32 @tgt_order(i32 %x, i32 %y, i32 %z) {
  %a = add i32 %z, %y
  %b = add i32 %a, %x
  ret i32 %b
}

define i32 @src_absolute(i32 %x) {
  %s = ashr i32 %x, 31
  %f = xor i32 %x, %s
  %a = sub i32 %f, %s
  ret i32 %a
}
define i32 @tgt_absolute(i32 %x) {
  %a = call i32 @llvm.abs.i32(i32 %x, i1 false)
  ret i32 %a
}

define i32 @src_masked(i32 %x) {
  %a = urem i32 %x, 8
  ret i32 %a
}
define i32 @tgt_masked(i32 %x) {
  %a = and i32 %x, 7
  ret i32 %a
}

define i32 @src_clamp(i32 %x) {
  %c = icmp slt i32 %x, 255
  %m = select i1 %c, i32 %x, i32 255
  %d = icmp sgt i32 %m, 0
  %r = select i1 %d, i32 %m, i32 0
  ret i32 %r
}
define i32 @tgt_clamp(i32 %x) {
  %m = call i32 @llvm.smin.i32(i32 %x, i32 255)
  %r = call i32 @llvm.smax.i32(i32 %m, i32 0)
  ret i32 %r
}

define i8 @src_remainder(i8 %x, i8 %y) {
  %q = udiv i8 %x, %y
  %p = mul i8 %q, %y
  %r = sub i8 %x, %p
  ret i8 %r
}
define i8 @tgt_remainder(i8 %x, i8 %y) {
  %f = freeze i8 %x
  %r = urem i8 %f, %y
  ret i8 %r
}
