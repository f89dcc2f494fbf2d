#!/usr/bin/env bats
# sparsight-mpi, and the unit tests of src/ranks, under mpirun with 1, 2, 3 and 5 ranks.

load ../support/helper
load ../support/ranks

setup() {
    need_ranks
    cd "$BATS_TEST_TMPDIR"
}

# each UNIT: run a unit test with each number of ranks.
each() {
    local count
    [ -x "$BUILDDIR/tests/ranks/$1" ] || skip "no cmocka"
    for count in 1 2 3 5; do
        echo "# $count ranks"
        ranks "$count" "$BUILDDIR/tests/ranks/$1" >out 2>err || { cat out err; return 1; }
        [ "$(grep -c '^ok' out)" -gt 0 ]
    done
}

@test "what ranks do together, and shares of a matrix" {
    each share
}

@test "products over ranks, and their plan" {
    each product
}

@test "products of devices over ranks" {
    each devices
}

@test "any number of ranks owns all rows and all entries" {
    local count
    for count in 1 2 3 5; do
        sparsight_mpi "$count" report gen:laplace2d,n=10
        show
        [ "$status" -eq 0 ]
        grep -q ' 100 rows, 100 columns, 460 entries$' out
        [ "$(grep -c '^  rank' out)" -eq "$count" ]
        [ "$(awk '/^  rank/ { n += $(NF - 1) } END { print n }' out)" -eq 460 ]
    done
}

@test "what is wrong is told once, on any number of ranks" {
    local count
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 3 1\n' >bad.mtx
    for count in 1 2 3 5; do
        sparsight_mpi "$count" report bad.mtx
        show
        [ "$status" -eq 1 ]
        [ "$(grep -c 'bad.mtx:4:3: ' err)" -eq 1 ]
        sparsight_mpi "$count" report --kernels=all bad.mtx
        [ "$status" -eq 2 ]
        [ "$(grep -c "unknown option '--kernels=all': it is for 'sparsight report', without ranks" err)" -eq 1 ]
        sparsight_mpi "$count" plot
        [ "$status" -eq 2 ]
        grep -q "'plot' is no command of this program; it has report" err
    done
}
