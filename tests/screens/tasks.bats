#!/usr/bin/env bats
# Questions that users bring, and how many keys it takes from the first screen to the sentence that answers them: at
# most four.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# answered_by KEYS... -- PATTERN...: press these keys, at most four, and see all patterns.
answered_by() {
    local count=0
    while [ "$1" != -- ]; do
        keys "$1"
        count=$((count + 1))
        shift
    done
    shift
    [ "$count" -le 4 ]
    for pattern; do
        wait_for "$pattern"
    done
    keys q
    wait_for '^over|not saved|Quit'
}

@test "tasks: which format here and on an H200, and why" {
    screen 120x40 "$SRCDIR/data/powerlaw.mtx.gz"
    wait_for 'Take cpu/[a-z-]+ on this processor: '
    wait_for 'Take cu[a-z]+/[a-z0-9-]+ on the NVIDIA H200'
    answered_by 7 -- 'On this processor, take cpu/' ' longer \(' 'is bound by'
}

@test "tasks: why is csr-scalar slow" {
    screen 120x40 "$SRCDIR/data/powerlaw.mtx.gz"
    wait_for 'relative to CSR'
    answered_by 5 -- 'csr-scalar' 'forecast [0-9.]+ [nu]s, bound by '
}

@test "tasks: does RCM help" {
    screen 160x48 "$SRCDIR/data/dissection.mtx.gz"
    wait_for 'relative to CSR'
    answered_by e Enter 7 -- 'order: rcm' '^ rcm: ([0-9.]+% (faster|slower)|as fast)'
}

@test "tasks: the longest row and its contents" {
    screen 80x24 "$SRCDIR/data/powerlaw.mtx.gz"
    wait_for 'relative to CSR'
    answered_by 3 Enter -- 'Entries' 'row [0-9,]+: 283 entries' 'mirror image'
}

@test "tasks: two saved runs compared" {
    local run
    for run in a b; do
        "$SPARSIGHT" report --limit=8M --repeat=3 --kernels=csr-seq --kernels=coo-seq --format=json -o $run.json "$SRCDIR/data/pmpp.mtx"
    done
    screen 120x40 --results=a.json --results=b.json "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    answered_by 6 b -- 'a.json|#1' 'b.json|#2' 'cpu/csr-seq'
}

@test "tasks: how many parts" {
    screen 120x40 "$SRCDIR/data/dissection.mtx.gz"
    wait_for 'relative to CSR'
    answered_by 8 -- 'Fastest( so far)?: .* part' 'ommunication'
}
