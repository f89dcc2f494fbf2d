#!/usr/bin/env bats
# sparsight report --kernels and sparsight kernels. No test depends on real durations. A small --limit makes measuring
# the machine short.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# timed ARGUMENTS...: a report of kernels with few samples.
timed() {
    sparsight report --limit=8M --repeat=3 "$@"
    show
}

write_vector() {
    local file=$1
    shift
    printf '%s\n' '%%MatrixMarket matrix array real general' "$# 1" "$@" >"$file"
}

write_complex() {
    printf '%s\n' '%%MatrixMarket matrix coordinate complex general' '1 2 1' '1 2 0.5 -3' >"$1"
}

# The definitions of sparsight-report(5), computed again from their inputs. Bytes by hand: 4 rows and columns, 7
# entries. The spread can be a difference of nearly equal times, so that their rounding matters: it is right to 1e-12,
# and the other numbers to a relative error of 1e-12.
@test "the numbers of a kernel agree with each other" {
    need jq
    timed --format=json --kernels=cpu/csr-* --precision=f64,f32 "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 0 ]
    jq -e '.matrices[0] as $m | $m.timing as $t | def near(a; b): (a - b | fabs) <= 1e-12 * b;
        $m.kernels | length >= 4 and all(
            (if .precision == "f64" then 8 else 4 end) as $s
            | (if .kernel | endswith("csr-compact") then 7 * $s + 32 + 2 * 32 + 5 * 4 else .bytes end) as $read
            | .unavailable == null and .estimate == null and .residual == null and .agrees == null
            and .samples == 3 and .time_us == .median_us
            and .min_us <= .low_us and .low_us <= .median_us and .median_us <= .high_us
            and (.spread - 0.5 * (.high_us - .low_us) / .median_us | fabs) <= 1e-12
            and near(.gflops; 14 / .time_us / 1000) and near(.gflops_cmrs; 10 / .time_us / 1000)
            and .bytes == 5 * 4 + 7 * 4 + 7 * $s and .slots == 7 and .padding_ratio == 1
            and .beta_plus == $read + 8 * $s and .beta_minus == $read + 11 * $s
            and near(.eta_plus; .beta_plus / .time_us * 1e6 / $t.copy_bandwidth)
            and near(.eta_minus; .beta_minus / .time_us * 1e6 / $t.copy_bandwidth)
            and near(.read_share; .beta_plus / .time_us * 1e6 / $t.read_bandwidth)
            and .max_error < 1e-6 and .convert_us > 0 and .cached == true)' out
    jq -e '.matrices[0].timing | .protocol == "median" and .cold == false and .accumulate == false and .seed == 1
        and .read_bandwidth_low <= .read_bandwidth and .copy_bandwidth_low <= .copy_bandwidth' out
    jq -e '.matrices[0].timing as $t | .host | .read_bandwidth == $t.read_bandwidth
        and .copy_bandwidth == $t.copy_bandwidth and .cache_bytes == $t.cache_bytes' out
}

@test "no kernels: none are run, and nothing is measured" {
    need jq
    local words
    for words in "" --kernels=none; do
        sparsight report --format=json $words "$SRCDIR/data/pmpp.mtx"
        show
        [ "$(jq -c '[.matrices[0].kernels, .matrices[0].timing, .host.read_bandwidth, .host.cache_bytes]' out)" = \
            '[[],null,null,null]' ]
    done
    sparsight report "$SRCDIR/data/pmpp.mtx"
    if grep -q '^Timing' out; then false; fi
}

@test "a row for each precision and number of threads; a sequential kernel has one" {
    need jq
    timed --format=jsonl --kernels='csr-omp csr-seq' --kernels=cpu/csr-seq --threads=2,1-2,2 --precision=f32,f64 \
        "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 0 ]
    jq -c '.kernels[] | [.kernel, .precision, .threads]' out >given
    diff given - <<'END'
["cpu/csr-omp","f64",2]
["cpu/csr-omp","f64",1]
["cpu/csr-seq","f64",1]
["cpu/csr-omp","f32",2]
["cpu/csr-omp","f32",1]
["cpu/csr-seq","f32",1]
END
    [ "$(jq '.timing.threads' out)" -eq 2 ]
    timed --format=json --kernels=csr-omp --threads=3 "$SRCDIR/data/pmpp.mtx"
    [ "$(jq -c '[.host.threads, .matrices[0].kernels[].threads]' out)" = '[3,3]' ]
}

