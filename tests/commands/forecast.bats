#!/usr/bin/env bats
# make check-forecast and fit-forecast (tests/forecast): figures by hand, and both programs on a small table whose times
# are the program's own forecasts times a known factor.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    need python3
    export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SRCDIR/tests/forecast"
}

# forecast_rows: forecasts, without times, for two fitted matrices and one held-out matrix.
forecast_rows() {
    local run matrix
    while read -r run matrix; do
        CUDA_VISIBLE_DEVICES=-1 sparsight report --format=json --gpu="$SRCDIR/data/gpus/h200.gpu" --kernels='cuda cusparse' "$matrix"
        jq -r --arg run "$run" --arg matrix "$matrix" '.matrices[0] as $m | $m.kernels[] | select(.predicted_us)
            | [$run, $matrix, $m.rows, $m.nnz, .kernel, (.params | to_entries | map("\(.key)=\(.value)") | join(",")), "f64",
                "warm", .predicted_us, 0, 0] | @tsv' out
    done <<'END'
first gen:laplace2d,n=40
first gen:powerlaw,scale=10,edge=6
second gen:stencil27,n=10
END
}

# table FACTOR: times.tsv with these rows, each time being FACTOR times the forecast, and a missing matrix. The rows are
# forecast once for all tests.
table() {
    local rows=$BATS_FILE_TMPDIR/rows.tsv
    [ -f "$rows" ] || forecast_rows >"$rows"
    printf 'run\tmatrix\trows\tentries\tkernel\tparameters\tprecision\tcaches\tmedian us\tlow us\thigh us\n' >times.tsv
    awk -F'\t' -v OFS='\t' -v OFMT=%.17g -v CONVFMT=%.17g -v factor="$1" '{ $9 *= factor; print }' "$rows" >>times.tsv
    [ "$(wc -l <times.tsv)" -gt 50 ] || skip "nvcc did not build this"
    printf 'second\tabsent.mtx\t4\t4\tcuda/csr-vector\t\tf64\twarm\t5\t5\t5\n' >>times.tsv
}

run_python() {
    status=0
    python3 "$SRCDIR/tests/forecast/$1" "$SPARSIGHT" --table=times.tsv --matrices=. --kept=kept "${@:2}" >out 2>err || status=$?
    show
}

@test "figures: quantiles, ranks, correlation; a tree" {
    python3 - <<'END'
import math

import figures
import tree

assert figures.quantile([4, 1, 3, 2], 0.5) == 2.5 and figures.quantile([1, 2, 3], 0.95) == 2.9
assert math.isnan(figures.quantile([], 0.5))
assert figures.ranks([10, 30, 20, 30]) == [1, 3.5, 2, 3.5]
assert figures.rank_correlation([1, 2, 3, 4], [10, 100, 1000, 10000]) == 1
# 1 - 6 x (1 + 1 + 0 + 0) / (4 x 15)
assert abs(figures.rank_correlation([1, 2, 3, 4], [2, 1, 3, 4]) - 0.8) < 1e-15
assert abs(figures.geometric_mean([0.5, 2, 8]) - 2) < 1e-15
# Gini's impurity of a a b b is 4 - (4 + 4) / 4
assert tree.impurity("aabb") == 2 and tree.impurity("aaaa") == 0
points, labels = [(1, 5), (2, 1), (3, 5), (4, 1)], ["a", "b", "a", "b"]
assert tree.grow(points, labels, 1) == (1, 3, "b", "a")
assert tree.grow(points, labels, 0) == "a"
deep = tree.grow([(0, 0), (0, 1), (1, 0), (1, 2)], ["a", "b", "b", "c"], 3)
assert [tree.classify(deep, point) for point in ((0, 0), (0, 1), (1, 0), (1, 2))] == ["a", "b", "b", "c"]
END
}

