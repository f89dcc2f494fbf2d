#!/usr/bin/env bats
# sparsight compare. The times are made by hand, so that no test depends on real durations. Python computes the expected
# numbers from the definitions in sparsight(1).

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    need python3
    need jq
}

# report_of NAME [JQ]: a report of two matrices and three kernels with times made by hand, changed by a filter of jq.
report_of() {
    if [ ! -f "$BATS_FILE_TMPDIR/real.json" ]; then
        "$SPARSIGHT" report --format=json --limit=8M --repeat=6 --kernels='cpu/csr-seq cpu/csr-omp cpu/cmrs-omp' --threads=2 \
            "$SRCDIR/data/pmpp.mtx" "$SRCDIR/data/cmrs.mtx" 2>err >"$BATS_FILE_TMPDIR/real.json"
        jq '.host.cpu = "A" | .matrices |= [to_entries[] | .key as $m | .value | .kernels |= [to_entries[] | .key as $k | .value
            | ((10 + $k) * ($m + 1)) as $t | .time_us = $t | .median_us = $t | .low_us = $t * 0.97 | .high_us = $t * 1.02]]' \
            "$BATS_FILE_TMPDIR/real.json" >"$BATS_FILE_TMPDIR/made.json"
    fi
    jq "${2:-.}" "$BATS_FILE_TMPDIR/made.json" >"$1"
}

# The ratios of the JSON by another method: variance estimates recovery on logarithms, for each pair.
check_ratios() { # check_ratios BASE OTHER RESULT THRESHOLD
    python3 - "$@" <<'END'
import json, math, sys
base, other, result = (json.load(open(path)) for path in sys.argv[1:4])
threshold = float(sys.argv[4])
rows = {(m["name"], k["label"], k["threads"]): k for m in base["matrices"] for k in m["kernels"]}
now = {(m["name"], k["label"], k["threads"]): k for m in other["matrices"] for k in m["kernels"]}
assert len(result["kernels"]) == len(rows), len(result["kernels"])
logs, verdicts, by_kernel = [], [], {}
for row in result["kernels"]:
    key = (row["matrix"], row["kernel"], row["threads"])
    a, b = rows[key], now[key]
    ratio = b["median_us"] / a["median_us"]
    d = math.log(ratio)
    low = d - math.sqrt(math.log(b["low_us"] / b["median_us"]) ** 2 + math.log(a["high_us"] / a["median_us"]) ** 2)
    high = d + math.sqrt(math.log(b["high_us"] / b["median_us"]) ** 2 + math.log(a["low_us"] / a["median_us"]) ** 2)
    for found, expected in ((row["ratio"], ratio), (row["low"], math.exp(low)), (row["high"], math.exp(high))):
        assert abs(found - expected) <= 1e-12 * expected, (key, found, expected)
    overlap = a["low_us"] <= b["high_us"] and b["low_us"] <= a["high_us"]
    verdict = ("tie" if overlap else "slower" if ratio > 1 + threshold else "faster" if ratio * (1 + threshold) < 1 else "within threshold")
    assert row["verdict"] == verdict, (key, row["verdict"], verdict)
    by_kernel.setdefault(row["kernel"], []).append((d, d - low, high - d))
for row in result["means"]:
    some = sum(by_kernel.values(), []) if row["kernel"] == "all" else by_kernel.get(row["kernel"])
    if some is None:
        continue
    n, d = len(some), sum(s[0] for s in some)
    for found, expected in ((row["ratio"], d / n), (row["low"], (d - math.sqrt(sum(s[1] ** 2 for s in some))) / n),
                            (row["high"], (d + math.sqrt(sum(s[2] ** 2 for s in some))) / n)):
        assert abs(math.log(found) - expected) <= 1e-12, row
    assert row["pairs"] == n
assert {row["kernel"] for row in result["means"]} == set(by_kernel) | {"fastest", "all"}
END
}

