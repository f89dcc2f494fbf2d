#!/usr/bin/env bats
# sparsight survey: its inputs, its file after any interruption, and its tables, whose numbers Python computes again.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    need jq
}

# inputs_of FILE: the names of the finished inputs, in order.
inputs_of() {
    jq -r 'select(.input) | .input.name' "$1"
}

@test "the help lists formats, pictures and orders" {
    sparsight survey --help
    show
    [ "$status" -eq 0 ]
    grep -q '^A folder stands for all matrices in it' out
    grep -qx 'FORMAT is one of these:' out
    grep -qE '^  csv ' out
    grep -qx 'The pictures of --plots:' out
    grep -qx 'SECTIONS is a list of these, with commas between them:' out
    grep -qx 'File formats, with the endings of their files:' out
    grep -q 'Matrix Market' out
    grep -qE '^rcm ' out
    grep -q '^A LIST of storage formats is separated by blanks or commas' out
    grep -qE '^sell ' out
}

@test "folders, archives, lists and names; one that fails costs one record" {
    need gzip
    mkdir -p folder/deep folder/.hidden
    cp "$SRCDIR/data/pmpp.mtx" folder/a.mtx
    gzip -c "$SRCDIR/data/cmrs.mtx" >folder/deep/b.mtx.gz
    cp "$SRCDIR/data/pmpp.mtx" folder/.hidden/c.mtx
    echo "notes" >folder/notes.txt
    echo '%%MatrixMarket matrix coordinate real general' >folder/broken.mtx
    mkdir several && cp "$SRCDIR/data/pmpp.mtx" several/x.mtx && cp "$SRCDIR/data/cmrs.mtx" several/y.mtx && tar -cf several.tar several
    printf '%s\n' '# a comment' '' 'gen:laplace2d,n=4' 'absent.mtx' >list
    sparsight survey -o s.jsonl --list=list folder several.tar folder/a.mtx
    show
    [ "$status" -eq 1 ]
    grep -q 'named twice' err
    inputs_of s.jsonl | sort >found
    printf '%s\n' absent.mtx folder/a.mtx folder/broken.mtx folder/deep/b.mtx.gz gen:laplace2d,n=4 several.tar:several/x.mtx \
        several.tar:several/y.mtx | sort | diff - found
    [ "$(jq -c 'select(.error)' s.jsonl | wc -l)" -eq 2 ]
    [ "$(jq -c 'select(.rows)' s.jsonl | wc -l)" -eq 5 ]
    jq -e -s '.[0].survey | .schema == "sparsight-survey/1" and .settings == "" and .host.cpus >= 1' s.jsonl
    grep -q '^7 inputs, 2 failed; 5 matrices$' out
    grep -q 'absent.mtx  *No such file' out
    valid s.jsonl
    # The report on the same matrix has the numbers of the survey.
    "$SPARSIGHT" report --format=jsonl folder/a.mtx >alone
    jq -S 'del(.advice, .report)' alone >alone.json
    jq -S 'select(.path == "folder/a.mtx") | del(.advice)' s.jsonl | diff alone.json - 
}

@test "a killed survey is resumed, and has each input once" {
    local k
    for k in $(seq 24); do echo "gen:laplace2d,n=$((k + 100))"; done >list
    "$SPARSIGHT" survey -o s.jsonl --list=list >out 2>err 3>&- &
    local survey=$!
    for k in $(seq 2000); do
        [ -s s.jsonl ] && [ "$(grep -c '^{"input"' s.jsonl)" -ge 3 ] && break
        sleep 0.02
    done
    kill -9 $survey
    wait $survey || true
    local before
    before=$(grep -c '^{"input"' s.jsonl)
    echo "$before inputs before"
    [ "$before" -ge 3 ] && [ "$before" -lt 24 ]
    # The file after a kill while writing: a matrix of an unfinished input, and half a line.
    cp s.jsonl whole.jsonl
    { jq -c 'select(.rows)' s.jsonl | head -n 1; printf '{"name": "hal'; } >>s.jsonl
    sparsight survey --resume -o s.jsonl --list=list
    show
    [ "$status" -eq 0 ]
    inputs_of s.jsonl | sort >found
    sort list | diff - found
    [ "$(jq -c 'select(.rows)' s.jsonl | wc -l)" -eq 24 ]
    cmp -n "$(wc -c <whole.jsonl)" whole.jsonl s.jsonl
    grep -q '^24 inputs, 0 failed; 24 matrices$' out
    # Nothing is left to do: only the tables.
    cp s.jsonl done.jsonl
    sparsight survey --resume -o s.jsonl
    [ "$status" -eq 0 ]
    cmp s.jsonl done.jsonl
}

