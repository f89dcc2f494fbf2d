#!/usr/bin/env bats
# The origin of reports: program, date, command line and machine, in every format; and saved reports, rendered again
# without their matrices.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    need jq
    need python3
    export SOURCE_DATE_EPOCH=1700000000 # 2023-11-14 22:13:20 UTC
}

# facts_of FORMAT: the words of a report for people, one a line, with blanks in place of line breaks.
facts_of() {
    sed 's/<[^>]*>//g; s/^- //; s/&#39;/'"'"'/g; s/&apos;/'"'"'/g; s/\\\([_*]\)/\1/g' "$1" | tr -s '\n ' ' '
}

@test "every format has program, date, command line, processor, threads, GPUs, compiler and system" {
    write_matrix "it's.mtx"
    local format version processor command
    version=$("$SPARSIGHT" --version)
    processor=$(sed -n 's/^model name[[:space:]]*: *//p' /proc/cpuinfo | head -n 1)
    for format in text markdown html; do
        sparsight report --threads=3 --format=$format "it's.mtx"
        show
        [ "$status" -eq 0 ]
        command="sparsight report --threads=3 --format=$format 'it'\\''s.mtx'"
        [ $format != markdown ] || command="sparsight report --threads=3 --format=$format 'it'\\\\''s.mtx'" # where a backslash is escaped
        facts_of out >facts
        cat facts
        for fact in "program: $version" "date: 2023-11-14 22:13:20 UTC" "command: $command" "processor: $processor" "threads: 3" \
            "GPU: " "compiler: " "system: $(uname -srm)"; do
            grep -qF -- "$fact" facts
        done
    done
    command="sparsight report --threads=3 --format=json 'it'\\''s.mtx'"
    sparsight report --threads=3 --format=json "it's.mtx"
    jq -e --arg version "${version#* }" --arg command "$command" --arg cpu "$processor" --arg system "$(uname -srm)" \
        '.version == $version and .date == "2023-11-14T22:13:20Z" and .command == $command and .host.threads == 3
        and (.host.cpu // "") == $cpu and .host.system == $system and (.host.compiler | length > 2)' out
    sparsight report --threads=3 --format=jsonl "it's.mtx" "it's.mtx"
    [ "$(wc -l <out)" -eq 2 ]
    jq -e '.report | .date == "2023-11-14T22:13:20Z" and .host.threads == 3 and (.command | startswith("sparsight report"))' out
}

@test "reports for people begin with their origin, once for all matrices, and end with the advice" {
    write_matrix a.mtx
    local format mark
    for format in text markdown; do
        sparsight report --format=$format a.mtx gen:laplace2d,n=4
        head -n 1 out | grep -qE '^(-| ) program: sparsight '
        [ "$(grep -c 'date: 2023-11-14' out)" -eq 1 ]
        # Four facts share a line, or two in 80 columns.
        [ "$(sed '/^$/q' out | wc -l)" -le 8 ]
        mark=
        [ $format = text ] || mark='## '
        [ "$(grep "^${mark}[A-Z]" out | tail -n 1)" = "${mark}Advice, f64" ]
        # For saved reports, the origins of these follow there.
        sparsight report --format=json -o saved.json a.mtx
        sparsight report --results=saved.json --format=$format
        grep -nE '^(## )?(Saved report|Advice, f64)$' out | sed 's/.*\(Saved\|Advice\).*/\1/' | diff - <(printf 'Saved\nAdvice\n')
    done
}

@test "lines of CSV have their origin, so that lines of several machines make one table" {
    write_matrix a.mtx
    local options
    for options in --format=csv --format=csv-matrices "--format=csv --limit=8M --kernels=csr-seq --repeat=2"; do
        sparsight report $options --threads=3 a.mtx
        [ "$status" -eq 0 ]
        python3 - "$options" <<'END'
import csv, platform, sys
rows = list(csv.DictReader(open("out", newline="")))
assert rows
for row in rows:
    assert None not in row and None not in row.values(), row
    assert row["report.date"] == "2023-11-14T22:13:20Z" and row["report.host.threads"] == "3", row
    assert row["report.command"] == "sparsight report %s --threads=3 a.mtx" % sys.argv[1], row["report.command"]
    assert row["report.host.system"].endswith(platform.machine())
END
    done
}

@test "the command line is the one that the shell read, not getopt's permutation" {
    write_matrix 'a b.mtx'
    "$SPARSIGHT" report 'a b.mtx' --format=json -o 'x&y' ''"" && false # an empty name cannot be read, but is told
    [ "$(jq -r .command 'x&y')" = "sparsight report 'a b.mtx' --format=json -o 'x&y' ''" ]
    eval "set -- $(jq -r .command 'x&y')"
    [ $# -eq 7 ] && [ "$3" = 'a b.mtx' ] && [ "$6" = 'x&y' ] && [ -z "$7" ]
}

@test "the cache is said to be measured" {
    sparsight report --kernels=csr-seq --repeat=2 --limit=64M "$SRCDIR/data/pmpp.mtx"
    grep -qE 'cache [0-9.]+ [KM]iB$|cache [0-9.]+ [KM]iB \(measured\)' out
    tr -s '\n ' ' ' <out | grep -qE 'cache [0-9.]+ [KMG]iB \(measured\)'
}

@test "csv-matrices has a line for each matrix in each order, with the numbers of the JSON, and one for each error" {
    write_matrix a.mtx
    local names=(a.mtx absent.mtx gen:laplace2d,n=9)
    "$SPARSIGHT" report --format=csv-matrices --reorder=rcm "${names[@]}" >out.csv && false
    "$SPARSIGHT" report --format=json --reorder=rcm "${names[@]}" >out.json && false
    python3 - <<'END'
import csv, json
rows = list(csv.DictReader(open("out.csv", newline="")))
matrices = json.load(open("out.json"))["matrices"]
assert [row["order"] for row in rows] == ["natural", "rcm", "", "natural", "rcm"]
assert rows[2]["path"] == "absent.mtx" and rows[2]["error"] == "absent.mtx: No such file or directory" and not rows[2]["rows"]
def walk(value, key):
    for name in key.split("."):
        value = value[name]
    return value
told = 0
for row, matrix in zip((r for r in rows if r["order"]), matrices):
    assert row["error"] == ""
    for key, text in row.items():
        if key.split(".")[0] in ("order", "smallest", "fastest", "advice", "error", "report"):
            continue
        value = walk(matrix, key)
        told += 1
        expected = "" if value is None else {True: "true", False: "false"}[value] if isinstance(value, bool) else value
        assert text == expected or float(text) == expected, (key, text, value)
    smallest = min(matrix["formats"], key=lambda f: (f["bytes"] is None, f["bytes"]))
    assert int(row["smallest.bytes"]) == smallest["bytes"]
    for place in ("cpu", "gpu"):
        advised = matrix["advice"]["f64"][place]
        if advised:
            assert row["advice.%s.kernel" % place].split(":")[0] == advised["kernel"], place
    assert row["fastest.kernel"] == row["fastest.gflops"] == ""
assert told > 150, told
END
    sparsight report --limit=8M --format=csv-matrices --kernels='cpu/csr-seq cpu/ell-seq' --repeat=3 a.mtx
    python3 - <<'END'
import csv
row, = csv.DictReader(open("out", newline=""))
assert row["fastest.kernel"].startswith("cpu/") and row["fastest.precision"] == "f64" and row["fastest.threads"] == "1"
expected = 2 * int(row["nnz"]) / float(row["fastest.time_us"]) * 1e-3
assert abs(float(row["fastest.gflops"]) / expected - 1) < 1e-9
END
}

# saved NAME: a report with kernels of two matrices in two orders, whose host has another name; and the error of a third.
saved() {
    write_matrix a.mtx
    "$SPARSIGHT" report --limit=8M --format=json --kernels='cpu/csr-seq cpu/ell-seq' --repeat=3 --reorder=rcm a.mtx gen:laplace2d,n=12 absent.mtx >here.json &&
        return 1
    jq '.host.cpu = "Another Processor" | .host.threads = 77 | .command = "sparsight report there"' here.json >"$1"
}

@test "the smallest format of csv-matrices is the first with the fewest bytes in the JSON" {
    printf '%%%%MatrixMarket matrix coordinate real general\n100 100 2\n1 5 1.5\n90 90 2.5\n' >few.mtx
    local names=(few.mtx "$SRCDIR/data/pmpp.mtx" gen:laplace2d,n=9 gen:permutation,n=50)
    "$SPARSIGHT" report --format=csv-matrices "${names[@]}" >out.csv
    "$SPARSIGHT" report --format=json "${names[@]}" >out.json
    python3 - <<'END'
import csv, json
rows = list(csv.DictReader(open("out.csv", newline="")))
matrices = json.load(open("out.json"))["matrices"]
assert len(rows) == len(matrices) == 4
found = set()
for row, matrix in zip(rows, matrices):
    best = min((f for f in matrix["formats"] if f.get("bytes") is not None), key=lambda f: f["bytes"])  # the first of several
    assert int(row["smallest.bytes"]) == best["bytes"], (row["smallest.bytes"], best)
    name, _, parameters = row["smallest.format"].partition(":")
    assert name == best["format"], (row["smallest.format"], best)
    for parameter in filter(None, parameters.split(",")):
        key, value = parameter.split("=")
        assert str(best["params"][key]) == value, (row["smallest.format"], best)
    found.add(name)
assert len(found) > 1 and "coo" in found, found
END
}

@test "a saved report is rendered in each format without its matrices, with its own origin" {
    saved r.json
    rm a.mtx
    local format
    for format in text markdown html; do
        sparsight report --results=r.json --format=$format
        show
        [ "$status" -eq 0 ]
        facts_of out >facts
        [ "$(grep -oF 'processor: Another Processor' facts | wc -l)" -eq 4 ] # of each matrix in each order
        grep -qF 'command: sparsight report there' facts
        grep -qF 'threads: 77' facts
        ! grep -qF -- '--results=r.json' facts # not the command of the numbers
        grep -qF 'file: r.json' facts
        grep -qF "$(jq -r '.matrices[0].advice.f64.cpu.verdict' r.json | head -c 60)" facts
        grep -q 'cpu/ell-seq' facts
        [ $format = text ] || grep -q 'absent.mtx: No such file' facts
        ! grep -q 'inf%' facts
    done
    [ "$(grep -c '<figure class="pattern"' out)" -eq 2 ] # of the natural orders, which the report carries
    [ "$(grep -c 'The saved report does not carry the pattern' out)" -eq 2 ]
    [ "$(grep -c '<article id="m' out)" -eq 5 ]
    ! grep -q 'Not enough memory' out
}

@test "every number of a saved kernel is that of the report" {
    saved r.json
    sparsight report --results=r.json --format=csv
    python3 - <<'END'
import csv, json
rows = list(csv.DictReader(open("out", newline="")))
kernels = [k for m in json.load(open("r.json"))["matrices"] for k in m["kernels"]]
assert len(rows) == len(kernels) == 8
same = 0
for row, kernel in zip(rows, kernels):
    assert row["report.host.cpu"] == "Another Processor" and row["report.host.threads"] == "77"
    for key in ("median_us", "low_us", "high_us", "min_us", "mean_us", "gflops", "beta_minus", "eta_plus", "bytes", "slots", "convert_us"):
        assert abs(float(row[key]) / kernel[key] - 1) < 1e-6, (key, row[key], kernel[key])
        same += 1
assert same == 88
END
}

@test "the numbers of a matrix are those of the report on it" {
    local part
    sparsight report --parts=2,4 gen:laplace2d,n=30
    sed '1,/^$/d; /^Advice/,$d' out >expected
    sparsight report --parts=2,4 --format=json gen:laplace2d,n=30
    mv out r.json
    sparsight report --results=r.json
    show
    sed '/^Saved report/,$d' out | diff expected -
}

@test "names select among several saved reports and surveys" {
    saved r.json
    "$SPARSIGHT" survey -o s.jsonl gen:laplace2d,n=12 gen:arrow,n=9 >/dev/null
    "$SPARSIGHT" report --format=jsonl gen:arrow,n=9 >l.jsonl
    sparsight report --results=r.json --results=s.jsonl --results=l.jsonl --format=csv-matrices
    [ "$status" -eq 0 ]
    [ "$(wc -l <out)" -eq 9 ] # a heading, 4 and an error, 2, 1
    [ "$(grep -c '2023-11-14T22:13:20Z' out)" -eq 8 ]
    sparsight report --results=r.json --results=s.jsonl --results=l.jsonl --format=csv-matrices arrow,n=9
    [ "$status" -eq 0 ]
    [ "$(wc -l <out)" -eq 3 ]
    sparsight report --results=r.json a nothing
    show
    [ "$status" -eq 1 ]
    grep -q '^nothing: no saved report of --results has a matrix of this name' err
    [ "$(grep -c '^4 x 4' out)" -eq 2 ]
    sparsight report --results=nowhere.json --results=r.json a
    [ "$status" -eq 1 ]
    grep -q '^nowhere.json: No such file' err
    [ "$(grep -c '^4 x 4' out)" -eq 2 ]
}

@test "pages of saved reports and of tables are valid HTML" {
    need tidy
    saved r.json
    "$SPARSIGHT" survey -o s.jsonl --limit=8M --kernels=csr-seq --repeat=2 gen:laplace2d,n=12 gen:arrow,n=9 'gen:<b>' >/dev/null || :
    jq '.host.cpu = "<script>window.hacked=1</script>"' r.json >x.json
    local page
    "$SPARSIGHT" report --results=x.json --format=html >report.html
    "$SPARSIGHT" survey --resume -o s.jsonl --format=html >survey.html || :
    "$SPARSIGHT" compare x.json r.json --format=html >compare.html
    for page in report survey compare; do
        [ -s $page.html ]
        run tidy -q -e $page.html
        printf '%s\n' "$output" | grep -vE '<svg> proprietary attribute|^$' | tee wrong
        [ ! -s wrong ]
        ! grep -q '<script>window.hacked' $page.html
    done
    grep -q 'Another Processor' compare.html
    grep -qF '&lt;script&gt;window.hacked' compare.html
    [ "$(grep -c '<svg' survey.html)" -ge 3 ]
    grep -q '<h3>Matrices</h3>' survey.html
    grep -q '<h3>Failed</h3>' survey.html
    grep -q '<td class="words">cpu/csr-seq</td>' survey.html
}

@test "tables of surveys and comparisons name their reports" {
    saved r.json
    sparsight compare r.json here.json --format=json
    jq -e '.reports | length == 2 and .[0].cpu == "Another Processor" and .[0].threads == "77" and .[1].date == "2023-11-14T22:13:20Z"
        and .[0].file == "r.json"' out
    "$SPARSIGHT" survey -o s.jsonl gen:arrow,n=9 >tables
    grep -qE '^  date +2023-11-14T22:13:20Z$' tables
    grep -qE '^  command +sparsight survey -o s.jsonl gen:arrow,n=9$' tables
    jq -e -s '.[0].survey | .date == "2023-11-14T22:13:20Z" and .command == "sparsight survey -o s.jsonl gen:arrow,n=9"' s.jsonl
}
