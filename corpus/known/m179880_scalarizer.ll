; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Scalarizer looks for a lane behind the last one of a vector, and reads behind the end of its list of lanes
; id: m179880
; issue: llvm/llvm-project#179880 llvm/llvm-project#180359
; passes: scalarizer
; kind: crash
; semantics: llvm
; wrong-in: 13 14 15 16 19 22
; signature: a39dce7c24a0 c127ad15d560
; root: 52362ce13051 fee31cb5a6ba 14e910bffda1
define i4 @f(<2 x i4> %a) {
  %v0 = extractelement <2 x i4> %a, i32 2147483647
  ret i4 %v0
}