@test "a process that is killed costs one record" {
    local k process
    printf '%s\n' gen:laplace2d,n=10 gen:laplace2d,n=2500 gen:laplace2d,n=11 >list
    "$SPARSIGHT" survey -o s.jsonl --list=list >out 2>err 3>&- &
    local survey=$!
    for k in $(seq 3000); do
        [ -s s.jsonl ] && [ "$(grep -c '^{"input"' s.jsonl)" -ge 1 ] && process=$(cat "/proc/$survey/task/$survey/children") && [ -n "$process" ] && break
        sleep 0.01
    done
    kill -9 $process
    local status=0
    wait $survey || status=$?
    cat err
    [ "$status" -eq 1 ]
    inputs_of s.jsonl | diff list -
    [ "$(jq -c 'select(.error)' s.jsonl | wc -l)" -eq 1 ]
    jq -e -s '[.[] | select(.error)][0].error | (.path | startswith("gen:laplace2d")) and (.message | contains("signal 9"))' s.jsonl
    [ "$(jq -c 'select(.rows)' s.jsonl | wc -l)" -eq 2 ]
}

@test "names with any bytes are distinguished, and found again" {
    local name
    mkdir f
    for name in $'line\nend.mtx' $'bad\xff.mtx' $'bad\xfe.mtx' 'quo"te.mtx' "-o.mtx" 'a b,c.mtx'; do
        cp "$SRCDIR/data/pmpp.mtx" "f/$name"
    done
    sparsight survey -o s.jsonl f
    show
    [ "$status" -eq 0 ]
    jq -c . s.jsonl >/dev/null
    [ "$(grep -c '^{"input"' s.jsonl)" -eq 6 ]
    [ "$(jq -r 'select(.input) | .input.bytes // empty' s.jsonl | sort -u | wc -l)" -eq 2 ]
    cp s.jsonl before
    sparsight survey --resume -o s.jsonl f
    [ "$status" -eq 0 ]
    cmp s.jsonl before
}

@test "if the disk is full the survey stops at a whole line, and can be resumed" {
    # Room for two and a half records.
    "$SPARSIGHT" survey -o one.jsonl gen:laplace2d,n=5 >out 2>err
    local kib=$(($(wc -c <one.jsonl) * 5 / 2 / 1024))
    (
        ulimit -f "$kib"
        "$SPARSIGHT" survey -o s.jsonl gen:laplace2d,n=5 gen:laplace2d,n=6 gen:laplace2d,n=7 gen:laplace2d,n=8 >out 2>err
    ) && status=0 || status=$?
    show
    [ "$status" -eq 1 ]
    grep -q -- '--resume continues' err
    jq -c . s.jsonl >/dev/null
    [ "$(tail -c 1 s.jsonl | od -An -c | tr -d ' ')" = '\n' ]
    local before
    before=$(grep -c '^{"input"' s.jsonl)
    [ "$before" -ge 1 ] && [ "$before" -lt 4 ]
    sparsight survey --resume -o s.jsonl gen:laplace2d,n=5 gen:laplace2d,n=6 gen:laplace2d,n=7 gen:laplace2d,n=8
    [ "$status" -eq 0 ]
    [ "$(grep -c '^{"input"' s.jsonl)" -eq 4 ]
}

# n=300: 90,000 rows and 448,800 entries take about 7 MB.
@test "several processes share one limit, and a matrix that exceeds its share gets the whole limit later" {
    ! "$SPARSIGHT" report --limit=4M gen:laplace2d,n=300 || false
    "$SPARSIGHT" report --limit=40M gen:laplace2d,n=300 >out
    printf 'gen:laplace2d,n=%d\n' 300 5 6 7 8 9 10 11 12 1500 >list
    sparsight survey --jobs=10 --limit=40M -o s.jsonl --list=list
    show
    [ "$status" -eq 1 ]
    inputs_of s.jsonl | sort >found
    sort list | diff - found
    jq -e -s '[.[] | select(.error) | .error.path] == ["gen:laplace2d,n=1500"]' s.jsonl
    jq -e -s '[.[] | select(.rows == 90000)] | length == 1' s.jsonl
}

