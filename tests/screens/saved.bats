#!/usr/bin/env bats
# Saved reports, opened with the matrix or without it.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# Show a small matrix, and make a run on the Kernels screen.
open_and_run() {
    screen 80x24 --limit=8M "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'f f64 +T threads'
    keys r
    wait_for 'run #1, f64'
}

@test "with a file that is not a report the explorer ends before it draws a screen" {
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
later.json|later.json: a report of the schema 'sparsight-report/9'; this version reads sparsight-report/1 and sparsight-report/2
cut.json|cut.json:1:20: not JSON (
nowhere.json|nowhere.json: No such file
END
}

@test "a report without the matrix causes a message, and the explorer continues" {
    sparsight report --limit=8M --format=json --kernels=csr-seq --repeat=2 -o other.json "gen:laplace2d,n=3"
    screen 120x30 --results=other.json "$SRCDIR/data/pmpp.mtx"
    wait_for 'other.json: no results for pmpp \(4 x 4, 7 entries\); the report has laplace2d,n=3 \(9 x 9, 33 entries\)'
    keys 2
    wait_for 'Legend'
    keys q
    ended_with 0
}

@test "a report on the matrix is opened without a message" {
    sparsight report --limit=8M --format=jsonl --kernels=csr-seq --repeat=2 -o same.jsonl "$SRCDIR/data/pmpp.mtx"
    screen 80x24 --results=same.jsonl --results=same.jsonl "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    if contents | grep -q 'same.jsonl'; then false; fi
    keys q
    ended_with 0
}

@test "a report that was made on a GPU shows that GPU, its bandwidths and its kernels" {
    screen 120x40 "--results=$SRCDIR/tests/screens/saved_gpu.json" --device=1 "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'Run 1 of 1: #1 saved_gpu.json: NVIDIA H200 \(saved\) +NVIDIA H200: read 4394 GB/s, copy 4271 GB/s, L2 60.0 MiB'
    wait_for '>\* cuda/ell-rowmajor:.* +2.24 us'
    wait_for 'cusparse/csr-alg1 +4.59 us'
    keys Enter
    wait_for 'Device +NVIDIA H200'
    T resize-window -x 80 -y 30
    keys Enter
    wait_for '^ NVIDIA H200: read 4394 GB/s, copy 4271 GB/s, L2 60.0 MiB'
    keys Enter b
    wait_for '#1 saved base'
    wait_for 'cuda/coo-atomic +f64 +3.16 us'
    keys q
    ended_with 0
}

# rows FILE: name, time and speed of each kernel of a report, in its order.
rows() {
    jq -r '.matrices[].kernels[] | select(.time_us) | [.label, .precision, .time_us, .gflops, .samples] | @tsv' "$1"
}

@test "a run that is saved is read back with the same numbers" {
    need jq
    screen 120x30 --limit=8M "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'f f64 +T threads'
    keys S
    wait_for 'nothing to save'
    keys r
    wait_for 'run #1, f64'
    keys f r
    wait_for 'run #2, f32'
    keys S
    wait_for 'Save runs in: pmpp-runs.json'
    keys Enter
    wait_for '2 runs are saved in pmpp-runs.json'
    contents >before_quitting
    keys q # nothing is lost
    ended_with 0
    jq -e '.schema == "sparsight-report/2" and (.matrices | length) == 2 and .matrices[0].nnz == 7' pmpp-runs.json
    [ "$(rows pmpp-runs.json | wc -l)" -eq 2 ]
    [ "$(ls | grep -c 'pmpp-runs')" -eq 1 ]
    screen_end
    shown=$(grep -oE '[>=]\*? cpu/[^ ]+ +[0-9]+ +[0-9.]+ [num]?s' before_quitting | head -1)
    screen 120x30 --limit=8M --results=pmpp-runs.json "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'Run 2 of 2: #2 pmpp-runs.json: .*\(saved\)'
    with_patience "the program to come to rest" at_rest # all of the table is drawn
    contents >after
    [ -n "$shown" ]
    diff <(echo "$shown" | tr -s ' ') <(grep -oE '[>=]\*? cpu/[^ ]+ +[0-9]+ +[0-9.]+ [num]?s' after | head -1 | tr -s ' ')
    keys q
    ended_with 0
}

@test "the explorer asks before unsaved runs are lost" {
    open_and_run
    keys q
    wait_for '1 run is not saved. Quit\? y quits, s saves first, n stays'
    keys n
    wait_gone 'Quit\?'
    echo precious >there.json
    keys S
    wait_for 'Save runs in: pmpp-runs.json'
    keys C-u
    keys -l /nonexistent/runs.json
    keys Enter
    wait_for '/nonexistent/runs.json: cannot write: No such file'
    keys S
    wait_for 'Save runs in: pmpp-runs.json'
    keys C-u
    keys -l there.json
    keys Enter
    wait_for 'It exists already: Enter replaces it, Esc keeps it: there.json'
    keys Escape
    wait_gone 'It exists already'
    [ "$(cat there.json)" = precious ]
    keys q
    wait_for 'Quit\?'
    keys s
    wait_for 'Save runs in: pmpp-runs.json'
    keys C-u
    keys -l there.json
    keys Enter
    wait_for 'It exists already'
    keys Enter
    ended_with 0
    screen_end
    grep -q sparsight-report/2 there.json
    open_and_run
    keys q
    wait_for 'Quit\?'
    keys y
    ended_with 0
    [ ! -e pmpp-runs.json ]
}

@test "without the matrix the report's data is shown, and keys name the missing entries" {
    sparsight report --limit=8M --format=json --kernels=csr-seq --repeat=2 -o far.json "gen:dissection,n=60"
    screen 120x40 --results=far.json
    wait_for 'dissection,n=60 +3,600 x 3,600, 17,760 entries'
    keys 2
    wait_for 'finest dot'
    keys + + + + + + + + + +
    wait_for 'no finer picture than'
    keys /
    wait_for 'Find:'
    keys -l 'len=1'
    keys Enter
    wait_for 'a search needs the entries'
    keys 3
    wait_for 'Longest rows'
    keys c
    wait_for 'Longest columns'
    keys 4
    wait_for 'The arrays of formats are made from the entries'
    wait_for 'sparsight --results=far.json gen:dissection,n=60'
    keys 5
    wait_for 'computed from the entries'
    keys 6
    wait_for 'cpu/csr-seq'
    keys r
    wait_for 'kernels need the entries'
    keys 7
    wait_for '^ Which kernel'
    wait_for 'csr-seq'
    keys q
    ended_with 0
}

@test "without the matrix a report shows its partitions, or the message that it has none" {
    sparsight report --format=json --parts=2,4 --partition='natural entries' -o far.json "gen:laplace2d,n=40"
    screen 160x48 --results=far.json
    wait_for 'laplace2d,n=40'
    keys 8
    wait_for 'entries, 4 parts  volume '
    wait_for 'speed-up over one process, predicted'
    wait_for 'part 1, mostly local +row 1: part 1'
    wait_for 'part 1 owns 4[0-9]+ rows with '
    keys .
    wait_for 'natural, 4 parts  volume 240 elements'
    keys +
    wait_for 'the report has no such partition; If you have the matrix'
    keys v j
    wait_for 'part 2 \(down\) receives 40 from part 1 \(across\)'
    keys Enter
    wait_for 'needs the entries in memory'
    keys q
    ended_with 0
    screen_end
    # Predictions for another network: two messages of 40 elements take 200 us + 640 bytes / (1 GB/s).
    screen 160x48 --results=far.json --network=latency=100,bandwidth=1
    wait_for 'laplace2d,n=40'
    keys 8 .
    wait_for 'network: 100 us, 1 GB/s'
    wait_for 'partition +parts +volume +imbal. +compute +exchange +speed-up +eff. +comm.'
    wait_for 'natural +4 +240 +1.01 +[0-9.]+ [nu]s +201 us'
    keys q
    ended_with 0
    screen_end
    # Eight vectors have eight times the bytes: 100 us + 40 x 64 bytes / (10 MB/s).
    sparsight report --format=json --columns=8 --parts=2 --partition=natural -o eight.json "gen:laplace2d,n=40"
    screen 160x48 --results=eight.json --network=latency=100,bandwidth=0.01
    wait_for 'laplace2d,n=40'
    keys 8
    wait_for 'network: 100 us, 0.01 GB/s'
    wait_for 'natural +2 .* 356 us'
    keys q
    ended_with 0
    screen_end
    # The options for the first row take effect, too.
    screen 160x48 --results=far.json --parts=2 --partition=natural
    wait_for 'laplace2d,n=40'
    keys 8
    wait_for 'natural, 2 parts  volume 80 elements'
    keys q
    ended_with 0
    screen_end
    screen 160x48 --results=far.json --parts=3
    wait_for 'laplace2d,n=40'
    keys 8
    wait_for 'the report has no such partition; If you have the matrix'
    keys q
    ended_with 0
    screen_end
    screen 80x24 --stream gen:laplace2d,n=40
    wait_for 'laplace2d,n=40'
    keys 8
    wait_for 'Partitions need the entries'
    keys q
    ended_with 0
}

@test "one of several matrices in reports is opened by its name, and no other word counts as a name" {
    need_explorer
    sparsight report --format=json -o two.json "gen:laplace2d,n=3" "gen:arrow,n=9"
    sparsight --results=two.json
    show
    [ "$status" -ne 0 ]
    grep -q 'two.json' err || grep -q 'terminal' err
    screen 120x40 --results=two.json 'arrow,n=9'
    wait_for 'arrow,n=9 +9 x 9, 25 entries'
    keys q
    ended_with 0
    sparsight --results=two.json arow
    show
    [ "$status" -ne 0 ]
    grep -q "'arow' is neither a file nor a command" err
}

@test "a report that carries no data names the option to carry it" {
    sparsight report --format=json --carry=0 -o bare.json "gen:laplace2d,n=9"
    screen 100x30 --results=bare.json
    wait_for 'laplace2d,n=9'
    keys 2
    wait_for '[-][-]carry=64K'
    keys q
    ended_with 0
}

@test "a matrix beyond the limit is shown as far as one pass over its entries allows" {
    screen 120x40 --limit=64M gen:stencil27,n=64
    wait_for 'stencil27,n=64 +262,144 x 262,144, 6,859,000 entries'
    keys 2
    wait_for 'finest dot'
    wait_for 'entries not in memory'
    keys 3
    wait_for 'Longest rows'
    keys 4
    wait_for 'The arrays of formats are made from the entries'
    wait_for 'The entries were read as a stream and are not in memory: the matrix needs'
    wait_for 'Raise the limit with --limit=BYTES'
    keys 5
    wait_for 'computed from the entries'
    keys 6
    wait_for 'cpu/csr-omp'
    keys r
    wait_for 'kernels need the entries'
    keys 7
    wait_for '^ Which kernel'
    keys 8
    wait_for 'Partitions need the entries'
    wait_for 'Raise the limit with --limit=BYTES'
    keys q
    ended_with 0
}

@test "the name of a run is saved, read back and compared" {
    need jq
    screen 120x30 --limit=8M "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'f f64 +T threads'
    keys r
    wait_for 'run #1, f64'
    keys S
    wait_for 'Save runs in: pmpp-runs.json'
    keys Enter
    wait_for '1 run is saved in pmpp-runs.json'
    keys d C-u 'before the change' Enter
    wait_for 'run #1 is before the change'
    keys q # the name is not in the file yet
    wait_for '1 run .*not saved'
    keys s
    wait_for 'Save runs in: '
    keys C-u 'named.json' Enter
    ended_with 0
    [ "$(jq -c '[.matrices[].timing.name]' pmpp-runs.json named.json)" = '[null]
["before the change"]' ]
    screen_end
    screen 120x30 --limit=8M --results=named.json "$SRCDIR/data/pmpp.mtx"
    wait_for 'relative to CSR'
    keys 6
    wait_for 'Run 1 of 1: #1 before the change, named.json: .*\(saved\)'
    keys q
    ended_with 0
    run "$SPARSIGHT" compare pmpp-runs.json named.json
    [ "$status" = 0 ]
    grep -q 'timing.name .*before the change' <<<"$output"
}