@test "a kernel that cannot run keeps its row, with the reason" {
    need jq
    write_complex complex.mtx
    timed --format=json --kernels=csr-compact --threads=1-2 complex.mtx
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].kernels | length >= 2 and all(.unavailable == "the matrix is complex: the kernel takes real ones only, since its short columns save too little beside complex values to be faster than csr-omp"
        and .samples == null and .time_us == null and .gflops == null and .beta_plus == null and .max_error == null
        and .cached == null and .tie == null and .break_even == null and (.params | type) == "object")' out
    [ "$(jq -c '[.matrices[0].timing.read_bandwidth, .host.read_bandwidth]' out)" = '[null,null]' ]
    timed --kernels=csr-compact --threads=1-2 complex.mtx
    tr -s '\n ' ' ' <out | grep -q '! cpu/csr-compact (threads 1, 2): the matrix is complex:'
    [ "$(grep -c 'complex:' out)" -eq 1 ]
    timed --kernels='coo-omp:order=random' --threads=1-2 "$SRCDIR/data/pmpp.mtx"
    tr -s '\n ' ' ' <out | grep -q '! cpu/coo-omp:order=random (threads 1, 2): coo-omp needs entries in the order of rows'
    timed --kernels=csr-compact complex.mtx
    tr -s '\n ' ' ' <out | grep -q '! cpu/csr-compact: the matrix is complex: the kernel takes real ones only'
    if grep -q 'memory: ' out; then false; fi
}

# laplace2d,n=100 takes 635,204 bytes in CSR.
@test "a kernel whose format is beyond the limit has its size and the reason" {
    need jq
    sparsight report --format=json --limit=600K --kernels=csr-seq gen:laplace2d,n=80
    show
    [ "$status" -eq 0 ]
    sparsight report --format=json --limit=630K --kernels=csr-seq --precision=f64 gen:laplace2d,n=100
    show
    # Either the matrix itself exceeds the limit, or its kernel is refused, but no number is made up.
    jq -e '.matrices[0].kernels // [] | all(.time_us == null and .bytes == 635204
        and (.unavailable | contains("630 KiB")))' out
}

# A x for pmpp and x = (1, 2, 3, 4): 3 + 3, 0, 4 + 12 + 4, 1 + 4.
@test "--b compares A x with a vector" {
    need jq
    local pmpp=$SRCDIR/data/pmpp.mtx
    write_vector x.mtx 1 2 3 4
    write_vector b.mtx 6 0 20 5
    write_vector near.mtx 6 0.0001 20 5
    write_vector far.mtx 6 0 20 6
    timed --format=jsonl --kernels=cpu/csr-* --precision=f64,f32 --x=x.mtx --b=b.mtx "$pmpp"
    [ "$status" -eq 0 ]
    jq -e '.kernels | length >= 4 and all(.residual == 0 and .agrees == true)' out
    timed --format=jsonl --kernels=cpu/csr-* --x=x.mtx --b=near.mtx "$pmpp"
    jq -e '.kernels | all((.residual - 5e-6 | fabs) < 1e-18 and .agrees == true)' out
    timed --format=jsonl --kernels=cpu/csr-* --accumulate --x=x.mtx --b=far.mtx "$pmpp"
    jq -e '.kernels | all(.residual == 0.05 and .agrees == false)' out
    timed --kernels=csr-seq --x=x.mtx --b=b.mtx "$pmpp"
    grep -qx '  A x is b: max abs(A x - b) / max abs(b) is 0, at most 1e-05' out
    timed --kernels=csr-seq --x=x.mtx --b=far.mtx "$pmpp"
    grep -qx '! A x is not b: max abs(A x - b) / max abs(b) is 0.05, more than 1e-05' out
    if grep -q 'A x is b' out; then false; fi
    # x has an element for each column, and b for each row: 3 + 3, 2.
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '2 3 3' '1 1 3' '1 3 1' '2 2 1' >wide.mtx
    write_vector x.mtx 1 2 3
    write_vector b.mtx 6 2
    timed --format=jsonl --kernels=cpu/csr-* --x=x.mtx --b=b.mtx wide.mtx
    [ "$status" -eq 0 ]
    jq -e '.kernels | all(.residual == 0)' out
}

# The collection's own vectors: b is not the product of A and x.
@test "--x and --b are members of archives" {
    need_matrices
    need jq
    local cavity=$matrices/cavity14.tar.gz
    timed --format=jsonl --kernels=csr-omp --x="$cavity:cavity14_x.mtx" --b="$cavity:cavity14_b.mtx" "$cavity"
    [ "$status" -eq 0 ]
    jq -e '.kernels[0] | .agrees == false and .residual > 1e-5' out
}

@test "a vector that cannot be read fails the matrix" {
    write_vector short.mtx 1 2 3
    timed --kernels=csr-seq --x=short.mtx "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 1 ]
    grep -q '^short.mtx' err
    timed --kernels=csr-seq --b=missing.mtx "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 1 ]
    grep -q '^missing.mtx: .*No such file' err
}