# OpenMP reports each team of several threads that it starts.
@test "several processes share the threads, and timed work has all of them" {
    local threads
    threads=$(sparsight report --format=json gen:laplace2d,n=2 && jq .host.threads out)
    [ "$threads" -ge 2 ] || skip "there is one thread for all"
    export OMP_DISPLAY_AFFINITY=TRUE OMP_AFFINITY_FORMAT='a team of %N'
    printf 'gen:laplace2d,n=%d\n' $(seq 151 "$((150 + threads))") >list # more than PARALLEL_MIN rows
    sparsight survey --jobs="$threads" -o divided.jsonl --list=list
    [ "$status" -eq 0 ]
    ! grep -h 'a team of' err out || false
    sparsight survey --jobs=1 -o one.jsonl --list=list
    [ "$status" -eq 0 ]
    grep -q "a team of $threads" err
    # All records are the same.
    local name
    for name in one divided; do
        jq -S 'select(.rows) | del(.advice)' "$name.jsonl" | jq -S -s 'sort_by(.path)' >"$name.sorted"
    done
    cmp one.sorted divided.sorted
    # A number given by the user holds for each process.
    sparsight survey --jobs=2 --threads=3 -o named.jsonl gen:laplace2d,n=151 gen:laplace2d,n=152
    [ "$status" -eq 0 ]
    grep -q 'a team of 3' err
    OMP_NUM_THREADS=3 sparsight survey --jobs=2 -o environment.jsonl gen:laplace2d,n=151 gen:laplace2d,n=152
    [ "$status" -eq 0 ]
    grep -q 'a team of 3' err
    sparsight survey --jobs="$threads" --limit=32M --kernels=cpu/csr-omp --repeat=2 -o timed.jsonl --list=list
    [ "$status" -eq 0 ]
    grep -q "a team of $threads" err
    jq -e -s --argjson threads "$threads" '[.[] | select(.rows) | .kernels[] | select(.samples) | .threads] | unique == [$threads]' timed.jsonl
    # Kernels have their own number of threads. Conversions and orders, which are also timed, take their process's
    # number.
    local option
    for option in --convert=csc --reorder=rcm; do
        sparsight survey --jobs="$threads" "$option" -o "alone${option%=*}.jsonl" --list=list
        [ "$status" -eq 0 ]
        grep -q "a team of $threads" err
    done
    # Kernels are forecast for all threads, too.
    jq -e -s --argjson threads "$threads" '[.[] | select(.rows) | .advice | .. | objects | .threads? // empty] | max == $threads' timed.jsonl
}

@test "an existing file, other options, another survey, wrong words" {
    sparsight survey -o s.jsonl --drop-zeros gen:laplace2d,n=5
    [ "$status" -eq 0 ]
    cp s.jsonl before
    sparsight survey -o s.jsonl gen:laplace2d,n=6
    show
    [ "$status" -eq 2 ]
    grep -q 'give --resume' err
    sparsight survey --resume -o s.jsonl gen:laplace2d,n=6
    show
    [ "$status" -eq 2 ]
    grep -q -- 'was made with --drop-zeros' err
    cmp s.jsonl before
    exec 4<s.jsonl
    flock 4
    sparsight survey --resume -o s.jsonl --drop-zeros gen:laplace2d,n=6
    show
    [ "$status" -eq 1 ]
    grep -q 'another survey' err
    exec 4<&-
    cmp s.jsonl before
    echo '{"nonsense": 1}' >other
    sparsight survey --resume -o other gen:laplace2d,n=6
    show
    [ "$status" -eq 1 ]
    grep -q 'other:1: not a line of a survey' err
    local words
    for words in "gen:laplace2d,n=5" "-o x" "-o x -" "-o - gen:laplace2d,n=5" "-o x --jobs=0 gen:arrow" "-o x --format=xml gen:arrow" "-o /dev/null gen:arrow"; do
        sparsight survey $words
        show
        [ "$status" -eq 2 ]
    done
    sparsight survey -o x --list=absent
    [ "$status" -eq 1 ]
    [ ! -e x ]
}