@test "forecasts equal to the measured times reach every aim" {
    need jq
    table 1
    run_python evaluate.py --tsv=rows.tsv
    # There are no rows with flushed caches, and without errors intervals are too wide.
    ! grep MISSED out | grep -vE ', cold|^in the 80% interval, warm.* 100.0%'
    head -1 out | grep -q '^What the program chooses, cuSPARSE included, on matrices that were held out'
    grep -qE '^warm +in L2 +1 +1.000 +1.000 +0.0% +0.0% +1.000 ' out
    grep -qE '^all +all +1 +1.000 +1.000 +0.0% +0.0% +1.000 ' out
    grep -q '^Forecasts shorter than the bytes that must be read take at the best bandwidth: 0 of [5-9][0-9] (measured times: 0)$' out
    grep -qE '^held out +warm +all +[12][0-9] +100.0% +[0-9.]+% +[0-9]+ +100.0%$' out
    grep -q '^2 matrices that constants were fitted to, and 1 that were held out' out
    grep -q '^Not compared, 1 matrices that are not there: absent.mtx' out
    grep -qE '^held out +warm +own +[12][0-9] +0.0% +0.0% +0.0%$' out
    grep -qE '^held out +the forecast +1 +1.000 +1.000 ' out
    grep -qE '^rank correlation.* 1.000 +reached$' out
    [ "$(wc -l <rows.tsv)" -eq "$(($(wc -l <times.tsv) - 1))" ]
}

# A table with impossible times, shorter than reading the matrix from memory takes. The forecasts are not shorter than
# that.
@test "times that no bandwidth allows are counted" {
    need jq
    table 1
    awk -F'\t' -v OFS='\t' 'NR == 1 || /stencil27/ && !/bsr|hyb-host/ { $2 = NR == 1 ? $2 : "gen:stencil27,n=32"; $8 = NR == 1 ? $8 : "cold"; if (NR > 1) $9 = 1; print }' \
        times.tsv >one.tsv
    mv one.tsv times.tsv
    run_python evaluate.py
    [ "$status" -eq 1 ]
    grep -qE '^Forecasts shorter than .*: 0 of [1-9][0-9] \(measured times: [1-9][0-9]\)$' out
    grep -qE '^forecasts that no bandwidth allows: none +0 +reached$' out
}

@test "an error is printed, and fails the aims that it misses" {
    need jq
    table 0.5
    run_python evaluate.py
    [ "$status" -eq 1 ]
    grep -qE '^held out +warm +own +[12][0-9] +100.0% +100.0% +100.0%$' out
    grep -qE '^median of the error, warm.* 100.0% +MISSED$' out
    grep -qE '^rank correlation.* 1.000 +reached$' out
    run_python evaluate.py --matrices=nowhere --table=/dev/null
    [ "$status" -eq 1 ]
    grep -q 'there is nothing to compare' err
}

# The model exists twice: in time.c, and in model.py, which must have the same constants to give the same times.
@test "the model that is fitted is that of the program" {
    need jq
    table 1
    cat >same.py <<'END'
import glob
import re
import sys

import fit
import model
import reports

rows = [row for row in reports.read_table("times.tsv") if row.fitted]
gpu = sys.argv[2] + "/data/gpus/h200.gpu"
kept = reports.Reports(sys.argv[1], gpu, "kept")
reports.join(rows, kept, ".")
source = open(sys.argv[2] + "/src/analysis/forecast/time.c", encoding="utf-8").read()
constants = [float(re.search(r"\.%s = (\S+)," % name, source).group(1)) for name in model.CONSTANTS]
paces = {}
for path in glob.glob(sys.argv[2] + "/src/kernels/cuda/*.c"):
    source = open(path, encoding="utf-8").read()
    for part in source.split("const struct kernel kernel_")[1:]:
        found = re.search(r'(?s)\.name = "([^"]+)".*?\.backend = &backend_(\w+).*?\.pace =\s*\{([^}]*)\}', part)
        if found and ".like = " not in found.group(3):
            pace = dict(re.findall(r"\.(\w+) = ([0-9.e-]+)", found.group(3)))
            paces[found.group(2) + "/" + found.group(1)] = [float(pace.get(key, key in ("moved", "overlap"))) for key in model.PACE]
of_gpu, checked, libraries = model.Model(model.read_gpu(gpu), constants), 0, 0
for row in fit.count_rows(rows, kept):
    if row.kernel not in paces:  # it uses the pace of another kernel
        continue
    seconds = of_gpu.seconds(paces[row.kernel], row.counts)
    assert abs(1e6 * seconds / row.predicted - 1) < 1e-6, (row.kernel, row.matrix, 1e6 * seconds, row.predicted)
    checked += 1
    libraries += not row.own
assert checked > 30 and libraries >= 10, (checked, libraries)
# Forecasts for another GPU are made anew, and are not those kept for this one.
predicted = [row.predicted for row in rows]
reports.join(rows, reports.Reports(sys.argv[1], sys.argv[2] + "/data/gpus/h100.gpu", "kept"), ".")
assert [row.predicted for row in rows] != predicted
END
    python3 same.py "$SPARSIGHT" "$SRCDIR"
}

