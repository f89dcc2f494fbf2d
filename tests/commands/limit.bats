#!/usr/bin/env bats
# --limit: the peak memory of each command, for matrices of odd shapes. In addition to the limit a process has its code,
# its libraries and the slack of src/base/memory.h.

load ../support/helper

beside=$((64 << 20))

setup() {
    need python3
    cd "$BATS_TEST_TMPDIR"
    if ldd "$SPARSIGHT" 2>/dev/null | grep -q 'lib[alt]san'; then skip "sanitizers take memory of their own"; fi
}

# coordinate FILE ROWS COLUMNS [ROW COLUMN]...: a pattern with these entries.
coordinate() {
    local file=$1 rows=$2 cols=$3
    shift 3
    printf '%%%%MatrixMarket matrix coordinate pattern general\n%s %s %d\n' "$rows" "$cols" $(($# / 2)) >"$file"
    [ $# -eq 0 ] || printf '%s %s\n' "$@" >>"$file"
}

# within LIMIT ARGUMENT...: the command ends by itself, and uses at most the limit and the memory named above.
within() {
    local limit=$1
    shift
    status=0
    OMP_NUM_THREADS=2 python3 -S "$SRCDIR/tests/support/peak.py" $((limit + beside)) "$SPARSIGHT" "$@" >out 2>err || status=$?
    [ "$status" -le 2 ] || { echo "status $status: $*"; cat err; false; }
}

@test "every command keeps the limit, whatever the shape" {
    local file most=$((2147483647)) limit=$((100 << 20)) seen=0
    coordinate tall.mtx 10000000 3 1 1 5000000 2 10000000 3
    coordinate square.mtx 8000000 8000000 1 1 7 9 8000000 3
    coordinate wide.mtx 2 12000000 1 1 2 12000000
    coordinate row.mtx 1 10000000 1 7
    coordinate column.mtx 10000000 1 7 1
    coordinate none.mtx 9000000 9000000
    coordinate most.mtx $most $most 1 1 5 7 $most $most
    coordinate longest.mtx $most 1 1 1
    coordinate widest.mtx 1 $most 1 1
    for file in tall square wide row column none most longest widest; do
        for format in text json csv html; do
            within $limit report --limit=$limit --format=$format $file.mtx
            [ "$status" -ne 0 ] || seen=$((seen + 1))
        done
        within $limit report --limit=$limit --kernels=csr-seq --repeat=1 $file.mtx
        within $limit report --limit=$limit --reorder=rcm $file.mtx
        within $limit report --limit=$limit --parts=4 $file.mtx
        within $limit plot pattern --limit=$limit -o $file.svg $file.mtx
        within $limit convert --limit=$limit --to=npz $file.mtx $file.npz
        within $limit survey --limit=$limit -o $file.jsonl $file.mtx
    done
    [ "$seen" -ge 20 ] # most matrices are reported, though incompletely
}

@test "with a small limit a report lacks the parts that exceed it, and no others" {
    need jq
    coordinate square.mtx 1000000 1000000 1 1 7 9 1000000 3
    "$SPARSIGHT" report --limit=12M --format=json square.mtx >small 2>err
    grep -q 'more would pass the limit of 12.0 MiB; --limit=BYTES sets it' err
    "$SPARSIGHT" report --format=json square.mtx >large 2>/dev/null
    jq -S '.matrices[0] | {rows, cols, nnz, row_lengths, density}' small >one
    jq -S '.matrices[0] | {rows, cols, nnz, row_lengths, density}' large >other
    diff one other
}

@test "the limit holds for saved reports, too" {
    need jq
    "$SPARSIGHT" report --limit=8M --format=json --kernels=csr-seq --repeat=1 "$SRCDIR/data/pmpp.mtx" >one.json
    # Read in full they take 200 MiB.
    jq -c '.matrices[0] as $m | .matrices = [range(300) | $m | .name = "m\(.)"]' one.json >many.json
    within $((60 << 20)) compare --limit=$((60 << 20)) many.json many.json
    [ "$status" -ne 0 ]
    grep -q 'limit' err
    within $((2 << 30)) compare --limit=2G many.json many.json
    [ "$status" -eq 0 ]
}