@test "--resume keeps every byte of a file that no survey wrote" {
    local name
    printf 'dear diary' >one-line
    printf 'dear diary\n' >a-line
    printf 'all:\n\tcc x.c\n\nclean:\n' >Makefile
    printf '\0\1\2\3' >binary
    printf '\n\n' >blank
    printf '[1, 2, 3]\n' >list.json
    printf '{"error": {"path": "x"}}\n' >log.jsonl
    printf '{"input": {"name": "x"}}\n{"a": 1' >log2.jsonl
    printf '{"survey": {"schema": "of-birds/3", "settings": ""}}\n' >other.jsonl
    printf '{"survey": "yes"' >half.jsonl
    "$SPARSIGHT" report --format=jsonl gen:laplace2d,n=5 >report.jsonl
    "$SPARSIGHT" report --format=json gen:laplace2d,n=5 >report.json
    for name in one-line a-line Makefile binary blank list.json log.jsonl log2.jsonl other.jsonl half.jsonl report.jsonl report.json; do
        cp $name before
        echo "$name"
        sparsight survey --resume -o $name gen:laplace2d,n=6
        show
        cmp $name before
        [ "$status" -ne 0 ]
        grep -q "^$name:1: .*not a .*survey.*another file" err
    done
}

@test "--resume goes on behind half a first line, and refuses words behind a survey" {
    sparsight survey -o s.jsonl gen:laplace2d,n=5
    [ "$status" -eq 0 ]
    local k
    for k in 1 5 14 60; do
        head -c $k s.jsonl >half.jsonl
        sparsight survey --resume -o half.jsonl gen:laplace2d,n=5
        show
        [ "$status" -eq 0 ]
        [ "$(inputs_of half.jsonl)" = gen:laplace2d,n=5 ]
    done
    { cat s.jsonl && echo "# seen by me, 3 March"; } >noted.jsonl
    { cat s.jsonl && printf "buy milk"; } >milk.jsonl
    for k in noted.jsonl milk.jsonl; do
        cp $k before
        sparsight survey --resume -o $k gen:laplace2d,n=6
        show
        [ "$status" -eq 1 ]
        cmp $k before
    done
}

@test "each folder is visited once, whatever links lead to it" {
    mkdir -p d/deep d/z e
    cp "$SRCDIR/data/pmpp.mtx" d/m.mtx
    cp "$SRCDIR/data/pmpp.mtx" d/deep/n.mtx
    cp "$SRCDIR/data/pmpp.mtx" e/o.mtx
    ln -s . d/a
    ln -s .. d/b
    ln -s ../.. d/deep/up
    ln -s .. d/z/also
    ln -s ../../e d/z/e
    ln -s ../d e/back
    timeout 300 "$SPARSIGHT" survey -o s.jsonl d >out 2>err
    inputs_of s.jsonl
    [ "$(inputs_of s.jsonl | wc -l)" -eq 3 ]
    inputs_of s.jsonl | sed 's,.*/,,' | sort | diff - <(printf '%s\n' m.mtx n.mtx o.mtx)
}

@test "folders in 100 folders are found" {
    local path=d k
    for k in $(seq 100); do path+=/$k; done
    mkdir -p $path
    cp "$SRCDIR/data/pmpp.mtx" $path/m.mtx
    sparsight survey -o s.jsonl d
    show
    [ "$status" -eq 0 ]
    [ "$(inputs_of s.jsonl)" = $path/m.mtx ]
}

