; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Pairs on which Alive2 is known to differ from docs/semantics.md, for
; `irsieve check --confirm`.

; Alive2 quantifies less finely: for it the source may choose what the freeze
; picks after it knows which number the target returns. Here each pick gives the
; source a set of its own, none has all numbers, and undef is more (more-undef).
define i4 @src() {
  %frozen = freeze i4 poison
  %high = and i4 %frozen, -4
  %low = and i4 undef, 3
  %r = or i4 %high, %low
  ret i4 %r
}

define i4 @tgt() {
  ret i4 undef
}
