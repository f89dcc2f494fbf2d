#!/usr/bin/env bats
# The Kernels screen in a terminal: running, cancelling, and visiting other screens meanwhile.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# kernels_screen COLSxROWS ARGUMENT...: the explorer on this screen.
kernels_screen() {
    screen "$@"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'f f64 +T threads'
}

# The kernel that the line below the table describes.
on() {
    contents | grep -oE '^ [a-z]+/[a-z]+-[a-z]+' | tail -1 | tr -d ' '
}

moved_from() {
    [ "$(on)" != "$1" ]
}

# go_to NAME: put the cursor on a kernel by its name.
go_to() {
    keys /
    keys -l "${1/\// }"
    wait_for "Find: ${1/\// }"
    keys Enter
    wait_gone 'Find:'
    wait_for "^ $1  "
}

@test "selected kernels run, and become a run" {
    kernels_screen 80x24 --limit=8M "$SRCDIR/data/pmpp.mtx"
    wait_for 'R runs all [0-9]+ kernels, r the one under the cursor; all take about'
    go_to cpu/csr-seq
    keys Space
    wait_for '1 of [0-9]+ selected'
    go_to cpu/csr-omp
    keys Space
    wait_for '2 of [0-9]+ selected'
    keys r
    wait_for '^•[>=]\* cpu/csr-'
    wait_for 'cpu/csr-seq +1 +[0-9.]+ [num]?s +([0-9.]+ [num]?s|-) +[<>]?[0-9.]+% +[0-9.]+ '
    wait_for 'memory read [0-9.]+ GB/s'
    keys b
    wait_for '#1 base'
    wait_for 'cpu/csr-omp +f64 x[0-9]+ +[0-9.]+ [num]?s'
    keys b '['
    wait_for 'Run 1 of 1: #1 f64'
    keys q
    wait_for '1 run is not saved'
    keys y
    ended_with 0
}

@test "a run continues while other screens are shown, and x cancels it" {
    kernels_screen 80x24 gen:laplace2d,n=400
    keys R
    wait_for ' running .* x cancels'
    keys 5 # there is no run yet
    keys 1
    wait_for 'relative to CSR'
    keys 2
    wait_for '^ Where are the entries'
    keys 3
    wait_for '^ How long are rows'
    wait_for 'Rows by length|After the kernels are timed'
    keys /
    keys -l diag
    keys Enter
    wait_for 'would disturb|found '
    keys 6
    wait_for ' running |memory read'
    keys x
    with_patience "the run does not end" gone ' running '
    wait_for 'R runs all|memory read'
    keys q
    ended_with 0
}

@test "quitting asks while kernels are timed" {
    kernels_screen 80x24 gen:laplace2d,n=400
    keys R
    wait_for ' running .* x cancels'
    keys q
    wait_for 'kernels are being timed. Quit\? y quits, n stays$'
    keys n
    wait_gone 'Quit\?'
    keys 1
    wait_for 'relative to CSR'
    keys q # on another screen, too
    wait_for 'kernels are being timed(, [0-9]+ runs? (is|are) not saved)?\. Quit\? y quits, n stays$'
    keys y
    ended_with 0
}

@test "rows with parameters are added and removed" {
    kernels_screen 120x36 --limit=8M "$SRCDIR/data/pmpp.mtx"
    go_to cpu/cmrs-omp
    keys p
    wait_for 'cmrs-omp \(height, packed'
    keys -l 'nonsense=3'
    keys Enter
    wait_for "has no parameter 'nonsense'"
    keys p
    wait_for 'cmrs-omp \(height, packed'
    keys -l 'height=2,packed=1'
    keys Enter
    wait_for '^ +cpu/cmrs-omp:height=2,pac'
    keys DC
    wait_gone 'cpu/cmrs-omp:height=2'
    keys q
    ended_with 0
}

@test "a sweep over threads is shown as curves" {
    screen_env='OMP_NUM_THREADS=3'
    kernels_screen 80x24 --limit=8M gen:laplace2d,n=20
    go_to cpu/csr-omp
    keys V
    wait_for 'GFLOP/s over threads +run #1: f64 1-3 thr'
    wait_for 'a cpu/csr-omp .* x that of 1'
    keys v
    wait_gone 'over threads'
    keys i
    wait_for 'GFLOP/s over FLOP/byte'
    keys i q
    wait_for '1 run is not saved'
    keys y
    ended_with 0
}

@test "a format that is refused has its reason in its row" {
    kernels_screen 120x36 --limit=8M gen:random,m=20000,mean=2
    go_to cpu/dia-seq
    keys r
    wait_for 'run #1'
    wait_for '! +cpu/dia-seq +dia would take'
    keys q
    wait_for '1 run is not saved'
    keys y
    ended_with 0
}

@test "Kernels in ASCII" {
    kernels_screen 120x36 --ascii --limit=8M "$SRCDIR/data/pmpp.mtx"
    contents >one
    keys Space r
    wait_for 'memory read'
    contents >two
    keys c
    wait_for '\[x\] Threads'
    contents >three
    if LC_ALL=C grep -nE '[^ -~]' one two three; then return 1; fi
}

@test "a kernel is tuned, and its variants are a map" {
    kernels_screen 80x24 --limit=8M gen:laplace2d,n=20
    go_to cpu/bsr-seq
    keys t
    wait_for 'cpu/bsr-seq  T / T\(best\), best .* 7 of 7 variants run'
    wait_for '^ *size'
    wait_for '>1.00'
    wait_for 'Enter adds it as a row of the table, u goes there'
    keys Home Left Left Left Left Left Left
    still 'cpu/bsr-seq:size=2'
    keys Right Enter
    wait_for 'added as a row of the table|is already a row of the table'
    keys u
    wait_gone 'variants run'
    wait_for 'cpu/bsr-seq:size=3'
    keys q
    wait_for '1 run is not saved'
    keys y
}