@test "constants are fitted, and written into the source" {
    need jq
    table 1.5
    mkdir -p copy/tests copy/src/analysis copy/src/kernels
    cp -R "$SRCDIR/tests/forecast" copy/tests/
    cp -R "$SRCDIR/src/analysis/forecast" copy/src/analysis/
    cp -R "$SRCDIR/src/kernels/cuda" copy/src/kernels/
    chmod -R u+w copy
    python3 copy/tests/forecast/fit.py "$SPARSIGHT" --table=times.tsv --matrices=. --kept=kept --gpu="$SRCDIR/data/gpus/h200.gpu" \
        --write >out 2>err
    show
    grep -qE '^fitted +warm +own +[34][0-9] rows  median +[0-9]\.[0-9]%' out
    ! cmp -s copy/src/analysis/forecast/time.c "$SRCDIR/src/analysis/forecast/time.c"
    overlap=$(sed -n 's/^\.overlap = \(.*\),$/\1/p' out)
    grep -q "^    .overlap = $overlap,$" copy/src/analysis/forecast/time.c
    sed -n 's/^cuda\/sell *\(.pace = .*\)/\1/p' out >pace
    grep -qF "$(cat pace)" copy/src/kernels/cuda/sell.c
}

# Errors with known quantiles: those of cuda/a, ln(measured / forecast), are spread evenly over -0.1 .. 0.3 for one
# bound, those of cuda/b over -0.05 .. 0.05. All matrices are alike, so that nothing has to be stretched.
@test "intervals are quantiles of errors, and those of few rows are drawn to their neighbours" {
    cat >spreads.py <<'END'
import math

import intervals
from intervals import Error

def near(value, wanted, off):
    assert abs(value - wanted) <= off, (value, wanted)

even = [k / 100 for k in range(101)]
rows = [Error("m%d" % (k % 20), "warm", "cuda/a", "l2", math.exp(-0.1 + 0.4 * share), 1.0) for k, share in enumerate(even)]
rows += [Error("m%d" % (k % 20), "warm", "cuda/b", "dram", math.exp(-0.05 + 0.1 * share), 1.0) for k, share in enumerate(even)]
rows += [Error("m%d" % (k % 20), "warm", "cusparse/c", "l2", math.exp(0.5), 1.0) for k in range(100)]
found = intervals.Spreads(rows)
low, high = found.of("cuda/a", "l2")  # the tenth and the ninetieth of a hundred
near(low, -0.06, 0.01)
near(high, 0.26, 0.01)
low, high = found.of("cuda/b", "dram")
near(low, -0.04, 0.005)
near(high, 0.04, 0.005)
# A cell without rows is half its kernel's and half its bound's distribution, over -0.1 .. 0.3 and -0.05 .. 0.05. The
# 10th percentile is where 0.5 (x + 0.1) / 0.4 + 0.5 (x + 0.05) / 0.1 is 0.1, at -0.048. The 90th is where the first
# half is 0.8 full, at 0.22.
low, high = found.of("cuda/b", "l2")
near(low, -0.048, 0.01)
near(high, 0.22, 0.01)
assert found.of("cusparse/c", "l2")[0] == 0.0  # the forecast is always inside
near(found.of("cusparse/c", "l2")[1], 0.5, 1e-9)
# The stretch covers 80% of the matrices that were left out. It is 1 if they are all alike.
near(intervals.stretch_of([row for row in rows if row.backend == "cuda"]), 1, 0.15)
# If the forecasts of whole matrices are off, intervals fitted to the others must be stretched. Without 0.3 the upper
# end is 0.2, and without -0.2 the lower one is -0.1: 1.5 and twice as wide. The other three need less.
wild = [Error("m%d" % k, "warm", "cuda/a", "l2", math.exp(off), 1.0) for k, off in enumerate((-0.1, 0.1, -0.2, 0.2, 0.3)) for _ in range(8)]
assert 1.49 < intervals.stretch_of(wild) < 2.01, intervals.stretch_of(wild)

# Common errors: for pairs with the errors x + u and x + v, the ratio has u - v. Independent errors have no correlation.
pairs = []
for k, u in enumerate(even):
    for v in even[::5]:
        pairs.append((Error("m", "warm", "cuda/a", "l2", math.exp(u - 0.5), 1.0), Error("m", "warm", "cuda/b", "l2", math.exp(v - 0.5), 1.0)))
alone = intervals.correlation_of(pairs, lambda error: (-0.4, 0.4))  # 80% of each
assert alone < 0.35, alone
together = [(a, Error("m", "warm", "cuda/b", "l2", math.exp(a.off + 0.02), 1.0)) for a, _ in pairs]
assert intervals.correlation_of(together, lambda error: (-0.4, 0.4)) >= 0.99
assert intervals.is_inside(pairs[0], lambda error: (-0.3, 0.4), 0) and intervals.reach(3, 4, 0) == 5
near(intervals.derived_of([Error("m", "warm", "cuda/a", "l2", math.exp(0.52), 1.0)], {"cuda": found}), 2, 0.1)
assert intervals.derived_of([Error("m", "warm", "cuda/a", "l2", 1.0, 1.0)], {"cuda": found}) == 1.0
END
    python3 spreads.py
}