# The tables of a report with times made by hand, computed by their definitions.
@test "the tables agree with their definitions" {
    need python3
    local file=$SRCDIR/tests/screens/saved_gpu.json
    python3 - "$file" <<'END'
import copy, json, random, sys
base = json.load(open(sys.argv[1]))["matrices"][0]
random.seed(5)
template = base["kernels"][0]
lines = [{"survey": {"schema": "sparsight-survey/1", "version": "0", "settings": "", "host": {}}}]
kernels = [("cuda/csr-vector", "csr", "cuda", None), ("cuda/csr-scalar", "csr", "cuda", None), ("cuda/hyb", "hyb", "cuda", None),
           ("cuda/cmrs", "cmrs", "cuda", None), ("cuda/cmrs-padded", "cmrs", "cuda", None), ("cuda/ell-padded", "ell", "cuda", None),
           ("cpu/csr-omp", "csr", "cpu", 1), ("cpu/csr-omp", "csr", "cpu", 4), ("cpu/ell-omp", "ell", "cpu", 4)]
for m in range(7):
    matrix = copy.deepcopy(base)
    matrix["name"] = "m%d" % m
    matrix["row_lengths"]["mean"] = random.choice([2.0, 5.5, 9.25]) + m / 100
    matrix["row_lengths"]["percent_average_deviation"] = random.uniform(0, 100)
    matrix["kernels"] = []
    for name, format, backend, threads in kernels:
        if random.random() < 0.15:
            continue
        row = copy.deepcopy(template)
        t = random.choice([10, 11, 12, 30]) * random.uniform(0.9, 1.1)
        row.update(kernel=name, label=name + (":k=%d" % m if format == "hyb" else ""), format=format, backend=backend, threads=threads,
                   precision="f64", unavailable=None, time_us=t, median_us=t, low_us=t * 0.95, high_us=t * 1.05,
                   predicted_us=t * random.uniform(0.6, 1.5), gflops=100 / t, beta_minus=int(1e5 * random.uniform(1, 2)), beta_plus=100000,
                   eta_minus=random.uniform(0, 1), eta_plus=random.uniform(0, 1), padding_ratio=random.uniform(1, 1.5))
        row["cmrs"] = None if format != "cmrs" else {"a_128": random.uniform(1, 4), "a_256": random.uniform(1, 6)}
        matrix["kernels"].append(row)
    lines += [matrix, {"input": {"name": matrix["name"], "bytes": None, "failed": False, "seconds": 1.0}}]
with open("s.jsonl", "w") as out:
    out.writelines(json.dumps(line) + "\n" for line in lines)
END
    sparsight survey --resume -o s.jsonl --format=json
    show
    [ "$status" -eq 0 ]
    PYTHONPATH=$SRCDIR/tests/forecast python3 - <<'END'
import json, math
import figures
matrices = [line for line in map(json.loads, open("s.jsonl")) if "kernels" in line]
tables = json.load(open("out"))

def close(a, b):
    assert (a is None and (b is None or b != b)) or abs(a - b) <= 1e-12 * abs(b), (a, b)

def tied(a, b):
    return a["low_us"] <= b["high_us"] and b["low_us"] <= a["high_us"]

group = lambda k: "cuda/hyb" if k["kernel"] == "cuda/hyb" else k["label"]
found = {}
for m in matrices:
    best = min(m["kernels"], key=lambda k: k["median_us"])
    ties = [k for k in m["kernels"] if tied(k, best)]
    for k in m["kernels"]:
        one = found.setdefault((group(k), k["threads"]), [])
        one.append((k["median_us"] / best["median_us"], any(k is t for t in ties) and len(ties) == 1, any(k is t for t in ties) and len(ties) > 1, k))
named = [row for row in tables["kernels"] if not row["kernel"].startswith("best of ")]
assert len(named) == len(found)
for row in named:
    some = found[row["kernel"], row["threads"]]
    assert row["matrices"] == len(some) and row["wins"] == sum(s[1] for s in some) and row["ties"] == sum(s[2] for s in some), row
    close(row["slowdown"], figures.geometric_mean([s[0] for s in some]))
    close(row["worst"], max(s[0] for s in some))
    close(row["gflops"], figures.geometric_mean([s[3]["gflops"] for s in some]))
    close(row["eta_plus"], figures.mean([s[3]["eta_plus"] for s in some]))
    close(row["eta_minus"], figures.mean([s[3]["eta_minus"] for s in some]))
    close(row["forecast_error"], figures.quantile([abs(s[3]["predicted_us"] / s[3]["median_us"] - 1) for s in some], 0.5))

# The bar "best" of figure 6.7: the fastest kernel of each matrix, on a GPU and on processors.
bests = [row for row in tables["kernels"] if row not in named]
assert [row["kernel"] for row in bests] == ["best of processors", "best of a GPU"]
for row, of_gpu in zip(bests, (False, True)):
    some = [[k for k in m["kernels"] if (k["threads"] is None) == of_gpu] for m in matrices]
    some = [min(s, key=lambda k: k["median_us"]) for s in some if s]
    assert row["precision"] == "f64" and row["matrices"] == len(some) and row["threads"] is None and row["wins"] is None
    close(row["gflops"], figures.geometric_mean([k["gflops"] for k in some]))
    close(row["eta_plus"], figures.mean([k["eta_plus"] for k in some]))
    close(row["eta_minus"], figures.mean([k["eta_minus"] for k in some]))

for row in tables["forecast"]:
    some = [k for m in matrices for k in m["kernels"] if k["backend"] == row["backend"]]
    errors = [abs(k["predicted_us"] / k["median_us"] - 1) for k in some]
    close(row["median_error"], figures.quantile(errors, 0.5))
    close(row["p90_error"], figures.quantile(errors, 0.9))
    sets = [[k for k in m["kernels"] if k["backend"] == row["backend"]] for m in matrices]
    ranks = [figures.rank_correlation([k["predicted_us"] for k in s], [k["median_us"] for k in s]) for s in sets if len(s) >= 3]
    assert row["rows"] == len(some) and row["matrices"] == len(ranks)
    close(row["rank"], figures.mean(ranks))
    close(row["least_rank"], min(ranks))
assert [row["backend"] for row in tables["forecast"]] == sorted({k["backend"] for m in matrices for k in m["kernels"]}, reverse=True)

def fastest(m, test):
    return min((k for k in m["kernels"] if test(k)), key=lambda k: k["median_us"], default=None)

by_mean = sorted(matrices, key=lambda m: m["row_lengths"]["mean"])
assert [row["matrix"] for row in tables["bandwidth"]] == [m["name"] for m in by_mean]
for row, m in zip(tables["bandwidth"], by_mean):
    k = fastest(m, lambda k: True)
    assert row["kernel"] == k["label"] and row["entries"] == m["nnz"]
    close(row["mean"], m["row_lengths"]["mean"])
    close(row["bandwidth_minus"], k["beta_minus"] / (k["median_us"] * 1e-6) / 1e9)
    close(row["bandwidth_plus"], k["beta_plus"] / (k["median_us"] * 1e-6) / 1e9)
    close(row["eta_plus"], k["eta_plus"])

cuda = lambda name: lambda k: k["kernel"] == name
expected = [(m, fastest(m, lambda k: k["format"] == "cmrs")) for m in by_mean]
expected = [(m, k) for m, k in expected if k]
assert [row["matrix"] for row in tables["speedup"]] == [m["name"] for m, k in expected] and expected
over = lambda other, k: other["median_us"] / k["median_us"] if other else math.nan
for row, (m, k) in zip(tables["speedup"], expected):
    for key, name in (("over_vector", "cuda/csr-vector"), ("over_scalar", "cuda/csr-scalar"), ("over_hybrid", "cuda/hyb")):
        close(row[key], over(fastest(m, cuda(name)), k))
    close(row["model_128"], k["cmrs"]["a_128"])
    close(row["model_256"], k["cmrs"]["a_256"])

expected = [(m, fastest(m, cuda("cuda/cmrs-padded"))) for m in matrices]
expected = sorted([(k["padding_ratio"], m, k) for m, k in expected if k], key=lambda e: e[0])
assert [row["matrix"] for row in tables["padding"]] == [m["name"] for _, m, k in expected] and expected
for row, (ratio, m, k) in zip(tables["padding"], expected):
    close(row["overhead"], 100 * (ratio - 1))
    close(row["speedup"], over(fastest(m, cuda("cuda/cmrs")), k))

expected = [(m, k) for m in matrices for k in m["kernels"] if k["kernel"] == "cpu/csr-omp" and len({o["threads"] for o in m["kernels"] if o["kernel"] == "cpu/csr-omp"}) == 2]
assert [(row["matrix"], row["threads"]) for row in tables["threads"]] == [(m["name"], k["threads"]) for m, k in expected] and expected
for row, (m, k) in zip(tables["threads"], expected):
    close(row["gflops"], k["gflops"])
    close(row["speedup"], over(fastest(m, lambda o: o["kernel"] == "cpu/csr-omp" and o["threads"] == 1), k))

by_deviation = sorted(matrices, key=lambda m: m["row_lengths"]["percent_average_deviation"])
expected = [(m, b, fastest(m, lambda k: k["format"] == "csr" and k["backend"] == b), fastest(m, lambda k: k["format"] == "ell" and k["backend"] == b))
            for m in by_deviation for b in ("cpu", "cuda")]
expected = [e for e in expected if e[2] or e[3]]
assert [(row["matrix"], row["backend"]) for row in tables["deviation"]] == [(m["name"], b) for m, b, _, _ in expected]
for row, (m, b, csr, ell) in zip(tables["deviation"], expected):
    close(row["csr"], csr["gflops"] if csr else math.nan)
    close(row["ell"], ell["gflops"] if ell else math.nan)
    close(row["ratio"], csr["median_us"] / ell["median_us"] if csr and ell else math.nan)
assert tables["errors"] == []
END
    # Marks in the pictures are at the tables' numbers, on a linear or a logarithmic scale.
    sparsight survey --resume -o s.jsonl --format=json --plots=pictures --size=1000x700
    show
    [ "$status" -eq 0 ]
    grep -q '^pictures in pictures: kernels, efficiency, forecast, bandwidth, speedup, padding, threads, deviation$' err
    python3 - <<'END'
import json, math, re
import xml.etree.ElementTree as tree
tables = json.load(open("out"))
matrices = [line for line in map(json.loads, open("s.jsonl")) if "kernels" in line]

def squares(name):
    """The middles of the marks of the first series: squares, of which the first is the legend's if there is one."""
    root = tree.parse("pictures/%s.svg" % name).getroot()
    assert root.get("width") == "1000" and root.get("height") == "700"
    found = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if float(r.get("width")) < 20]
    return [(float(r.get("x")) + float(r.get("width")) / 2, float(r.get("y")) + float(r.get("height")) / 2) for r in found]

