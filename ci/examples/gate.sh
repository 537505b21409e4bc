#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds LLVM with and without what a branch changes, a worker for each, and asks
# the gate: gate.sh LLVM_CHECKOUT [BASE_COMMIT]. The comment lands in gate/gate.md.
set -euo pipefail
checkout=$(realpath "$1")
base=$(git -C "$checkout" rev-parse "${2:-origin/main}")
irsieve=$(cd "$(dirname "$0")/../.." && pwd)

"$irsieve/ci/install-deps"
git -C "$checkout" diff "$base"...HEAD >gate.diff
git -C "$checkout" worktree add --force --detach base-source "$base"
for side in base new; do
  source=$checkout
  [ $side = new ] || source=$PWD/base-source
  cmake -S "$source/llvm" -B "$side" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DLLVM_ENABLE_ASSERTIONS=ON -DLLVM_TARGETS_TO_BUILD=Native
  cmake --build "$side" --target llvm-libraries llvm-config opt
done
cmake -S "$irsieve" -B gate-build -G Ninja -DCMAKE_BUILD_TYPE=Release -DIRSIEVE_TESTS=OFF \
  "-DIRSIEVE_LLVM=base=$PWD/base;new=$PWD/new"
cmake --build gate-build
gate-build/irsieve gate --base base --new new --patch gate.diff --llvm-source "$checkout" \
  --out gate
