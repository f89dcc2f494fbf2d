#!/usr/bin/env bats
# --transpose: the matrix is A^T from loading on. tests/support/written.py compares it with SciPy's.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# The row-major ELLPACK of A^T of the 6 x 6 matrix of "Sparse matrix-vector multiplication for HPCG on GPUs", as printed there.
@test "the transposed ELL of the HPCG article is printed" {
    sparsight report --transpose --arrays=ell:layout=rows,pad=sentinel "$SRCDIR/data/hpcg6.mtx"
    show
    [ "$status" -eq 0 ]
    sed -n '/^Arrays/,/^$/p' out | sed -nE 's/^ +[0-9]+: +//p' | tr -d '|*' | xargs -n 3 >arrays
    cat arrays
    printf '%s\n' '0 2 -1' '1 -1 -1' '4 -1 -1' '0 3 -1' '2 4 -1' '0 1 4' '10 30 0' '20 0 0' '70 0 0' '70 50 0' '40 60 0' '40 10 10' |
        diff arrays -
}

@test "the report says that the matrix is transposed, and counts A^T" {
    need jq
    printf '%%%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 5\n1 3 7\n2 3 1\n2 3 1\n' >a.mtx
    sparsight report --transpose --format=json a.mtx
    show
    [ "$status" -eq 0 ]
    [ "$(jq -c '.matrices[0] | [.name, .rows, .cols, .stored, .nnz, .duplicates, .source.transposed, .row_lengths.max]' out)" = \
        '["a^T",3,2,4,3,1,true,2]' ]
    cp out saved.json
    sparsight report --transpose a.mtx
    grep -qx 'a^T' out
    grep -qx '3 x 2, real general, transposed' out
    sparsight report --format=json a.mtx
    [ "$(jq -c '.matrices[0] | [.name, .rows, .cols, .source.transposed, .row_lengths.max]' out)" = '["a",2,3,false,2]' ]
    # Other commands record the option in the comments that they write.
    sparsight convert --transpose --reorder=rcm:apply=rows a.mtx b.mtx
    [ "$status" -eq 1 ]
    sparsight convert --transpose --reorder=length a.mtx b.mtx
    show
    [ "$status" -eq 0 ]
    grep -q '^% sparsight convert --transpose --reorder=length a.mtx$' b.mtx
    sparsight plot --transpose --ascii a.mtx
    [ "$status" -eq 0 ]
}

@test "x and b belong to A^T, and are read unchanged" {
    need jq
    # A = (1 2 3; 0 4 0), A^T (1, 10) = (1, 42, 3).
    printf '%%%%MatrixMarket matrix array real general\n2 3\n1\n0\n2\n4\n3\n0\n' >a.mtx
    printf '%%%%MatrixMarket matrix array real general\n2 1\n1\n10\n' >x.mtx
    printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n42\n3\n' >b.mtx
    sparsight report --limit=8M --transpose --format=json --kernels=csr-seq --x=x.mtx --b=b.mtx a.mtx
    show
    [ "$status" -eq 0 ]
    [ "$(jq -c '.matrices[0].kernels[0] | [.residual, .agrees]' out)" = '[0,true]' ]
    # The product with A^T of A^T is that with A.
    sparsight report --limit=8M --transpose --product=At --format=json --kernels=csr-seq --x=b.mtx a.mtx
    show
    [ "$status" -eq 0 ]
    sparsight report --limit=8M --transpose --format=json --kernels=csr-seq --x=b.mtx a.mtx
    [ "$status" -eq 1 ]
}

@test "streams refuse it, and so does a limit below both matrices; one rank does not" {
    sparsight report --transpose --stream gen:laplace2d,n=9
    show
    [ "$status" -eq 2 ]
    grep -q -- '--transpose needs the entries in memory, but --stream keeps none' err
    sparsight convert --transpose --limit=40M gen:banded,n=200000,lower=5,upper=5 - # 26 MB once
    show
    [ "$status" -eq 1 ]
    grep -q 'the transposed matrix' err
    # Without the option such a matrix is streamed.
    sparsight report --transpose --limit=17M gen:laplace2d,n=1000
    show
    [ "$status" -eq 1 ]
    grep -q 'limit of 17.0 MiB' err
    sparsight gen --transpose laplace2d,n=3
    [ "$status" -eq 2 ]
    if [ -x "$BUILDDIR/sparsight-mpi" ]; then
        # One rank needs no mpirun; tests/ranks/ranks.bats has several.
        "$BUILDDIR/sparsight-mpi" report --transpose gen:laplace2d,n=3 >out
        grep -q 'laplace2d.*^T' out
    fi
}