@test "intervals are written, by kernel and bound, and the evaluation counts with them" {
    need jq
    table 1.2
    run_python evaluate.py --tsv=rows.tsv
    mkdir -p copy/tests copy/src/analysis copy/data
    cp -R "$SRCDIR/tests/forecast" copy/tests/
    cp -R "$SRCDIR/src/analysis/forecast" copy/src/analysis/
    cp -R "$SRCDIR/data/gpus" "$SRCDIR/data/measured" copy/data/
    chmod -R u+w copy
    python3 copy/tests/forecast/intervals.py "$SPARSIGHT" --rows=rows.tsv --other-rows=rows.tsv --write >out 2>err
    show
    # if times always are 1.2 times the forecast, that is the upper end, and the lower one is 1
    kept=copy/src/analysis/forecast/interval_spreads.c
    grep -qE '^    \{"cuda/csr-vector", BOUNDS, 1.000, 1.200\},$' $kept
    [ "$(grep -cE '^    \{"cuda/.*, 1.000, 1.200\},$' $kept)" -gt 20 ]
    grep -q '^    {"cpu/", BOUNDS, ' $kept
    grep -q '^    .derived = 1,$' $kept
    # a profile of a GPU derived from another one
    cat >derived.py <<'END'
import sys

import intervals
import model

path = intervals.as_derived(sys.argv[1] + "/h100.gpu", sys.argv[1] + "/h200.gpu", "derived")
made, h200 = model.read_gpu(path), model.read_gpu(sys.argv[1] + "/h200.gpu")
for name in ("launch", "next launch", "L2 latency", "L1 bandwidth", "reduction bandwidth"):
    assert abs(made[name] / h200[name] - 1) < 1e-5, name
assert abs(made["read bandwidth"] / h200["read bandwidth"] * 4.8 / 3.35 - 1) < 1e-5
END
    python3 derived.py "$SRCDIR/data/gpus"
    sparsight kernels --gpu=derived/h100.gpu
    [ "$status" -eq 0 ]
}