# Each line: options, and the number of samples that are left.
@test "protocols take as many samples as their sources" {
    need jq
    local options count
    while read -r count options; do
        sparsight report --format=jsonl --limit=8M --kernels=csr-seq $options "$SRCDIR/data/pmpp.mtx"
        echo "$options: $(jq -c '[.kernels[0].samples, .timing.protocol]' out)"
        [ "$(jq .kernels[0].samples out)" -eq "$count" ]
    done <<'END'
19 --protocol=cranfield
10 --protocol=cmrs
6 --protocol=cranfield --repeat=7
6 --protocol=cmrs --repeat=7 --warmup=2
7 --repeat=7 --warmup=0
1 --repeat=1 --cold
END
    [ "$(jq -c '[.timing.cold, .kernels[0].cached]' out)" = '[true,false]' ]
    sparsight report --format=jsonl --limit=8M --kernels=csr-seq --protocol=cmrs "$SRCDIR/data/pmpp.mtx"
    jq -e '.timing.protocol == "cmrs" and (.kernels[0] | .time_us == .mean_us)' out
    timed --format=jsonl --kernels=csr-seq --accumulate --seed=7 "$SRCDIR/data/pmpp.mtx"
    jq -e '.timing.accumulate and .timing.seed == 7 and (.kernels[0] | .beta_plus == .bytes + 12 * 8)' out
}

@test "products of several vectors, and with the transposed matrix" {
    need jq
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '2 3 3' '1 1 3' '1 3 1' '2 2 1' >wide.mtx
    timed --format=jsonl --threads=1 --kernels='csr-omp ell-seq bsr-omp' --product=At --columns=8 --layout=rows wide.mtx
    [ "$status" -eq 0 ]
    jq -e '.timing | .product == "At" and .columns == 8 and .layout == "rows" and .accumulate == false' out
    # Bytes of X and Y and operations count eight times. The stored A^T has one row more than A.
    jq -e '.kernels[0] | .max_error < 1e-15 and .beta_plus == .bytes + 4 + 8 * 5 * 8 and .predicted_us > 0
        and .params == {transposed: "stored"} and .convert_us > 0
        and (.gflops * .time_us / 1e6 * 1e9 - 2 * 3 * 8 | fabs) < 1e-6' out
    jq -e '.advice.f64.cpu.alternatives[] | select(.kernel == "cpu/csr-omp:transposed=stored") | .convert_us > 0' out
    jq -e '.kernels[2].unavailable == "bsr-omp does not multiply with the transposed matrix"' out
    timed --kernels=csr-omp --product=At --columns=8 --layout=rows wide.mtx
    grep -q '^  Y = A^T X, 8 columns, row-major: the median' out
    grep -q 'no estimates: GPU memory requests' out
    grep -q 'for Y = A^T X, 8 columns, row-major, take cpu/' <(tr -s '\n ' ' ' <out)
    timed --format=jsonl --kernels=csr-omp --threads=1 --columns=3 --accumulate wide.mtx
    jq -e '.timing | .product == "A" and .columns == 3 and .layout == "columns" and .accumulate' out
    # The vectors are stored by columns. They are first copied to rows, and that copy is read.
    jq -e '.kernels[0].beta_plus == .kernels[0].bytes + 3 * 3 * 8 + 3 * (3 + 2 * 2) * 8' out
    # Now x has an element for each row of A, and b one for each column.
    write_vector x.mtx 1 2
    write_vector b.mtx 3 2 1
    timed --format=jsonl --kernels='csr-omp coo-omp' --product=At --x=x.mtx --b=b.mtx wide.mtx
    jq -e '.kernels | length == 2 and all(.residual == 0)' out
    # A kernel that cannot be timed is not advised; others are forecast.
    timed --kernels=bsr-omp --product=At wide.mtx
    grep -q 'On this processor, for y = A^T x, take cpu/[^b]' <(tr -s '\n ' ' ' <out)
    local options words
    while IFS='|' read -r options words; do
        run --separate-stderr "$SPARSIGHT" report $options wide.mtx
        echo "$options: $stderr"
        [ "$status" -eq 2 ]
        [[ $stderr == *"$words"* ]]
    done <<'END'
--kernels=all --product=T|--product=T: give A, the matrix, or At
--kernels=all --columns=65|--columns=65 is not a whole number from 1 to 64
--kernels=all --columns=8 --layout=row|--layout=row: give columns
--kernels=all --layout=rows|give their number by --columns=N
--kernels=all --columns=4 --x=x.mtx|--x is a single vector, but --columns asks for 4
END
    run "$SPARSIGHT" kernels
    grep -A9 '^cpu/csr-omp ' <<<"$output" | grep -q 'multiplies also with the transposed matrix and up to 64 vectors at once'
}

