#!/usr/bin/env bats
# The benchmark of our kernels and those of others: all of them multiply correctly here. Speeds do not matter.

setup() {
    : "${SRCDIR:?run by make check}" "${BUILDDIR:?run by make check}"
    bench="$BUILDDIR/tests/bench/kernels"
}

# Every kernel has a time for every matrix. bench_run compares each product with its own reference, and a wrong one has
# an error instead of a time.
all_timed() {
    local line times wanted=$1 lines=0
    while IFS= read -r line; do
        times=$(grep -oE '[0-9]+\.[0-9]+ ms' <<<"$line" | wc -l)
        [ "$times" -eq "$wanted" ] || return 1
        lines=$((lines + 1))
    done < <(grep -E '^(demo|pmpp|gen:random)' <<<"$output")
    [ "$lines" -eq 3 ]
}

# Beside the plain loop and our best kernels, each library that is found has a time.
bench_all() {
    run "$bench" "$@" --limit=8 --repeat=3 "$SRCDIR/data/demo.mtx.gz" "$SRCDIR/data/pmpp.mtx" gen:random,m=300,n=70,mean=3,spread=3
    echo "$output"
    [ "$status" -eq 0 ]
    grep -q "geometric mean" <<<"$output"
    found=$(grep -cE '^(mkl|aocl|rsb|graphblas|armpl): ' <<<"$output" || true)
    [ $((found + $(grep -c '^missing: ' <<<"$output" || true))) -eq 5 ]
    all_timed $((2 + found))
}

@test "the installed libraries and the plain loop give the same products as our kernels" {
    bench_all
    bench_all --single
}

@test "each library that is found is timed beside ours" {
    local name
    for name in MKL AOCL RSB GRAPHBLAS ARMPL; do
        export "SPARSIGHT_$name=$BUILDDIR/tests/support/fake_library.so"
    done
    bench_all
    [ "$found" -eq 5 ]
    export SPARSIGHT_AOCL=/nowhere
    bench_all
    [ "$found" -eq 4 ]
    [[ $output == *"missing: AOCL-Sparse is not found: SPARSIGHT_AOCL says /nowhere"* ]]
}

@test "the benchmark of kernels goes on after a matrix that it cannot open" {
    run "$bench" --limit=8 --repeat=3 "$BATS_TEST_TMPDIR/none.mtx" "$SRCDIR/data/pmpp.mtx"
    echo "$output"
    [[ $output == *"none.mtx"* ]]
    [[ $output == *"1 matrices"* ]]
}

@test "the benchmark of GPUs has matrices of each kind with an aim" {
    run "$BUILDDIR/tests/bench/gpu" --list
    [ "$status" -eq 0 ]
    local kind
    for kind in stencil banded elements circuit lp rmat graph permutation other; do
        grep -qE "^[^ ]+ +$kind( |$)" <<<"$output"
    done
}

@test "the benchmark of GPUs does nothing without a GPU, and says why" {
    export CUDA_VISIBLE_DEVICES=
    run "$BUILDDIR/tests/bench/gpu" --single --budget=1 gen:banded
    printf '%s\n' "$output"
    [ "$status" -eq 0 ]
    [[ $output == "bench_gpu does nothing here: "* ]]
    run "$BUILDDIR/tests/bench/gpu" --repeat=0
    [ "$status" -eq 2 ]
    run "$BUILDDIR/tests/bench/gpu" --nonsense
    [ "$status" -eq 2 ]
    [[ $output == *"--csv=FILE"* ]]
}