@test "a report and itself: all are ties, and nothing differs" {
    report_of a.json
    sparsight compare --format=json a.json a.json
    show
    [ "$status" -eq 0 ]
    jq -e '.schema == "sparsight-compare/1" and .settings == [] and .absent == [] and (.kernels | length == 6 and all(.verdict == "tie"
        and .ratio == 1)) and (.means[-1] | .kernel == "all" and .pairs == 6 and .ties == 6)' out
    sparsight compare a.json a.json
    [ "$status" -eq 0 ]
    [ "$(grep -c ' tie$' out)" -eq 6 ]
}

@test "ratios, intervals, verdicts and means follow the definitions, and the exit status reports slower kernels" {
    report_of a.json
    report_of b.json '.matrices[].kernels |= [to_entries[] | .key as $k | .value | ([1.5, 1.07, 0.8][$k]) as $f
        | .time_us *= $f | .median_us *= $f | .low_us *= $f | .high_us *= $f]'
    local threshold
    for threshold in 0.1 0 60%; do
        sparsight compare --format=json --threshold=$threshold a.json b.json
        show
        case $threshold in 60%) [ "$status" -eq 0 ] ;; *) [ "$status" -eq 1 ] ;; esac
        case $threshold in 60%) check_ratios a.json b.json out 0.6 ;; *) check_ratios a.json b.json out $threshold ;; esac
    done
    sparsight compare --format=json --threshold=0.1 a.json b.json
    jq -e '[.kernels[].verdict] | unique == ["faster", "slower", "within threshold"]' out
    # The fastest kernel of each matrix: csr-seq before, then cmrs-omp at 12 x 0.8 = 9.6.
    jq -e '.means[] | select(.kernel == "fastest") | .pairs == 2 and (.ratio - 0.96 | fabs) < 1e-12' out
    sparsight compare b.json a.json
    show
    [ "$status" -eq 1 ]
    grep -q 'slower$' out
}

@test "CSV has a line for each cell of the JSON" {
    report_of a.json
    report_of b.json '.host.cpu = "B, \"quoted\""'
    sparsight compare --format=json a.json b.json
    mv out json
    sparsight compare --format=csv -o table.csv a.json b.json
    [ "$status" -eq 0 ]
    [ ! -s out ]
    python3 - <<'END'
import csv, json
tables = json.load(open("json"))
lines = list(csv.DictReader(open("table.csv", newline="")))
found = {(line["table"], int(line["row"]), line["column"]): line["value"] for line in lines}
assert len(found) == len(lines)
count = 0
for name, rows in tables.items():
    for number, row in enumerate(rows if isinstance(rows, list) else [], 1):
        for column, value in row.items():
            written = found[name, number, column]
            count += 1
            assert written == ("" if value is None else value if isinstance(value, str) else written), (name, column, written)
            assert isinstance(value, str) or value is None or float(written) == value
assert count == len(lines)
END
}

@test "settings and machines that differ are named" {
    report_of a.json
    report_of b.json '.version = "9.9" | .host.cpu = "B" | .host.read_bandwidth = 2e9 | .matrices[].timing.cold = true'
    sparsight compare --format=json a.json b.json
    jq -e '[.settings[] | [.setting, .base_value, .other_value]] | any(. == ["host.cpu", "A", "B"])
        and (map(.[0]) | sort == ["host.cpu", "timing.cold", "version"])' out
    jq -e '.figures[] | select(.figure == "host.read_bandwidth") | .other_value == 2e9' out
}

# The first matrix of a report may have been refused, and then has no settings.
@test "settings of timing are those of the first matrix that was timed" {
    report_of timed.json
    report_of half.json 'del(.matrices[0].timing)'
    report_of cold.json 'del(.matrices[0].timing) | .matrices[1].timing.cold = true'
    report_of never.json 'del(.matrices[].timing)'
    local files
    for files in "timed.json cold.json" "half.json cold.json"; do
        sparsight compare --format=json $files
        jq -e '[.settings[] | [.setting, .base_value, .other_value]] == [["timing.cold", "false", "true"]]' out
    done
    for files in "timed.json half.json" "timed.json never.json" "never.json cold.json"; do
        sparsight compare --format=json $files
        jq -e '.settings == []' out
    done
}

