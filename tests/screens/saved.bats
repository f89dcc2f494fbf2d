#!/usr/bin/env bats
# Reports that were saved, opened beside the matrix.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

@test "a file that is no report ends it before the screen is drawn" {
    need_explorer
    echo '{"schema": "sparsight-report/9", "matrices": []}' >later.json
    head -c 300 later.json | head -c 20 >cut.json
    local file reason
    while IFS='|' read -r file reason; do
        sparsight "--results=$file" "$SRCDIR/data/pmpp.mtx"
        show
        [ "$status" -eq 1 ]
        [ ! -s out ]
        [ "$(wc -l <err)" -eq 1 ]
        grep -qF -- "$reason" err
    done <<'END'
later.json|later.json: a report of the schema 'sparsight-report/9'; this version reads sparsight-report/1
cut.json|cut.json:1:20: no JSON (
nowhere.json|nowhere.json: No such file
END
}

@test "a report with nothing on the matrix is said, and the explorer goes on" {
    sparsight report --format=json --kernels=csr-seq --repeat=2 -o other.json "gen:laplace2d,n=3"
    screen 120x30 --results=other.json "$SRCDIR/data/pmpp.mtx"
    wait_for 'other.json: nothing on pmpp \(4 x 4, 7 entries\); it has laplace2d,n=3 \(9 x 9, 33 entries\)'
    keys 2
    wait_for 'Legend'
    keys q
    ended_with 0
}

@test "a report on the matrix is opened without a word" {
    sparsight report --format=jsonl --kernels=csr-seq --repeat=2 -o same.jsonl "$SRCDIR/data/pmpp.mtx"
    screen 80x24 --results=same.jsonl --results=same.jsonl "$SRCDIR/data/pmpp.mtx"
    wait_for 'Name: '
    if contents | grep -q 'same.jsonl'; then false; fi
    keys q
    ended_with 0
}

@test "a report that was made on a GPU shows that GPU, its bandwidths and its kernels" {
    screen 120x40 "--results=$SRCDIR/tests/screens/saved_gpu.json" --device=1 "$SRCDIR/data/pmpp.mtx"
    wait_for 'Name: '
    keys 6
    wait_for 'R runs all'
    keys '['
    wait_for 'Run 1 of 1: #1 saved_gpu.json: NVIDIA H200 \(saved\) +NVIDIA H200: read 4394 GB/s, copy 4271 GB/s, L2 60.0 MiB'
    wait_for '>\* cuda/ell-rowmajor:.* +- +2.24 us'
    wait_for 'cusparse/csr-alg1 +- +4.59 us'
    wait_for 'Device +NVIDIA H200'
    T resize-window -x 80 -y 30
    keys Enter Enter
    wait_for '^ NVIDIA H200: read 4394 GB/s, copy 4271 GB/s, L2 60.0 MiB'
    keys Enter b
    wait_for '#1 saved base'
    wait_for 'cuda/coo-atomic +f64 +3.16 us'
    keys q
    ended_with 0
}
