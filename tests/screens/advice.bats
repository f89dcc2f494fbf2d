#!/usr/bin/env bats
# The Advice screen in a terminal: forecasts from the background, runs that count at once, and ways to other screens.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# advice_screen COLSxROWS ARGUMENT...: the explorer on this screen, with the forecasts.
advice_screen() {
    screen "$@"
    wait_for 'relative to CSR'
    keys 7
    wait_for 'f64, ([0-9]+ measured, )?[0-9]+ forecast$'
}

@test "what to take on a GPU that is not here is forecast, and each pane is shown" {
    advice_screen 72x20 --gpu=h200 "$SRCDIR/data/demo.mtx.gz"
    wait_for '^ +this processor +NVIDIA H200 SXM '
    wait_for 'On this processor, take cpu/'
    keys m
    wait_for 'On the NVIDIA H200 SXM, take (cuda|cusparse)/'
    wait_for 'Best kernel by number of products'
    keys b
    wait_for '━━ forecast +██ measured +nothing was measured'
    wait_for '^> (cuda|cusparse)/.* ~[0-9.]+ us'
    keys B
    wait_for 'time of n products'
    wait_for 'a to b .*at [0-9,]+|a is best from the first product'
    keys i
    wait_for 'NVIDIA H200 SXM|GFLOP/s over FLOP/byte'
    keys u
    wait_for 'No kernel was tuned. On Kernels \(6\), t tunes'
    keys c
    wait_for 'format +space +flexible +accessible +access +balance'
    wait_for 'csr +[*]?0\.[0-9]+'
    keys q
    ended_with 0
}

@test "a run on Kernels is measured on Advice, and Enter leads back to the kernel, or to the format" {
    screen 80x24 --limit=8M "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'f f64 +T threads'
    keys r
    wait_for 'run #1, f64'
    keys 7
    wait_for '^ +this processor'
    wait_for 'f64, 1 measured, [0-9]+ forecast$'
    wait_for 'On this processor, take cpu/'
    keys b
    wait_for '██ measured'
    keys Enter
    wait_for '^ cpu/[a-z]+-[a-z]+'
    wait_for 'f f64 +T threads'
    keys 7 c Down Enter
    wait_for 'CSR +csr'
    keys q
    wait_for '1 run is not saved'
    keys y
    ended_with 0
}

@test "all panes are shown on a wide terminal, in ASCII too" {
    advice_screen 160x48 --ascii --gpu=h200 "$SRCDIR/data/demo.mtx.gz"
    wait_for 'w Why .*b Bars .*B Break-even'
    wait_for 'i Roofline .*u Tuning .*c Criteria'
    wait_for '== forecast +## measured'
    if contents | LC_ALL=C grep -q '[^ -~]'; then false; fi
    keys a
    wait_for 'w Why .*b Bars .*B Break-even .*i Roofline'
    keys q
    ended_with 0
}

@test "a report of the GPU is laid beside the forecasts, kernel by kernel" {
    screen 120x36 --gpu=h200 "--results=$SRCDIR/tests/screens/saved_gpu.json" "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    keys 7
    wait_for 'w Why'
    keys b
    wait_for 'error: median [0-9.]+%, largest [0-9.]+%'
    wait_for ' [0-9.]+ us +[+-][0-9.]+%'
    keys q
    ended_with 0
}
