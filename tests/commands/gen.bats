#!/usr/bin/env bats
# The files of gen and convert: they read back the same, also compressed; and outputs that fail.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "gen writes a matrix that reads back the same" {
    sparsight gen laplace2d,n=5
    show
    [ "$status" -eq 0 ]
    head -n 1 out | grep -q '^%%MatrixMarket matrix coordinate '
    grep -q '^% sparsight gen laplace2d,n=5' out
    mv out same.mtx
    sparsight gen gen:laplace2d,n=5 --output=file.mtx
    [ "$status" -eq 0 ]
    [ ! -s out ]
    cmp file.mtx same.mtx
    sparsight report --format=jsonl file.mtx
    [ "$(jq -r .source.comments out)" = "sparsight gen laplace2d,n=5" ]
    jq 'del(.name, .path, .source.comments, .source.format, .report)' out >read
    [ "$(jq '.rows' read)" = 25 ]
    sparsight report --format=jsonl gen:laplace2d,n=5
    jq 'del(.name, .path, .source.comments, .source.format, .report)' out >made
    cmp read made
}

@test "convert writes the format of the ending, and refuses other endings" {
    sparsight gen laplace2d,n=5 -o a.mtx
    sparsight convert a.mtx a.petsc
    [ "$status" -eq 0 ]
    sparsight convert a.petsc b.mtx.gz
    [ "$status" -eq 0 ]
    gzip -dc b.mtx.gz | grep -v '^%' >back
    sparsight convert --to=mtx a.petsc -
    grep -v '^%' out | cmp - back
    sparsight report --format=json a.petsc
    [ "$(jq -r '.matrices[0].source.format' out)" = "PETSc binary" ]
    sparsight convert a.mtx a.txt
    [ "$status" -eq 2 ]
    grep -q "does not have the ending of a file format; name one with --to=NAME" err
    sparsight convert a.mtx a.graph
    [ "$status" -eq 2 ]
    grep -q "METIS graph files are read, but not written" err
    sparsight report --from=metis a.mtx
    [ "$status" -eq 1 ]
    grep -q "^a.mtx:" err
    sparsight report --from=petsc:double a.mtx
    [ "$status" -eq 2 ]
    grep -q "petsc: 'double' is not a kind of PETSc binary files; there are real, complex, single, single-complex" err
    sparsight report --from=mtx:real a.mtx
    [ "$status" -eq 2 ]
    grep -q "mtx: there is only one kind of Matrix Market files: leave out" err
    sparsight report --from=mtz a.mtx
    [ "$status" -eq 2 ]
    grep -q "did you mean mtx" err
}

@test "gen compresses by the name's ending" {
    local ending
    sparsight gen laplace2d,n=5 -o plain.mtx
    sparsight report --format=jsonl plain.mtx
    jq -S 'del(.name, .path, .report)' out >expected
    for ending in gz bz2 xz zst; do
        sparsight gen laplace2d,n=5 -o "file.mtx.$ending"
        show
        [ "$status" -eq 0 ]
        sparsight report --format=jsonl "file.mtx.$ending"
        show
        jq -S 'del(.name, .path, .report)' out | cmp - expected
    done
    gzip -dc file.mtx.gz | cmp - plain.mtx
    for ending in zip tar tar.gz tgz; do
        sparsight gen laplace2d,n=5 -o "other.$ending"
        show
        [ "$status" -eq 2 ]
        grep -q "archives are not written" err
        [ ! -e "other.$ending" ]
    done
    ln -s /dev/full full.gz
    sparsight gen laplace2d,n=50 -o full.gz
    show
    [ "$status" -eq 1 ]
    grep -q "^full.gz: .*No space left on device" err
}

@test "gen into a full device, a closed pipe, and past a file size limit" {
    sparsight gen laplace2d,n=50 -o /dev/full
    show
    [ "$status" -eq 1 ]
    grep -q '^/dev/full: .*No space left on device$' err
    (
        status=0
        "$SPARSIGHT" gen laplace2d,n=300 2>err || status=$?
        echo "$status" >result
    ) | head -n 1 >/dev/null
    [ "$(cat result)" -eq 1 ]
    [ ! -s err ]
    echo old >small.mtx
    (ulimit -f 8 && "$SPARSIGHT" gen laplace2d,n=100 -o small.mtx 2>err) && false
    cat err
    [ "$(cat small.mtx)" = old ]
    rm -f err out result
    [ "$(ls -A)" = small.mtx ]
}