@test "processors are measured into a table that intervals are fitted to" {
    # A limit makes measuring the machine short.
    printf '#!/bin/sh\n[ "$1" != report ] || set -- "$@" --limit=64M\nexec "$SPARSIGHT" "$@"\n' >limited
    chmod +x limited
    python3 "$SRCDIR/tests/forecast/processors.py" ./limited --measure --tsv=cpu.tsv --most=2 --repeat=1 --threads=1 \
        --kernels='cpu/csr-seq cpu/ell-seq' --note=here >out 2>err
    show
    head -1 cpu.tsv | grep -qE '^# .*, threads 1, shortest and median of at least 1 samples, .*; here$'
    [ "$(sed -n 2p cpu.tsv | cut -f 1-7)" = "$(printf 'set\tmatrix\trows\tentries\tcaches\tkernel\tthreads')" ]
    [ "$(wc -l <cpu.tsv)" -eq 8 ] # one of the two is timed with flushed caches, too
    cat >read.py <<'END'
import intervals

rows = intervals.read_errors("cpu.tsv")
assert [row.kernel for row in rows] == ["cpu/csr-seq", "cpu/ell-seq"] * 3 and rows[0].backend == "cpu", rows
END
    python3 read.py
}

# A table's forecasts are made again from its profile, without timing, also for other numbers of threads. The printed
# errors follow from the table: 3 / 2 - 1 is 50%.
@test "the rows of a table of processors are forecast again" {
    local forecasts="$BUILDDIR/tests/forecast/processor_forecasts"
    [ -x "$forecasts" ] || skip "processor_forecasts is not built"
    "$forecasts" assumed gen:laplace2d,n=30 1 3 >said.json
    cat >make.py <<'END'
import json

rows = json.load(open("said.json"))
assert {row["threads"] for row in rows} == {1, 3} and {row["caches"] for row in rows} == {"warm", "flushed"}
assert all(0 < row["low us"] <= row["forecast us"] <= row["high us"] for row in rows)
assert not any(row["kernel"].endswith("-seq") and row["threads"] > 1 for row in rows)
times = {"cpu/csr-omp": 2 / 3, "cpu/ell-omp": 1}
inside = 0
with open("table.tsv", "w") as file:
    print("# of nothing", file=file)
    print("set\tmatrix\trows\tentries\tcaches\tkernel\tthreads\tmeasured us\tmedian us\tforecast us\terror\tbound\tlike", file=file)
    for row in rows:
        if row["kernel"] in times and row["threads"] == 3 and row["caches"] == "warm":
            us = times[row["kernel"]] * row["forecast us"]
            inside += row["low us"] <= us <= row["high us"]
            print("held out\tgen:laplace2d,n=30\t900\t4380\twarm\t%s\t3\t%.9g\t%.9g\t1\t0\tl2\t" % (row["kernel"], us, us), file=file)
print("%d%%" % (50 * inside))
END
    python3 make.py >inside
    python3 "$SRCDIR/tests/forecast/processors.py" "$forecasts" --table=table.tsv --profile=assumed --tsv=again.tsv >out 2>err
    show
    [ "$(head -1 again.tsv)" = "# of nothing" ]
    [ "$(awk '$1 == "held" && $3 == "warm" { print $4, $5, $6, $10 }' out)" = "3 2 25.0% $(cat inside)" ]
    awk -F '\t' '$6 == "cpu/csr-omp" && $11 > 0.499 && $11 < 0.501 { found = 1 } END { exit !found }' again.tsv
}

