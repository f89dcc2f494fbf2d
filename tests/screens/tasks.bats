#!/usr/bin/env bats
# Users' questions, and the number of keys from the first screen to the sentence that answers them: at most four.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# answered_by KEYS... -- PATTERN...: press these keys, at most four, and expect all patterns.
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

# A matrix of each kind: the example, and two others.
matrices() {
    printf '%s\n' "$SRCDIR/data/$1" "$SRCDIR/data/blocks.mtx.gz" gen:laplace2d,n=60
}

# on_each MATRIX SIZE FUNCTION: call the function on the screen of each of the matrices.
on_each() {
    local matrix
    while read -r matrix <&3; do
        echo "$matrix"
        screen "$2" "$matrix"
        wait_for 'relative to CSR'
        "$3" "$matrix"
        screen_end
    done 3< <(matrices "$1")
}

which_format() {
    wait_for 'Take cpu/[a-z-]+ on this processor: '
    wait_for 'Take cu[a-z]+/[a-z0-9-]+ on the NVIDIA H200'
    answered_by 7 -- 'On this processor, take cpu/' 'On the NVIDIA H200 SXM, take cu' ' longer \(| as long|is tied with' 'is bound( by|$)'
}

why_slow() {
    answered_by 5 -- 'csr-scalar' 'forecast [0-9.]+ [nu]s, bound by '
}

does_rcm_help() {
    answered_by e Enter 7 -- 'order: rcm' '^ rcm: ([0-9.]+% (faster|slower)|as fast)'
}

longest_row() {
    local most
    most=$("$SPARSIGHT" report --format=json "$1" | "$PYTHON" -c 'import json, sys; print(format(json.load(sys.stdin)["matrices"][0]["row_lengths"]["max"], ","))')
    answered_by 3 Enter -- 'Entries' "row [0-9,]+: $most entries" 'mirror image'
}

how_many_parts() {
    answered_by 8 -- 'Fastest( so far)?: .* part|one process' 'ommunication'
}

@test "tasks: which format here and on an H200, and why" {
    on_each powerlaw.mtx.gz 120x40 which_format
}

@test "tasks: why is csr-scalar slow" {
    on_each powerlaw.mtx.gz 120x40 why_slow
}

@test "tasks: does RCM help" {
    on_each dissection.mtx.gz 160x48 does_rcm_help
}

@test "tasks: the longest row and its contents" {
    on_each powerlaw.mtx.gz 80x24 longest_row
}

@test "tasks: two saved runs compared" {
    local run matrix
    for matrix in "$SRCDIR/data/pmpp.mtx" "$SRCDIR/data/blocks.mtx.gz"; do
        for run in a b; do
            "$SPARSIGHT" report --limit=64M --repeat=3 --kernels=csr-seq --kernels=coo-seq --format=json -o $run.json "$matrix"
        done
        screen 120x40 --results=a.json --results=b.json "$matrix"
        wait_for 'relative to CSR'
        answered_by 6 b -- '#2 takes [0-9.]+ times as long as #1' 'a.json|#1' 'b.json|#2' 'cpu/csr-seq'
        screen_end
    done
}

@test "tasks: how many parts" {
    on_each dissection.mtx.gz 120x40 how_many_parts
}