# Each type of a value, changed, removed, or of another type. Strings are shown as they are, other values as JSON.
@test "settings of every type are shown as in the reports, and figures with their ratio" {
    report_of a.json '.host |= (. + {a_text: "one", a_count: 3, a_real: 1.5, a_flag: true, a_list: [1, "x"], a_null: null, gone: 7,
        kind: 1, deep: {text: "in", same: 2, deeper: {flag: false}}, empty: "", turns: {inside: 1},
        read_bandwidth: 1e9, more: {write_bandwidth: 4e9, odd_bandwidth: "none", cache_bytes: 1024}})
        | .matrices[].timing.list = [1, 2]'
    report_of b.json '.host |= (. + {a_text: "two", a_count: 4, a_real: 2.5, a_flag: false, a_list: [1, "y"], a_null: 0,
        kind: "1", deep: {text: "out", same: 2, deeper: {flag: true}}, empty: "full", turns: 5,
        read_bandwidth: 25e8, more: {write_bandwidth: 1e9, odd_bandwidth: "some", cache_bytes: null}})
        | .matrices[].timing.list = [1, 3]'
    sparsight compare --format=json a.json b.json
    show
    [ "$status" -eq 0 ]
    python3 - <<'END'
import json
base, other, result = (json.load(open(name)) for name in ("a.json", "b.json", "out"))
settings, figures = [], []

def words(value, there):
    return None if not there else value if isinstance(value, str) else json.dumps(value)

def walk(within, was, now):
    for name, value in was.items():
        key, there = within + "." + name, name in now
        after = now.get(name)
        if isinstance(value, dict) and isinstance(after, dict):
            walk(key, value, after)
        elif "bandwidth" in name or "cache_bytes" in name:
            if value != after and isinstance(value, (int, float)):
                figures.append([key, value, after, None if after is None else after / value])
        elif value != after or type(value) is not type(after) or not there:
            settings.append([key, words(value, True), words(after, there)])

walk("host", base["host"], other["host"])
walk("timing", base["matrices"][0]["timing"], other["matrices"][0]["timing"])
found = [[row["setting"], row["base_value"] or None, row["other_value"] or None] for row in result["settings"]]
expected = [[key, was or None, now or None] for key, was, now in settings]
assert [row[0] for row in found] == [row[0] for row in expected], (found, expected)
assert len(settings) >= 12 and len(figures) >= 3
for one, two in zip(found, expected):
    for value, wanted in zip(one[1:], two[1:]):
        if value != wanted:
            assert json.loads(value) == json.loads(wanted), (one, two)
assert [[row["figure"], row["base_value"], row["other_value"], row["ratio"]] for row in result["figures"]] == figures, figures
assert all(row["other"] == "b" or "b.json" in row["other"] for row in result["settings"] + result["figures"])
END
}

@test "matrices of one report only are named, and a kernel that lost its time is reported" {
    report_of a.json
    report_of b.json 'del(.matrices[1]) | del(.matrices[0].kernels[2]) | .matrices[0].kernels[1] |= (.unavailable = "row 2 is wrong"
        | .time_us = null | .median_us = null | .low_us = null | .high_us = null)'
    sparsight compare --format=json a.json b.json
    show
    [ "$status" -eq 1 ]
    jq -e '[.absent[] | [.matrix, .kernel, .only_in]] | length == 2 and any(. == ["cmrs", null, "base"])
        and any(.[0] == "pmpp" and (.[1] | startswith("cpu/cmrs-omp")))' out
    jq -e '[.kernels[].verdict] == ["tie", "lost"]' out
    sparsight compare a.json b.json
    grep -q 'has no time in b.json: row 2 is wrong' out
    sparsight compare b.json a.json
    show
    [ "$status" -eq 0 ]
}

@test "kernels with other threads or parameters are paired, and the differences are named" {
    report_of a.json
    report_of b.json '.matrices[].kernels[] |= (if .kernel == "cpu/csr-omp" then .threads = 64 elif .kernel == "cpu/cmrs-omp"
        then .params.height = 3 | .label = "cpu/cmrs-omp:height=3" else . end)'
    sparsight compare --format=json a.json b.json
    show
    [ "$status" -eq 0 ]
    jq -e '.absent == [] and ([.kernels[] | select(.matrix == "pmpp") | .differs] == [null, "threads 2>64", "height 8>3"])' out
}