def linear(values, places):
    """Each place is a value times one factor and shifted, to a pixel."""
    pairs = sorted(zip(values, places))
    (v0, p0), (v1, p1) = pairs[0], pairs[-1]
    for v, p in pairs:
        assert abs(p0 + (v - v0) / (v1 - v0) * (p1 - p0) - p) <= 1, (v, p)

def expect(name, points, legend, x=float, y=float):
    marks = squares(name)[legend:]
    assert len(marks) == len(points) > 2, (name, marks, points)
    linear([x(p[0]) for p in points], [m[0] for m in marks])
    linear([y(p[1]) for p in points], [m[1] for m in marks])
    assert max(marks)[0] < 1000 and min(marks)[0] > 0

expect("padding", [(row["overhead"], row["speedup"]) for row in tables["padding"] if row["speedup"]], 0)
expect("bandwidth", [(k, row["bandwidth_minus"]) for k, row in enumerate(tables["bandwidth"]) if row["bandwidth_minus"]], 1)
expect("speedup", [(row["mean"], row["over_vector"]) for row in tables["speedup"] if row["over_vector"]], 1, math.log, math.log)
times = [(k["median_us"], k["predicted_us"]) for m in matrices for k in m["kernels"] if k["backend"] == "cuda"]
expect("forecast", times, 1, math.log, math.log)
# Each matrix has a line of its own, which the legend names, and threads are whole numbers.
said = [t.text for t in tree.parse("pictures/threads.svg").getroot().iter("{http://www.w3.org/2000/svg}text")]
assert {row["matrix"] for row in tables["threads"]} <= set(said), said
assert said[said.index("GFLOP/s") + 1:said.index("threads")] == ["1", "2", "3", "4"], said
bars = [r for r in tree.parse("pictures/kernels.svg").getroot().iter("{http://www.w3.org/2000/svg}rect")][1:]
slowdowns = [row["slowdown"] for row in tables["kernels"] if row["slowdown"] is not None]
assert len(bars) == len(slowdowns) == len(tables["kernels"]) - 2
linear([0] + slowdowns, [0] + [float(r.get("width")) for r in bars])
said = [t.text for t in tree.parse("pictures/efficiency.svg").getroot().iter("{http://www.w3.org/2000/svg}text")]
assert {"best of processors", "best of a GPU"} <= set(said), said
END
    sparsight survey --resume -o s.jsonl --form=svg
    [ "$status" -eq 2 ]
    grep -q 'needs --plots=FOLDER, which writes the pictures' err
    head -1 s.jsonl >empty.jsonl
    sparsight survey --resume -o empty.jsonl --plots=nothing
    [ "$status" -eq 0 ]
    grep -q '^no pictures, since no kernel was timed' err
    [ -z "$(ls nothing)" ]
}