@test "other products are forecast and have advice before any kernel ran" {
    need jq
    local product equation
    while IFS='|' read -r product equation; do
        timed --kernels=none --gpu=h200 $product gen:stencil27,n=12
        show
        [ "$status" -eq 0 ]
        grep -qF "On this processor, for $equation, take cpu/" <(tr -s '\n ' ' ' <out)
        grep -qE "On the NVIDIA H200 SXM, for [^.]*, take cu(da|sparse)/" <(tr -s '\n ' ' ' <out)
        # The formats without a forecast are all that no alternative has.
        tr -s '\n ' ' ' <out | sed 's/.*times the bytes of CSR: \([^.]*\)\..*/\1/' | tr -d ' ' | tr , '\n' | sort >without
        timed --kernels=none --gpu=h200 --format=json $product gen:stencil27,n=12
        jq -r '.matrices[0] | ([.formats[].format] | unique) - [.advice.f64 | .cpu, .gpu | .alternatives[].kernel
            | split("/")[1] | split(":")[0] | split("-")[0]] | .[]' out | sort | diff without -
        # Every alternative has an interval around its forecast. The best has the least forecast, unless CSR is tied
        # with it.
        jq -e '.matrices[0] | .kernels == [] and .timing == null and ([.advice.f64 | .cpu, .gpu | .forecast and (.alternatives | length > 4)
            and (.alternatives | all(.low_us < .us and .us < .high_us))] | all)' out
        jq -e '.matrices[0].advice.f64.gpu | .us <= 1.02 * ([.alternatives[].us] | min)' out
        timed --kernels=none --gpu=h200 --format=html $product gen:stencil27,n=12
        grep -q 'On the NVIDIA H200 SXM, for' <(tr -s '\n ' ' ' <out)
    done <<'END'
--columns=8|Y = A X, 8 columns, column-major
--columns=8 --layout=rows|Y = A X, 8 columns, row-major
--product=At|y = A^T x
--product=At --columns=3 --layout=rows|Y = A^T X, 3 columns, row-major
END
    # More vectors take longer.
    timed --kernels=none --gpu=h200 --format=json --columns=4 --layout=rows gen:stencil27,n=16
    jq '.matrices[0].advice.f64 | .cpu.us, .gpu.us' out >few
    timed --kernels=none --gpu=h200 --format=json --columns=32 --layout=rows gen:stencil27,n=16
    jq '.matrices[0].advice.f64 | .cpu.us, .gpu.us' out >many
    paste few many | awk '{ exit !($1 < $2 && $2 < 10 * $1) }'
    # A kernel that ran has its forecast beside its time, and a stored A^T counts as a conversion.
    timed --kernels='csr-seq csr-omp' --repeat=3 --product=At --format=json gen:stencil27,n=12
    jq -e '.matrices[0].kernels | all(.predicted_us > 0)' out
    jq -e '.matrices[0].advice.f64.cpu.alternatives[] | select(.kernel == "cpu/csr-balanced") | .convert_us > 0 and .convert_forecast' out
    # A matrix without entries has no advice.
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 0' >none.mtx
    timed --columns=8 --kernels=none none.mtx
    [ "$status" -eq 0 ]
    run ! grep -q '^Advice' out
}

# Numbers that depend on time are masked: times, shares, speeds, marks of ties, and the lines about them.
@test "the text of kernels" {
    timed --kernels=csr-seq --kernels=csr-omp --threads=1 "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 0 ]
    [ "$(awk 'length > 80' out | wc -l)" -eq 0 ]
    if grep -q ' $' out; then false; fi
    # Its lines differ from machine to machine.
    grep -Eq '^  processors: [1-9][0-9]* (package|\(built without hwloc)' out
    # The advice, which is the last section, is another test's.
    [ "$(grep -n '^Advice, f64$' out | cut -d: -f1)" -gt "$(grep -n '^Kernels, f64' out | cut -d: -f1)" ]
    sed -n '/^Timing/,$p' out | awk '/^Advice/ { exit } NR > 1 { print last } { last = $0 } END { if (last) print last }' |
        awk '/^  processors: [1-9]/ { of = 1; next } of && /^    / { next } { of = 0; print }' | sed -E '/^[=*] [^c]/d; /^! reading fell to .* another program was running$/d; /^  memory/s/[0-9.]+(e[-+][0-9]+)? ([GM]B\/s|[KMG]iB|B)/N/g
        s/^(Forecast, f64) +forecast +at least +at most +bound by +launch .*/\1 HEADINGS/
        s/^  cpu\/csr-(seq|omp)( +[0-9.]+ [num]?s){3} +[a-z0-9]+( +[0-9.]+ [num]?s)+$/  FORECAST/
        s/^(Kernels, f64) +thr +time +\+- +GFLOP\/s +% read +factor +convert( +break-even)?$/\1 HEADINGS/
        s/^[= ] cpu\/csr-(seq|omp) +1 +[0-9.]+ [num]?s +[<>]?[0-9.]+% +[0-9.e-]+ +[<>]?[0-9.]+%\*? +1 +[0-9.]+ [num]?s( +[-0-9,]+)?$/  ROW/' >given
    diff given - <<'END'
Timing
  y = A x: the median of the samples, +- half its 95% interval
  memory: read N, copy N by 1 thread; cache N (measured)
! measured within 4.00 MiB because of the limit: this may be the bandwidth of a
    cache

Kernels, f64 HEADINGS
  ROW
  ROW

Forecast, f64 HEADINGS
  FORECAST
  FORECAST
  forecast time of a product for this processor, the shortest first, with its
    80% interval and its bound; then the time of each term alone: launches or
    waking threads, the longest warp, and memory traffic; a library's kernel is
    forecast from one of our kernels
END
    timed --kernels=csr-seq --threads=1 --accumulate --cold --protocol=cmrs "$SRCDIR/data/pmpp.mtx"
    grep -q '^  y += A x, the caches flushed before each sample: the mean of all samples' out
}