# Reports without --kernels forecast from an excerpt; evaluate.py --excerpts takes these forecasts.
@test "forecasts from excerpts are those of a report, and are what is evaluated" {
    need jq
    local excerpts="$BUILDDIR/tests/forecast/excerpts"
    [ -x "$excerpts" ] || skip "excerpts is not built"
    sparsight report --gpu=h200 --format=json gen:stencil27,n=25
    [ "$status" -eq 0 ]
    jq -c '.matrices[0].advice.f64.gpu | [.forecast_entries] + ([.alternatives[]
        | select(.kernel == "cuda/csr-vector" or .kernel == "cuda/csr-scalar") | [.kernel, .forecast_us, .low_us, .high_us]] | sort)' out >said
    "$excerpts" h200 0 gen:stencil27,n=25 cuda/csr-scalar cuda/csr-vector >found
    jq -e --slurpfile said said '.entries == $said[0][0] and .entries < 400000 and
        ([.forecasts[][0]] | length == 2) and ([range(2) as $k | range(3) as $n
        | .forecasts[$k][0][$n] / $said[0][$k + 1][$n + 1] | . > 0.999999 and . < 1.000001] | all)' found
    "$excerpts" h200 20000 gen:stencil27,n=25 cuda/csr-scalar | jq -e '.entries > 0 and .entries <= 20000'
    printf 'run\tmatrix\trows\tentries\tkernel\tparameters\tprecision\tcaches\tmedian us\n' >table.tsv
    printf 'second\tgen:stencil27,n=25\t15625\t389017\tcuda/csr-scalar\tblock=256,early=1\tf64\twarm\t5\n' >>table.tsv
    PYTHONDONTWRITEBYTECODE=1 python3 "$SRCDIR/tests/forecast/evaluate.py" "$SPARSIGHT" --kept=kept --table=table.tsv --tsv=rows \
        --excerpts="$excerpts" >out || true # it misses aims
    awk -F'\t' -v us="$(jq '.forecasts[0][0][0]' found)" 'NR == 2 { ratio = $9 / us } END { exit !(ratio > 0.9999 && ratio < 1.0001) }' rows
}

# The model exists in C and in Python: a report's forecasts of other products equal those of products.py, with the paces
# of the sources. Paces that are fitted to these forecasts give the same forecasts.
@test "other products are forecast by the fitted paces" {
    need jq
    local counts="$BUILDDIR/tests/forecast/product_counts" product options
    [ -x "$counts" ] || skip "product_counts is not built"
    printf 'run\tmatrix\tproduct\tkernel\tcaches\tmedian us\n' >table.tsv
    : >said
    while IFS='|' read -r product options; do
        sparsight report --gpu=h200 --kernels=none --format=json $options gen:stencil27,n=14
        [ "$status" -eq 0 ]
        jq -r --arg product "$product" '.matrices[0].advice.f64.gpu.alternatives[] | select(.kernel | test("masked") | not)
            | [$product, (.kernel | split(":")[0]), .forecast_us] | @tsv' out >>said
    done <<'END'
A,8,rows|--columns=8 --layout=rows
A,3,columns|--columns=3
At,1,columns|--product=At
At,4,rows|--product=At --columns=4 --layout=rows
END
    [ "$(wc -l <said)" -gt 20 ]
    awk -F'\t' '{ print "first\tgen:stencil27,n=14\t" $1 "\t" $2 "\twarm\t" $3 }' said >>table.tsv
    PYTHONDONTWRITEBYTECODE=1 python3 "$SRCDIR/tests/forecast/products.py" "$counts" --check --table=table.tsv --best=/dev/null --tsv=rows >out
    show
    awk -F'\t' '{ ratio = $6 / $5; if (ratio < 0.995 || ratio > 1.005) { print; wrong = 1 } } END { exit wrong || NR < 20 }' rows
    PYTHONDONTWRITEBYTECODE=1 python3 "$SRCDIR/tests/forecast/products.py" "$counts" --table=table.tsv --best=/dev/null >out
    show
    grep -E '^fitted  .* error median   [0-2]\.' out
}