@test "--retry tries failed inputs again, and keeps all other records" {
    mkdir f
    cp "$SRCDIR/data/pmpp.mtx" f/a.mtx
    echo '%%MatrixMarket matrix coordinate real general' >f/b.mtx
    cp "$SRCDIR/data/cmrs.mtx" f/c.mtx
    sparsight survey -o s.jsonl --drop-zeros f absent.mtx
    [ "$status" -eq 1 ]
    jq -c 'select(.rows)' s.jsonl >kept
    printf '{"name": "half' >>s.jsonl # as of a survey that was killed
    # Nothing was repaired: the same inputs fail again, once each.
    sparsight survey --retry -o s.jsonl --drop-zeros
    show
    [ "$status" -eq 1 ]
    grep -q '^4 inputs, 2 failed; 2 matrices$' out
    inputs_of s.jsonl | sort | diff - <(printf '%s\n' absent.mtx f/a.mtx f/b.mtx f/c.mtx)
    [ "$(jq -c 'select(.error)' s.jsonl | wc -l)" -eq 2 ]
    ! grep -q half s.jsonl
    # One input is repaired, and further inputs are read, too.
    cp "$SRCDIR/data/pmpp.mtx" f/b.mtx
    sparsight survey --retry -o s.jsonl --drop-zeros gen:arrow,n=5
    show
    [ "$status" -eq 1 ]
    grep -q '^5 inputs, 1 failed; 4 matrices$' out
    jq -c 'select(.path == "f/a.mtx" or .path == "f/c.mtx")' s.jsonl | diff kept -
    [ "$(jq -r 'select(.rows) | .path' s.jsonl | sort | tr '\n' ' ')" = 'f/a.mtx f/b.mtx f/c.mtx gen:arrow,n=5 ' ]
    jq -c 'select(.error) | .error.path' s.jsonl | diff - <(echo '"absent.mtx"')
    jq -e -s '.[0].survey.settings == "--drop-zeros"' s.jsonl
    # --resume keeps failed inputs, and other options are refused without a change.
    cp s.jsonl before
    sparsight survey --resume -o s.jsonl --drop-zeros absent.mtx
    cmp s.jsonl before
    sparsight survey --retry -o s.jsonl
    show
    [ "$status" -eq 2 ]
    grep -q 'was made with --drop-zeros' err
    cmp s.jsonl before
    rm f/b.mtx
    sparsight survey --retry -o new.jsonl f # there is nothing to continue
    [ "$status" -eq 0 ]
    [ "$(inputs_of new.jsonl | wc -l)" -eq 2 ]
    ls -A | sort | tr '\n' ' ' | grep -qx 'before err f kept new.jsonl out s.jsonl ' # and no temporary file
}

