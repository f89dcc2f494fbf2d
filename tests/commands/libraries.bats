#!/usr/bin/env bats
# Kernel libraries that are loaded on request, with a fake one in place of all (tests/support/fake_library.c).

load ../support/helper

variables="SPARSIGHT_MKL SPARSIGHT_AOCL SPARSIGHT_RSB SPARSIGHT_GRAPHBLAS SPARSIGHT_ARMPL"
kernels="mkl/csr aocl/csr rsb/csr graphblas/csr armpl/csr"

setup() {
    : "${BUILDDIR:?run by make check}"
    cd "$BATS_TEST_TMPDIR" || return
    write_matrix some.mtx
    local variable
    for variable in $variables; do
        export "$variable=$BUILDDIR/tests/support/fake_library.so"
    done
    export FAKE_MARK=$BATS_TEST_TMPDIR/loaded
}

@test "sparsight kernels shows the version and the file of each library" {
    need jq
    sparsight kernels
    show
    [ "$status" -eq 0 ]
    grep -A3 '^mkl/csr ' out | grep -q "^    oneMKL 2031.5: .*/fake_library.so$"
    grep -A2 '^aocl/csr ' out | grep -q "^    AOCL-Sparse 31.5.0: /"
    grep -A3 '^rsb/csr ' out | grep -q "^    librsb fake_library.so: /"
    grep -A2 '^graphblas/csr ' out | grep -q "^    SuiteSparse:GraphBLAS 31.5.1: /"
    grep -A2 '^armpl/csr ' out | grep -q "^    Arm Performance Libraries 31.5: /"
    [ ! -s err ]
}

@test "sparsight kernels shows why a library cannot be used, and how to get it" {
    local variable
    for variable in $variables; do
        export "$variable=$BUILDDIR/tests/support/lacking_library.so"
    done
    sparsight kernels
    show
    [ "$status" -eq 0 ]
    # Each kernel of each library: oneMKL has two.
    [ "$(grep -c '^    not available: .*lacking_library.so has no .*: it is too old, or not whole$' out)" -eq 6 ]
    unset $variables
    MKLROOT='' LD_LIBRARY_PATH='' sparsight kernels
    grep -q 'Arm Performance Libraries is not found: it is for Arm' out || grep -q 'Arm Performance Libraries [0-9]' out
}

@test "a library that exits or crashes stops no other kernel" {
    FAKE_LIBRARY=mkl_sparse_optimize=exit sparsight report --limit=8M --format=json --kernels='mkl/csr cpu/csr-omp' --repeat=2 some.mtx
    show
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].kernels | (.[0].unavailable | test("ends the program that loads it, saying: FAKE FATAL ERROR: no mkl_sparse_optimize$"))
        and .[0].library == null and .[0].time_us == null and .[1].time_us > 0' out
    [ ! -s err ]
    FAKE_LIBRARY=rsb_tune_spmm=crash sparsight report --limit=8M --format=json --kernels=rsb --repeat=2 some.mtx
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].kernels[0].unavailable | test("crashes \\(Segmentation fault\\)$")' out
}

@test "a report has the time and the version of each library, and counts its preparation as conversion" {
    need jq
    sparsight report --limit=8M --format=json --kernels="$kernels cpu/csr-omp" --precision=f32,f64 --threads=1,2 --repeat=3 some.mtx
    show
    [ "$status" -eq 0 ]
    jq -e '[.matrices[0].kernels[] | select(.backend != "cpu")] | length == 20
        and all(.[]; .unavailable == null and .time_us > 0 and .convert_us > 0 and .format == "csr" and .estimate == null)
        and ([.[].library] | unique) == ["2031.5", "31.5", "31.5.0", "31.5.1", "fake_library.so"]
        and ([.[].threads] | unique) == [1, 2]' out
    jq -e 'all(.matrices[0].kernels[] | select(.backend == "cpu"); .library == null)' out
    jq -e '[.matrices[0].kernels[] | select(.kernel == "rsb/csr")][0].predicted.like == "cpu/csr-balanced"' out
    mv out saved.json
    # A saved report keeps the version.
    sparsight report --format=json --results=saved.json --kernels=none some.mtx || true
}

@test "a wrong product is found by the check" {
    need jq
    local fault
    for fault in mkl_sparse_d_mv:mkl aoclsparse_dmv:aocl rsb_spmv:rsb GrB_mxv:graphblas armpl_spmv_exec_d:armpl; do
        FAKE_LARGE=1 FAKE_LIBRARY=${fault%:*}=wrong sparsight report --limit=8M --format=json --kernels="${fault#*:}" --repeat=2 gen:laplace2d,n=9
        show
        [ "$status" -eq 1 ]
        jq -e '.matrices[0].kernels[0] | (.unavailable | test("row 81")) and .time_us == null' out
    done
}

@test "no library is loaded unless one of its kernels is requested" {
    local arguments
    for arguments in "some.mtx" "--kernels=none some.mtx" "--limit=8M --kernels=cpu --repeat=1 some.mtx" "--format=json some.mtx"; do
        # shellcheck disable=SC2086 # a list of arguments
        sparsight report $arguments
        [ "$status" -eq 0 ]
        [ ! -e loaded ]
    done
    sparsight gen gen:laplace2d,n=3
    sparsight --version
    sparsight report --help
    [ ! -e loaded ]
    sparsight report --limit=8M --kernels=rsb --repeat=1 some.mtx
    [ "$status" -eq 0 ]
    [ -e loaded ]
}

@test "advice counts a library's preparation, and does not forecast libraries that were not found" {
    need jq
    sparsight report --limit=8M --format=json --kernels='mkl/csr cpu/csr-seq' --repeat=3 some.mtx
    show
    [ "$status" -eq 0 ]
    jq -e '[.. | objects | select(.kernel? == "aocl/csr")] | length == 0' out
}
