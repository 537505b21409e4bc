; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a constraint with the smallest i64 overflows
; id: m218569
; issue: llvm/llvm-project#218569
; passes: constraint-elimination
; kind: value
; semantics: llvm
; wrong-in: 16 19 22
; right-in: 13 14 15
; signature: f0513cd220a8
; root: 6e70d776c3f2
define i1 @f() {
  %v0 = add nsw i64 -9223372036854775807, -1
  %v1 = icmp sge i64 0, %v0
  ret i1 %v1
}
