; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; a shuffle of a splat with undef becomes the splat, also in the lanes that are undef, and the splat may be poison
; id: x78
; passes: instsimplify
; kind: more-poison
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: ce0b9b12d82d 9d0c54546864 b484cda9bfba 4f4941b587a4 8388bda13b15
; root: d98468ce610a a3cb81820971 d6fbf127d52d
define <2 x i4> @f(<2 x i4> %a) {
  %v0 = shufflevector <2 x i4> %a, <2 x i4> poison, <2 x i32> zeroinitializer
  %v1 = shufflevector <2 x i4> %v0, <2 x i4> undef, <2 x i32> <i32 0, i32 2>
  ret <2 x i4> %v1
}
