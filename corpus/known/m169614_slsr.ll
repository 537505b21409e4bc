; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a sum is computed from an earlier one, which keeps its nuw (or nsw), as does what that is computed from
; id: m169614
; issue: llvm/llvm-project#169614 llvm/llvm-project#162930
; passes: slsr
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19
; right-in: 22
; signature: ce9e921a2c75
; root: 1ca757c6723f 6e62e4baf611 f2e7807b1128 38d1fc0e66d7 fbfcc9485941
define i4 @f(i4 %a, i4 %b) {
  %v0 = add nuw i4 %a, %b
  %v1 = mul i4 %b, 3
  %v2 = add i4 %a, %v1
  ret i4 %v2
}
