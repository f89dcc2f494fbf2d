#!/usr/bin/env bats
# The sizes of DASP, beside those of its definitions in Python (tests/support/dasp.py).

load ../support/helper

setup() { cd "$BATS_TEST_TMPDIR"; }

# Compare slots, padding, integers and bytes of files in DASP, with rows of more than LONG entries long.
sizes() { # LONG THRESHOLD FILE...
    local long=$1 threshold=$2 file
    shift 2
    for file; do
        sparsight report --format=json --kernels=none --convert="dasp:long=$long,threshold=$threshold" "$file"
        [ "$status" = 0 ]
        python3 "$SRCDIR/tests/support/dasp.py" "$file" "$long" "$threshold" >plain
        awk '/^(slots|padding|integers|bytes) / { print $2 }' plain >expected
        python3 -c 'import json
row = [row for row in json.load(open("out"))["matrices"][0]["formats"] if row["format"] == "dasp"][-1]
for key in "slots", "padding", "integers", "bytes":
    print(row[key])' >counted
        diff expected counted || { echo "$file, long=$long, threshold=$threshold"; return 1; }
    done
}

@test "sizes are those of the definitions, for matrices with rows of all kinds" {
    "$SPARSIGHT" gen powerlaw,scale=11,seed=3 -o powerlaw.mtx
    "$SPARSIGHT" gen random,m=500,n=400,mean=3,spread=3,seed=4 -o random.mtx
    "$SPARSIGHT" gen laplace3d,n=9 -o stencil.mtx
    sizes 256 0.75 powerlaw.mtx random.mtx stencil.mtx "$SRCDIR/data/pmpp.mtx"
    sizes 12 0.5 powerlaw.mtx random.mtx stencil.mtx
    sizes 4 1 powerlaw.mtx
}

@test "the order of arrays is that of the definitions" {
    "$SPARSIGHT" gen powerlaw,scale=7,seed=5 -o small.mtx
    sparsight report --kernels=none --arrays=dasp:long=16 small.mtx
    [ "$status" = 0 ]
    python3 "$SRCDIR/tests/support/dasp.py" small.mtx 16 | sed -n '/^perm/,$p' | while read -r name elements; do
        case $name in *val) continue ;; esac
        # The lines of an array begin with the index of their first element.
        awk -v name="  $name:" 'index($0, name) == 1 { inside = 1; next }
            inside && /^ *[0-9]+:/ { sub(/^ *[0-9]+:/, ""); gsub(/[|*]/, " "); printf "%s ", $0; next }
            inside && /^  [a-z_]+:/ { exit }' out | xargs >counted
        [ -s counted ] && [ "$(<counted)" = "$elements" ] || { echo "$name differs"; return 1; }
    done
}
