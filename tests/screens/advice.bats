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

@test "the best kernel on an absent GPU is forecast, and each section is shown" {
    advice_screen 72x20 --gpu=h200 "$SRCDIR/data/demo.mtx.gz"
    wait_for '^ +this processor +NVIDIA H200 SXM '
    wait_for 'On this processor, take cpu/'
    keys m
    wait_for '^ > advised +(cuda|cusparse)/.* ~[0-9.]+ us'
    wait_for 'On the NVIDIA H200 SXM, take (cuda|cusparse)/'
    keys NPage
    wait_for 'Changes that matter'
    keys NPage
    wait_for '^ +1,000,000 +(cuda|cusparse)/'
    keys b
    wait_gone 'Best kernel by number of products'
    wait_for '━━ forecast +██ measured +nothing was measured'
    wait_for '^> (cuda|cusparse)/.* ~[0-9.]+ us'
    keys B
    wait_for 'time of n products'
    wait_for 'a to b .*at [0-9,]+|a is best from the first product'
    keys i
    wait_for 'GFLOP/s over FLOP/byte'
    keys u
    wait_for 'No kernel was tuned. On Kernels \(6\), t tunes'
    keys c
    wait_for 'format +space +flexible +accessible +access +balance'
    wait_for 'csr +[*]?0\.[0-9]+'
    keys q
    ended_with 0
}

@test "a run on Kernels counts on Advice, and Enter leads back to the kernel, or to the format" {
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

@test "a wide terminal shows most of the page, in ASCII too, and one section alone" {
    advice_screen 160x48 --ascii --gpu=h200 "$SRCDIR/data/demo.mtx.gz"
    wait_for '^-w Why -b Times -B Break-even -i Roofline -s Solves -t Triangles -G SpGEMM -p Precisions -c Criteria -u Tuning '
    wait_for '^ > advised +cpu/.* [.]*[w~2=]*##+ +~[0-9.]+ us'
    wait_for '## instructions [0-9.]+ us, [0-9.]+%'
    wait_for 'Changes that matter -.* b Times -'
    wait_for 'Best kernel by number of products'
    wait_for '== forecast'
    wait_for '^- B Break-even -'
    if contents | LC_ALL=C grep -q '[^ -~]'; then false; fi
    keys a
    wait_gone 'Changes that matter'
    wait_for '^ > advised +cpu/'
    keys q
    ended_with 0
}

@test "at 80x24 the verdict and the divided bars are visible, and the page scrolls to its details" {
    advice_screen 80x24 --gpu=h200 "$SRCDIR/data/demo.mtx.gz"
    wait_for '^ On this processor, take cpu/'
    wait_for '^ On the NVIDIA H200 SXM, take cu'
    wait_for '^ > advised +cpu/.* instructions .* ~[0-9.]+ us'
    wait_for '^   library +.*█ +~[0-9.]+ us'
    wait_for '██ instructions [0-9.]+ us'
    keys Right
    wait_for 'The time to wake all threads'
    keys '?'
    wait_for 'Under the cursor'
    wait_for 'Counted: the parallel regions of the kernel'
    keys '?'
    wait_gone 'Under the cursor'
    keys End
    wait_for 'No kernel was tuned'
    keys Home
    wait_for '^ On this processor, take cpu/'
    keys q
    ended_with 0
}

@test "at 140x40 two columns follow the bars, and the orders have a table, which e shows, too" {
    advice_screen 140x40 "$SRCDIR/data/dissection.mtx.gz"
    wait_for 'Only the natural order was compared. e makes others.'
    # No order starts while background work is timed.
    with_patience "the program to come to rest" at_rest
    keys e Enter
    wait_for 'order: rcm'
    wait_for ' o Orders: their effect on the best kernel'
    wait_for '^ order +kind +bandwidth +profile +best kernel +time +x natural +permuting +pays off at'
    wait_for '^ natural +[0-9,]+ +[0-9,]+ +cpu/.* ~[0-9.]+ us +1 '
    wait_for '^ rcm +symmetric +[0-9,]+ +[0-9,]+ +cpu/.* ~[0-9.]+ us +[01][.][0-9]+ '
    wait_for '^ rcm: [0-9.]+% (faster, (worth it only if|even if) x and y|slower)|^ rcm: as fast'
    keys e
    wait_for ' rcm \(shown\) +symmetric +[0-9,]+ +[0-9,]+ +cpu/.* ~[0-9.]+ us +[01][.][0-9]+ '
    wait_for ' rcm: [0-9.]+% (faster|slower)| rcm: as fast'
    keys Escape q
    ended_with 0
}

@test "a report from the GPU is shown beside the forecasts, kernel by kernel" {
    screen 120x36 --gpu=h200 "--results=$SRCDIR/tests/screens/saved_gpu.json" "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    keys 7
    wait_for ' w Why:'
    keys b
    wait_gone ' w Why:'
    wait_for 'error: median [0-9.]+%, largest [0-9.]+%'
    wait_for ' [0-9.]+ us +[+-][0-9.]+%'
    keys q
    ended_with 0
}

@test "the program's own measurement of the processor yields to a picture, a search and an order" {
    screen_env="SPARSIGHT_PROCESSOR= XDG_CACHE_HOME=$PWD/cache"
    screen 120x40 "$SRCDIR/data/demo.mtx.gz"
    wait_for 'relative to CSR'
    keys 7
    wait_for 'Measuring the processor|f64, [0-9]+ forecast$'
    keys P
    wait_for 'Write this picture'
    keys Enter
    wait_for 'the picture is in|disturb'
    if seen disturb; then false; fi
    keys 2 / 'len>100' Enter
    wait_for 'found |disturb'
    if seen disturb; then false; fi
    keys 7
    wait_for 'Measuring the processor|f64, [0-9]+ forecast$'
    keys e
    wait_for 'Orders'
    keys Enter
    wait_for 'order: rcm|disturb'
    if seen disturb; then false; fi
    wait_gone 'Measuring the processor' # it has continued, and ended
    keys q
    ended_with 0
}
