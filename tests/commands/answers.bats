#!/usr/bin/env bats
# Analyses compared with a second program (tests/support/answered.py): level sets, colours, dense blocks, sparse products, precisions, and
# products of half storage, of twenty matrices.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# answered MATRIX...
answered() {
    need_python numpy scipy
    run "$python" "$SRCDIR/tests/support/answered.py" "$SPARSIGHT" "$@"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "answers on meshes are SciPy's" {
    answered gen:stencil27,n=4 gen:laplace2d,n=12 gen:laplace3d,n=5 gen:dissection,n=9 "$SRCDIR/data/hpcg5.mtx"
}

@test "answers on bands and blocks are SciPy's" {
    answered gen:banded,n=90 gen:arrow,n=60 gen:dense,m=20 gen:blocks,n=64 gen:mosaic,n=90
}

@test "answers on matrices without structure are SciPy's" {
    answered gen:random,m=40,n=60,mean=4 gen:random,m=60,n=40,mean=3 gen:powerlaw,scale=6 gen:permutation,n=50 "$SRCDIR/data/pmpp.mtx"
}

# Values that overflow, underflow and are subnormal in narrower types, and symmetric, skew-symmetric and empty rows.
@test "answers on values of all sizes and on symmetric patterns are SciPy's" {
    cat >skew.mtx <<'END'
%%MatrixMarket matrix coordinate real skew-symmetric
5 5 4
2 1 0.1
4 1 -3.7
5 2 70000
5 4 1e-9
END
    cat >sizes.mtx <<'END'
%%MatrixMarket matrix coordinate real symmetric
6 6 9
1 1 1e-40
2 1 3.3e-8
3 2 65519.999
3 3 65520
4 1 1e-7
5 4 -0.3333333333333333
6 1 2e38
6 2 1.5
6 6 1e-46
END
    cat >far.mtx <<'END'
%%MatrixMarket matrix coordinate real general
3 4 5
1 1 1e300
1 4 -1e300
2 2 1e-300
2 3 5e-324
3 3 7
END
    answered skew.mtx sizes.mtx far.mtx gen:random,m=30,n=30,mean=2,seed=9 gen:random,m=50,n=50,mean=3,spread=3,seed=4
}