@test "the table of failures has whole names and the beginnings of faults" {
    local long=folder/of/a/collection/with/a/long/name/and/another/folder/beyond/forty-four.mtx
    sparsight survey -o s.jsonl "$long"
    grep -qE "^  $long  No such file or directory$" out
    python3 - <<'END'
lines = open("s.jsonl").read().splitlines()
open("long.jsonl", "w").write("\n".join(line.replace("No such file or directory", "The beginning, " + "x" * 600) for line in lines) + "\n")
END
    sparsight survey --resume -o long.jsonl
    grep -qE "^  $long  The beginning, x{300,}\.\.\.$" out
}

@test "kernels are run by several processes, one at a time, and the tables have them" {
    sparsight survey --jobs=3 --limit=64M --repeat=6 --kernels='cpu/csr-seq cpu/csr-omp' --precision=f64,f32 --threads=1,2 -o s.jsonl \
        "$SRCDIR/data/pmpp.mtx" "$SRCDIR/data/cmrs.mtx" gen:laplace2d,n=20
    show
    [ "$status" -eq 0 ]
    valid s.jsonl
    jq -e -s '[.[] | select(.kernels) | .kernels | length == 6 and all(.time_us > 0)] | length == 3 and all' s.jsonl
    grep -q 'cpu/csr-omp *f32 *2 *3 ' out
    sparsight compare s.jsonl s.jsonl
    [ "$status" -eq 0 ]
}

@test "a survey of some sections has only their numbers, and is resumed with the same sections" {
    sparsight survey -o all.jsonl "$SRCDIR/data/pmpp.mtx" gen:laplace2d,n=20
    sparsight survey --only=lengths --timing -o some.jsonl "$SRCDIR/data/pmpp.mtx" gen:laplace2d,n=20
    show
    [ "$status" -eq 0 ]
    grep -q '^2 inputs, 0 failed; 2 matrices$' out
    valid some.jsonl
    jq -S 'select(.rows) | [.name, .nnz, .row_lengths]' all.jsonl >expected
    jq -S 'select(.rows) | [.name, .nnz, .row_lengths]' some.jsonl | diff expected -
    jq -e -s '[.[] | select(.rows) | (.formats == []) and (.advice == {}) and .structure.profile == null] | length == 2 and all' some.jsonl
    # Parts that are not reported are not computed.
    jq -e -s '[.[] | select(.rows) | .costs | map(.part)] | length == 2 and all(index("forecasts") == null and index("structure") == null)' some.jsonl
    sparsight survey --resume -o some.jsonl "$SRCDIR/data/cmrs.mtx"
    [ "$status" -eq 2 ]
    grep -q 'the survey there was made with --only=lengths --timing' err
    sparsight survey --only=lengths --timing --resume -o some.jsonl "$SRCDIR/data/cmrs.mtx"
    [ "$status" -eq 0 ]
    grep -q '^3 inputs, 0 failed; 3 matrices$' out
}
