#!/usr/bin/env bats
# The JSON Schema of the report: made from the columns, installed, stable, and valid for all output. `sparsight` in
# support/helper.bash checks the reports of all other tests.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    schema=$SRCDIR/data/sparsight-report-2.schema.json
}

# Each key of the schema, with the definition or key that contains it, and the types of its value.
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
    grep -q 'no schema is called .*; there are report, survey, survey-tables, compare$' err
}

# The promised keys of sparsight-report/2. A missing key, or another type of value, breaks programs that read reports.
@test "no key of the report is missing, and new ones are listed" {
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

# The schema and the report's manual agree on each column.
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

@test "lines of surveys, their tables and comparisons are valid by their schemas, and deviations are noticed" {
    need python3
    python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null || skip "no jsonschema of draft 2020-12 for python3"
    local kind
    for kind in survey survey-tables compare; do
        sparsight schema $kind -o $kind.schema
        [ "$status" -eq 0 ]
    done
    "$SPARSIGHT" survey -o s.jsonl --limit=8M --repeat=2 --kernels='cpu/csr-seq cpu/csr-omp' "$SRCDIR/data/pmpp.mtx" absent.mtx >out 2>err || true
    "$SPARSIGHT" survey --resume -o s.jsonl --format=json >tables.json || true
    "$SPARSIGHT" report --format=json --limit=8M --repeat=2 --kernels='cpu/csr-seq cpu/csr-omp' "$SRCDIR/data/pmpp.mtx" >r.json
    "$SPARSIGHT" compare r.json s.jsonl --format=json >compared.json || true
    python3 - <<'END'
import copy, json, jsonschema
def checker(name):
    schema = json.load(open(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)
survey = checker("survey.schema")
lines = [json.loads(line) for line in open("s.jsonl")]
assert [next(iter(line)) if len(line) == 1 else "matrix" for line in lines] == ["survey", "matrix", "input", "error", "input"]
for line in lines:
    survey.validate(line)
def spoiled(value, path, put):
    value = copy.deepcopy(value)
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    if put is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = put
    return value
for line, path, put in ((0, ["survey", "settings"], 1), (0, ["survey", "date"], None), (0, ["survey", "host", "cpus"], "2"), (1, ["rows"], None),
                        (2, ["input", "failed"], "no"), (2, ["input", "seconds"], None), (3, ["error", "message"], 5)):
    assert not survey.is_valid(spoiled(lines[line], path, put)), path
tables = json.load(open("tables.json"))
checker("survey-tables.schema").validate(tables)
assert tables["kernels"] and tables["errors"] and tables["reports"]
compared = json.load(open("compared.json"))
compare = checker("compare.schema")
compare.validate(compared)
assert compared["kernels"] and len(compared["reports"]) == 2
for path, put in ((["kernels", 0, "ratio"], "1"), (["means"], None), (["kernels", 0, "verdict"], None), (["schema"], "sparsight-compare/0")):
    assert not compare.is_valid(spoiled(compared, path, put)), path
END
}

@test "reports of every kind are valid, and deviations from the schema are noticed" {
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