@test "orders of one report, and of two" {
    "$SPARSIGHT" report --format=json --limit=8M --repeat=6 --kernels=cpu/csr-seq --reorder='rcm length' "$SRCDIR/data/pmpp.mtx" >orders.json
    jq '[.matrices[].kernels[0] |= (.median_us = 10 | .low_us = 9 | .high_us = 11)] | .[0] | .matrices[1].kernels[0]
        |= (.median_us = 20 | .low_us = 19 | .high_us = 21)' orders.json >made.json
    sparsight compare --format=json made.json
    show
    [ "$status" -eq 1 ]
    jq -e '[.kernels[] | [.other, .order, .ratio, .verdict]] == [["rcm", "natural > rcm", 2.0, "slower"],
        ["length", "natural > length", 1.0, "tie"]]' out
    jq 'del(.matrices[1, 2])' made.json >natural.json
    jq 'del(.matrices[0, 2])' made.json >rcm.json
    sparsight compare --format=json natural.json rcm.json
    [ "$status" -eq 1 ]
    jq -e '[.kernels[] | .order] == ["natural > rcm"]' out
    sparsight compare natural.json
    show
    [ "$status" -eq 2 ]
    grep -q 'no kernel was timed in two runs or orders' err
}

@test "in files with several runs those that differ are compared, and named" {
    report_of one.json '.matrices |= .[:1] | .matrices[0].timing.name = "first"'
    # As the explorer saves it: the first run again, and a second run in which one kernel takes twice as long.
    report_of both.json '.matrices |= [.[0], .[0]] | .matrices[0].timing.name = "first" | .matrices[1].timing.name = "second"
        | .matrices[1].kernels[0] |= (.time_us *= 2 | .median_us *= 2 | .low_us *= 2 | .high_us *= 2)'
    local files
    for files in "one.json both.json" "both.json"; do
        sparsight compare $files --format=json
        show
        [ "$status" -eq 1 ]
        jq -e '(.kernels | length == 3) and (.kernels[0] | .verdict == "slower" and .ratio == 2) and ([.kernels[1:][] | .verdict] == ["tie", "tie"])
            and .absent == []' out
        sparsight compare $files
        grep -q 'the base is the run first, the other one the run second$' out
    done
    grep -q '^  run 2: second ' out # in the single file
    sparsight compare both.json one.json --format=json
    [ "$status" -eq 0 ]
    jq -e '(.kernels | length == 3) and (.kernels[0] | .verdict == "faster" and .ratio == 0.5)' out
    sparsight compare both.json both.json
    [ "$status" -eq 0 ]
    grep -q 'both reports have the same run, first$' out
    grep -q 'both reports have the same run, second$' out
    # A third run of the same file has a row of its own.
    jq '.matrices += [.matrices[0]] | .matrices[2].timing.name = null' both.json >three.json
    sparsight compare three.json --format=json
    jq -e '[.kernels[].other] | unique == ["run 2: second", "run 3"]' out
}

@test "reports that cannot be compared end with status 2" {
    report_of a.json
    printf 'no JSON\n' >bad.json
    local words
    for words in "" "a.json absent.json" "a.json bad.json" "--threshold=-1 a.json a.json" "--threshold=x a.json a.json" "--format=xml a.json a.json"; do
        sparsight compare $words
        show
        [ "$status" -eq 2 ]
        [ -s err ]
        [ ! -s out ]
    done
    report_of b.json '.matrices[].name = "other"'
    sparsight compare a.json b.json
    show
    [ "$status" -eq 2 ]
    grep -q 'the reports have no timed kernel on the same matrix' err
    report_of c.json '.matrices[0].kernels[0].median_us = -1'
    sparsight compare a.json c.json
    show
    [ "$status" -eq 2 ]
    grep -q 'row 1 of kernels: median_us is not 0 or more' err
    report_of d.json '.matrices[0].kernels = [1]'
    sparsight compare a.json d.json
    [ "$status" -eq 2 ]
    if [ -w /dev/full ]; then
        sparsight compare -o /dev/full a.json a.json
        show
        [ "$status" -eq 2 ]
    fi
}