@test "CSV: a line a kernel, or a format if there are none" {
    need jq
    cp "$SRCDIR/data/pmpp.mtx" 'a,"b".mtx'
    write_complex complex.mtx
    timed --format=json --kernels='csr-compact csr-omp' complex.mtx
    jq -r '.matrices[0].kernels[0] | ["name", "order"] + (del(.energy, .estimate, .cmrs, .predicted, .tuning, .ranks, .label) | keys_unsorted) | join(",")' out >expected
    timed --format=csv --kernels='csr-seq csr-compact' 'a,"b".mtx' missing.mtx complex.mtx
    [ "$status" -eq 1 ]
    head -n 1 out >header
    tr , '\n' <header | grep -vE '^(energy|estimate|cmrs|predicted|tuning|ranks|report)\.' | paste -sd, | diff expected -
    [ "$(wc -l <out)" -eq 5 ]
    [ "$(cut -c1-45 out | sed -n 2p)" = '"a,""b""",natural,cpu/csr-seq,csr,cpu,,f64,,1' ]
    # Null is an empty field: outside of quotes each line has the header's number of commas.
    sed -n 5p out >line
    grep -qE '^complex,natural,cpu/csr-compact,csr,cpu,,c64,,[0-9]+,"the matrix is complex: the kernel takes real ones only, since [^"]*",,,' line
    [ "$(sed 's/"[^"]*"//g' line | tr -cd , | wc -c)" -eq "$(tr -cd , <header | wc -c)" ]
    sparsight report --format=csv "$SRCDIR/data/pmpp.mtx" "$SRCDIR/data/hpcg5.mtx"
    show
    [ "$(head -n 1 out)" = 'name,order,format,params,precision,bytes,bytes_error,integers,slots,padding,padding_ratio,dense_ratio,convert_us,refused,criteria.space,criteria.flexibility,criteria.accessibility,criteria.access,criteria.balance,report.version,report.date,report.command,report.host.cpu,report.host.threads,report.host.gpus.name,report.host.gpus.driver,report.host.compiler,report.host.system' ]
    [ "$(grep -c ^name, out)" -eq 1 ]
    grep -q '^pmpp,natural,ell,"layout=transposed,pad=repeat",f64,144,,12,12,5,1.7142857142857142,1.125,,,0.3888888888888889,0.9722222222222222,1,0.4375,0.5833333333333334,0' out
    grep -q '^pmpp,natural,dia,,f64,.*,,,0.3111111111111111,[0-9.]*,1,0.35,1,0' out
    grep -q '^hpcg5,natural,csr,' out
}

@test "Markdown: headings, whole tables, marks escaped" {
    cp "$SRCDIR/data/pmpp.mtx" 'a|b_*c.mtx'
    timed --format=markdown --kernels=csr-seq --arrays=csr --precision=f64,f32 'a|b_*c.mtx' missing.mtx
    [ "$status" -eq 1 ]
    [ "$(sed '1,/^$/d' out | head -n 1)" = '# a\|b\_\*c' ]
    grep -E '^#' out | tail -n +2 >headings
    diff headings - <<'END'
## Peculiarities
## Matrix
## Structure
## Lengths
## Values
## Formats, f64
## Formats, f32
## Criteria, f64
## Criteria, f32
## Timing
## Kernels, f64
## Forecast, f64
## Kernels, f32
## Forecast, f32
## Arrays of csr, f64
## Arrays of csr, f32
## Advice, f64
## Advice, f32
END
    grep -qxF '| Entries | 7 |  |' out
    grep -qxF '| csr | 104 | 12 | 7 | 1 | 81.2% | '"$(grep -oE '^\| csr \| 104 .*' out | sed 's/.*81.2% | //')" out
    grep -qxF '| csr | 0.5385 | 0.4872 | 0.3333 | 0.3281 | 0.5833 |' out
    [ "$(grep -c '^- flexible: ' out)" -eq 1 ]
    grep -qE '^\| cpu/csr-seq \| 1 \| [0-9.]+ [num]?s \| ' out
    grep -qx '    0:   3   1 | 2   4   1 | 1   1' out
    grep -qE '^\*\*missing.mtx: .*No such file.*\*\*$' out
    # A table's lines have as many cells as its first one.
    sed '/^```/,/^```/d; s/\\|//g' out | awk -F'|' '/^\|/ { if (cells && NF != cells) { print; bad = 1 } cells = NF; next }
        { cells = 0 } END { exit bad }'
}

@test "sparsight kernels lists every format and kernel" {
    local name
    sparsight kernels
    show
    [ "$status" -eq 0 ]
    [ ! -s err ]
    for name in $(sed -n 's/^FORMAT(\(.*\))$/\1/p' "$SRCDIR/src/formats/formats.def") \
        $(sed -n -e 's/_/-/g' -e 's/^KERNEL(cpu-\(.*\))$/cpu\/\1/p' "$SRCDIR/src/kernels/kernels.def"); do
        grep -qE "^$name  [^ ]" out
    done
    grep -A 1 '^cpu/csr-seq ' out | grep -qx '    source: PMPP, figure 10.4'
    grep -qE '^    [0-9]+ processors?, [0-9]+ threads?, instruction set (portable|avx2|avx512)(-loads)?$' out
    sparsight kernels --threads=3
    grep -q ', 3 threads, ' out
}

@test "the memory requests of GPU kernels are in every report, with a GPU or without" {
    need jq
    run_report() { sparsight report --limit=8M --kernels='cuda/csr-scalar cpu/csr-seq' --repeat=1 "$@"; }
    run_report --gpu=GTX480 --format=json "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].kernels[0].estimate
        | .gpu == "gtx480" and .granule == 128 and .sampled == 1 and .loads.requests == .operands.values.requests
            + .operands.columns.requests + .operands.pointers.requests + .operands.x.requests
            and .stores.requests == .operands.y.requests and (.reductions.requests + .atomics.requests) == 0' out
    jq -e '.matrices[0].kernels[1].estimate == null' out
    # y += A x loads y as often as it stores it
    run_report --gpu=h200 --accumulate --format=json "$SRCDIR/data/pmpp.mtx"
    jq -e '.matrices[0].kernels[0].estimate | .operands.y.requests == 2 * .stores.requests' out
    run_report --gpu=h200 "$SRCDIR/data/pmpp.mtx"
    grep -q '^Memory access, f64 ' out
    grep -q '^  cuda/csr-scalar ' out
    grep -q 'estimated for NVIDIA' out
    run_report --gpu=h200 --format=markdown "$SRCDIR/data/pmpp.mtx"
    grep -q '^## Memory access, f64' out
}

# forecast FILE ARGUMENTS...: a report's times of kernels that cannot run here.
forecast() {
    local file=$1
    shift
    CUDA_VISIBLE_DEVICES=-1 sparsight report --format=json --gpu=h200 --kernels='cuda cusparse' "$@"
    show
    [ "$status" -eq 0 ]
    jq '[.matrices[0].kernels[] | {kernel, predicted_us, predicted, stays: .estimate.l2.stays}]' out >"$file"
}

@test "the forecast of times is the same on any machine, with any number of threads" {
    need jq
    local matrix=gen:powerlaw,scale=13,edge=9
    forecast first "$matrix"
    jq -e 'map(select(.predicted_us)) | length >= 20' first >enough || skip "nvcc did not build this"
    forecast second --threads=3 "$matrix"
    cmp first second
    # Two kernels of a library: one resembles an own kernel, and one has its own model.
    jq -e 'all(.[] | select(.kernel == "cusparse/csr-alg1"); .predicted.like == "cuda/csr-segmented" and .predicted_us > 0)
        and all(.[] | select(.kernel == "cusparse/bsr"); .predicted.like == "a model (lanes share a row)" and .predicted_us > 0)
        and all(.[] | select(.kernel == "cuda/csr-vector"); .predicted.like == null and .predicted.machine == "h200")' first
    # With flushed caches memory is read, and every product takes longer. Data larger than L2 are read from memory in
    # either case, and results of the product before are written to memory meanwhile.
    forecast cold --cold "$matrix"
    jq -e --slurpfile cold cold '[., $cold[0]] | transpose
        | all(.[] | select(.[0].predicted_us); .[1].predicted_us > .[0].predicted_us and
            .[0].predicted.dram_us < (if (.[0].stays // 1) == 1 then 1 else 1.001 end) * .[1].predicted.dram_us)
        and any(.[] | select(.[0].predicted_us); .[0].predicted.dram_us < 0.1 * .[1].predicted.dram_us)' first
    # A matrix of more than EXCERPT_WHOLE entries is sampled, by the same draw each time.
    forecast first gen:laplace2d,n=660
    forecast second --threads=1 gen:laplace2d,n=660
    cmp first second
}

@test "a sample of the warps is a share" {
    need jq
    sparsight report --kernels=cuda/csr-scalar --sample=10% --format=json gen:laplace2d,n=200
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].kernels[0].estimate | .sampled > 0.08 and .sampled < 0.15 and .sampling_error != null' out
    sparsight report --kernels='cuda/csr-scalar cuda/coo-atomic' --sample=10% gen:laplace2d,n=200
    tr -s '\n ' ' ' <out | grep -q 'from a sample of 1[0-9.]*% of the warps or more: the 95% interval of all sectors is +- [0-9.]*% at most'
    sparsight report --kernels=cuda/csr-scalar gen:laplace2d,n=200
    [ "$(grep -c 'sample of' out)" -eq 0 ]
    sparsight report --kernels=cuda/csr-scalar --sample=100% --format=json "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].kernels[0].estimate.sampled == 1' out
    local share
    for share in 0 -1 1.5 101% 5%% x "" nan; do
        sparsight report --kernels=cuda/csr-scalar --sample="$share" "$SRCDIR/data/pmpp.mtx"
        [ "$status" -eq 2 ]
        grep -q -e "--sample=$share: give a share of the warps" err
    done
}

@test "numbers of CMRS: none without rows, and values of 16 bytes if complex" {
    printf '%%%%MatrixMarket matrix coordinate real general\n0 0 0\n' >empty.mtx
    printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 3 4\n' >complex.mtx
    sparsight report --kernels=cuda/cmrs empty.mtx
    [ "$status" -eq 0 ]
    [ "$(grep -c -e 'CMRS model' -e '\bnan\b' -e ' $' out)" -eq 0 ]
    sparsight report --kernels=cuda/cmrs --format=markdown empty.mtx
    [ "$(grep -c 'CMRS model' out)" -eq 0 ]
    # One entry of 16 + 4 bytes, a strip, and two elements each of x and y.
    sparsight report --kernels=cuda/cmrs --format=json complex.mtx
    jq -e '.matrices[0].kernels[0].cmrs | .beta_plus == 20 + 4 + 16 * 4 and .beta_minus == 20 + 4 + 16 * 3' out
}

# By hand: 4 rows and columns, 7 entries, strips of 2 rows: L = 3.5 entries of 8 bytes a strip, 1.75 a row.
@test "the model of CMRS beside its kernels" {
    need jq
    sparsight report --kernels='cuda/cmrs:height=2 cpu/cmrs-seq:height=2' --repeat=1 --limit=8M --format=json "$SRCDIR/data/pmpp.mtx"
    jq -e '.matrices[0].kernels[0].cmrs
        | ((.f_32 - (32 + 20) / 28) | fabs) < 1e-12 and ((.a_32 - (28 / 52) / (14 / 38)) | fabs) < 1e-12
        and ((.approximation_32 - (1 + 1 / (1 + 28 / 32))) | fabs) < 1e-12
        and .beta_minus == 7 * 12 + 4 * 2 + 8 * (7 + 4) and .beta_plus == 7 * 12 + 4 * 2 + 8 * (4 + 4)' out
    jq -e '.matrices[0].kernels[1].cmrs == null' out
    # strips of 3 rows: the second has one
    sparsight report --kernels=cuda/cmrs:height=3 --limit=8M --format=json "$SRCDIR/data/pmpp.mtx"
    jq -e '.matrices[0].kernels[0].cmrs.beta_plus == 7 * 12 + 4 * 2 + 8 * (4 + 4)' out
}

@test "--tune has a row for each variant that ran, and marks the best" {
    need jq
    timed --tune=all --kernels=bsr-seq --format=json gen:laplace2d,n=10
    [ "$status" -eq 0 ]
    [ "$(jq '[.matrices[0].kernels[] | select(.tuning.best)] | length' out)" -eq 1 ]
    [ "$(jq -c '[.matrices[0].kernels[].params.size] | sort' out)" = '[2,3,4,5,6,7,8]' ]
    [ "$(jq -c '[.matrices[0].kernels[].tuning | [.space, .runs]] | unique' out)" = '[[7,7]]' ]
    [ "$(jq '.matrices[0].kernels as $k | ($k[] | select(.tuning.best).time_us) == ($k | map(.time_us) | min)' out)" = true ]

    timed --tune --kernels='cmrs-seq:packed=1' --format=csv gen:laplace2d,n=10
    [ "$status" -eq 0 ]
    [ "$(head -n 1 out | tr , '\n' | grep -c '^tuning\.')" -eq 7 ]
    [ "$(wc -l <out)" -eq 9 ]

    timed --tune --kernels=bsr-seq gen:laplace2d,n=10
    grep -q '^Tuning, f64' out
    tr -s '\n ' ' ' <out | grep -q 'bsr-seq:size=[2-8]: the fastest of all 7 variants'
}

@test "--tune requires a value" {
    sparsight report --tune=some gen:laplace2d,n=10
    [ "$status" -eq 2 ]
    grep -q 'give all, which runs every variant, or forecast' err
}

# A = [1+2i 3; 0 -i] and x = (1-i, 2): A x = (9+i, -2i). Real matrices are in both files as complex numbers, too.
@test "x and b of complex matrices are complex or real" {
    need jq
    printf '%s\n' '%%MatrixMarket matrix coordinate complex general' '2 2 3' '1 1 1 2' '1 2 3 0' '2 2 0 -1' >a.mtx
    printf '%s\n' '%%MatrixMarket matrix array complex general' '2 1' '1 -1' '2 0' >x.mtx
    printf '%s\n' '%%MatrixMarket matrix array complex general' '2 1' '9 1' '0 -2' >b.mtx
    sequential=$("$SPARSIGHT" report --kernels='cpu/*-seq' --precision=f64 --limit=8M --repeat=3 --format=json gen:laplace2d,n=2 | jq '.matrices[0].kernels | length')
    timed --x=x.mtx --b=b.mtx --kernels='cpu/*-seq' --precision=c64,c32 --format=json a.mtx
    [ "$status" -eq 0 ]
    # The matrix is not Hermitian, so that sss-seq refuses it.
    jq -e --argjson count "$sequential" '[.matrices[0].kernels[] | select(.kernel | contains("sss-seq") | not)] | length == 2 * ($count - 1) and all(.unavailable == null and .residual == 0 and .agrees == true)
        and ([.[].precision] | unique == ["c32", "c64"])' out
    # (1+2i + 3, -i) is not b: the distance is |(5 - i, -i)| in the first row, of |9 + i|.
    printf '%s\n' '%%MatrixMarket matrix array real general' '2 1' '1' '1' >ones.mtx
    timed --x=ones.mtx --b=b.mtx --kernels='cpu/csr-seq' --format=json a.mtx
    jq -e '.matrices[0].kernels[0].residual - ((5 * 5 + 1) / (9 * 9 + 1) | sqrt) | fabs < 1e-15' out
    timed --x=x.mtx --kernels=csr-seq "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 1 ]
    printf '%s\n' '%%MatrixMarket matrix array complex general' '4 1' '1 1' '1 1' '1 1' '1 1' >x4.mtx
    timed --x=x4.mtx --kernels=csr-seq "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 1 ]
    grep -q 'x4.mtx: it is complex; the matrix is real, so x must be real' err
}

# DIA of an arrow of n rows takes n (2n - 1) values: 8200 rows exceed 1 GiB, and a hundred times CSR.
@test "a pattern leaves out formats whose padding is huge, a name and a limit do not" {
    need jq
    local why="only a pattern requests it: name the kernel or the format, run it alone, or set --limit=BYTES"
    export OMP_NUM_THREADS=2
    sparsight report --format=json --kernels='cpu/dia-*' --convert=all --arrays='di?' gen:arrow,n=8200
    [ "$status" -eq 0 ]
    jq -e --arg why "$why" '.matrices[0]
        | ([.formats[] | select(.format == "dia")] | length == 1 and all(.bytes > 1.07e9 and .convert_us == null
            and (.refused | endswith($why))))
        and ([.formats[] | select(.format == "csr")] | all(.refused == null and .convert_us != null))
        and ([.kernels[] | select(.format == "dia")] | length == 2 and all(.unavailable | endswith($why)))' out
    sparsight report --convert='d*' gen:arrow,n=8200
    tr -s ' \n' ' ' <out | grep -q "dia is refused: dia would take 1.02 GiB, [0-9]* times the bytes of CSR, and $why"
    [ "$(grep -c "larger than the limit" out)" -eq 0 ]
    sparsight report --format=json --convert=all --limit=900M gen:arrow,n=8200
    jq -e '.matrices[0].formats[] | select(.format == "dia") | .refused | contains("the limit is 900 MiB")' out
    [ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt 4000000 ] || skip "less than 4 GB of free memory"
    sparsight report --format=json --kernels='none' --convert='all dia' gen:arrow,n=8200
    jq -e '.matrices[0].formats[] | select(.format == "dia") | .refused == null and .convert_us > 0' out
    sparsight report --format=json --convert='dia*' --limit=3G gen:arrow,n=8200
    jq -e '.matrices[0].formats[] | select(.format == "dia") | .refused == null and .convert_us > 0' out
}
