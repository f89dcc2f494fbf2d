#!/usr/bin/env bats
# The JSON Schema of the report: made from the columns, installed, kept, and true of what is written. That the reports of all other
# tests are valid, `sparsight` in support/helper.bash sees to.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    schema=$SRCDIR/data/sparsight-report-2.schema.json
}

# Each key of the schema with the definition or key that it is in, and what its value may be.
keys_of() { # keys_of SCHEMA
    jq -r 'def keys_in($at): (.properties // {}) | to_entries[] | ($at + "." + .key) as $key
        | ($key + " " + ([.value.type // .value.const // "any"] | flatten | join(","))), (.value | keys_in($key));
        keys_in("report"), (.["$defs"] | to_entries[] | .key as $name | .value | keys_in($name))' "$1" | sort
}

@test "the installed schema is the one that the program makes" {
    sparsight schema
    show
    [ "$status" -eq 0 ]
    [ ! -s err ]
    echo "make schema brings data/sparsight-report-2.schema.json up to date"
    cmp out "$schema"
    sparsight schema -o file
    [ "$status" -eq 0 ]
    cmp file "$schema"
    sparsight schema "$SRCDIR/data/pmpp.mtx"
    show
    [ "$status" -eq 2 ]
    grep -q 'takes no matrix' err
}

# The keys of sparsight-report/2, as they were promised. One that is gone, or whose value is another, breaks whoever reads reports.
@test "no key of the report is gone, and new ones are kept" {
    need jq
    sparsight schema
    keys_of out >keys
    [ "$(wc -l <keys)" -gt 400 ]
    sort "$SRCDIR/tests/report/keys.txt" >kept
    echo "keys that are gone: a reader of sparsight-report/2 breaks, so put them back"
    comm -13 keys kept | tee gone
    echo "keys that are new: add these lines to tests/report/keys.txt"
    comm -23 keys kept | tee new
    [ ! -s gone ]
    [ ! -s new ]
}

# The schema says of each column what the report's manual says of it.
@test "keys of columns have title, unit and definition" {
    need jq
    jq -e '.["$defs"] | (.matrix.properties.structure.properties.lower_bandwidth | .title == "Lower bandwidth"
            and .["x-unit"] == "diagonals" and .description == "largest max(0, i - j) over the entries (i, j)"
            and .type == ["integer", "null"])
        and (.kernel.properties.estimate | .title == "Estimate" or .title != null)
        and (.kernel.properties.cmrs.properties.f_128.type == ["number", "null"])
        and (.kernel.required | index("label") != null and index("time_us") != null)
        and (.format.required | index("arrays") == null)' "$schema"
    jq -e '[.. | objects | select(has("x-unit")) | select(.description | length < 4)] | length == 0' "$schema"
}

@test "reports of every kind are valid, and what is not the schema's is noticed" {
    need python3
    python3 "$SRCDIR/tests/support/validate.py" "$schema" || {
        [ $? -eq 77 ] && skip "no jsonschema of draft 2020-12 for python3: no report is held against the schema"
        false
    }
    printf '%s\n' '%%MatrixMarket matrix coordinate complex general' '1 2 1' '1 2 0.5 -3' >complex.mtx
    printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' '2 0 0' >empty.mtx
    "$SPARSIGHT" report --format=json --limit=8M --repeat=3 --kernels='cpu/* cuda/* cusparse/*' --precision=f32,f64 --structure \
        --reorder=rcm,nonsense=1 --arrays=all complex.mtx absent.mtx >refused.json 2>err || true
    "$SPARSIGHT" report --format=json --limit=8M --repeat=3 --kernels='cpu/* cuda/* cusparse/*' --precision=f32,f64 --structure \
        --reorder=rcm --arrays=all complex.mtx absent.mtx empty.mtx "$SRCDIR/data/pmpp.mtx" >all.json 2>err || true
    "$SPARSIGHT" report --format=jsonl --limit=8M --tune --repeat=2 --kernels='cuda/cmrs cpu/sell-omp' "$SRCDIR/data/cmrs.mtx" absent.mtx >lines.jsonl 2>err || true
    [ "$(wc -l <lines.jsonl)" -eq 2 ]
    [ ! -s refused.json ]
    jq '.matrices |= .[:1] | .matrices[0].kernels |= .[:1]' all.json >few.json
    valid all.json few.json lines.jsonl
    local fault
    for fault in 'del(.version)' 'del(.matrices[0].structure.profile)' '.matrices[0].nnz = "1"' '.matrices[0].kernels[0].time_us = "1"' \
        '.schema = "sparsight-report/1"' '.matrices[0].extra = 1' '.host.extra = 1' '.errors[0].line = "x"' \
        'del(.matrices[0].kernels[0].predicted)' '.matrices[0].kernels[0].params = [1]'; do
        jq "$fault" few.json >wrong.json
        echo "$fault"
        ! valid wrong.json || false
    done
    "$SPARSIGHT" report --format=jsonl "$SRCDIR/data/pmpp.mtx" >line
    jq -c 'del(.rows)' line >wrong.json
    ! valid wrong.json || false
}
