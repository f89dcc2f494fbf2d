#!/usr/bin/env bats
# The Warps screen in a terminal: steps, warps, kernels, playing.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# warps COLSxROWS ARGUMENT...: the explorer on this screen.
warps() {
    screen "$@"
    wait_for 'relative to CSR'
    keys 5
}

@test "a warp of four rows, step by step" {
    warps 80x24 "$SRCDIR/data/pmpp.mtx"
    wait_for 'csr-scalar +f64 +[a-z0-9]+ +warp 1 of 8 +rows 1\.\.4'
    wait_for 'step 3 of 12 +load val\[k\] +3 lanes x 8 B +2 sectors +37.5% used'
    wait_for 'lanes 0·23····'
    wait_for '^ product: +forecast [0-9.]+ us, bound by [a-z ]+  14 sectors'
    wait_for '^ warp: +14 sectors +the longest warp +the worst warp +a typical warp'
    wait_for '^ all +12 +14 +1.167 '
    keys Right Right
    wait_for 'step 5 of 12 +load x\[col\[k\]\]'
    keys b
    wait_for '^ dia +f64 .*warp 1 of 8 +row'
    keys q
    ended_with 0
}

@test "playing ends with the last step" {
    warps 80x24 "$SRCDIR/data/pmpp.mtx"
    wait_for 'step 3 of 12'
    keys Space
    wait_for 'step 12 of 12 +store y\[i\]'
    keys q
    ended_with 0
}

@test "g goes to the warp of a row, w to the worst, in both kernels" {
    warps 120x40 gen:stencil27,n=12
    wait_for 'csr-scalar.* warp 1 of 56 '
    wait_for 'worst .*warp'
    keys g
    keys -l 1000
    keys Enter
    wait_for 'csr-scalar.* warp 32 of 56 +rows 993\.\.1,024'
    keys w
    wait_for 'the longest warp'
    keys w
    wait_for 'the worst warp'
    keys 1
    wait_for 'relative to CSR'
    keys 5
    wait_for 'the worst warp'
    keys q
    ended_with 0
}

@test "another kernel by its name, another GPU, ASCII, no colours, a small terminal" {
    screen_env='NO_COLOR=1'
    warps 80x24 --ascii --gpu=v100 "$SRCDIR/data/pmpp.mtx"
    wait_for 'lanes 0\.23\.\.\.\.'
    keys p
    wait_for 'Kernel \('
    keys C-u
    keys -l 'csr-vector:threads=4'
    keys Enter
    wait_for 'csr-vector:threads=4 +f64 +v100 +warp 1 of '
    if contents | grep -qP '[^\x00-\x7f]'; then false; fi
    T resize-window -x 60 -y 20
    wait_for '72x20 needed'
    T resize-window -x 100 -y 30
    wait_for 'csr-vector:threads=4 +f64 +v100 +warp 1 of '
    keys '?'
    wait_for 'Keys of this screen'
    wait_for 'the longest warp'
    keys Escape
    keys q
    ended_with 0
}
