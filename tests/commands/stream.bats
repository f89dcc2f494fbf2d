#!/usr/bin/env bats
# Matrices that exceed the limit: numbers from one pass over their entries.

setup() {
    load ../support/helper
    cd "$BATS_TEST_TMPDIR"
    # Formats that cannot be planned from a stream, since that takes counting blocks of entries, or comparing all
    # values.
    blocks=$("$SPARSIGHT" report --stream --format=json gen:laplace2d,n=4 2>stream.err |
        jq -c '[.matrices[0].formats[] | select(.refused // "" | test("not in memory")) | .format] | unique')
}

# All numbers of a matrix that do not need its entries.
found() {
    jq -S --argjson blocks "$blocks" '.matrices[0] | {rows, cols, stored, nnz, explicit_zeros, duplicates, density, row_lengths, col_lengths, values: (.values | del(.definite_candidate)),
        structure: (.structure | {lower_bandwidth, upper_bandwidth, profile, diagonal_nonzeros, diagonals, empty_rows,
        empty_cols}), formats: [.formats[] | select(.format | IN($blocks[]) | not) | {format, params, bytes, slots, integers, criteria}]}' "$@"
}

@test "a stream gives the numbers of the matrix in memory, with any number of threads" {
    "$SPARSIGHT" report --format=json --precision=f64,f32 gen:stencil27,n=24 >memory.json
    for threads in 1 2 5; do
        "$SPARSIGHT" report --stream --threads=$threads --format=json --precision=f64,f32 gen:stencil27,n=24 >stream.json
        diff <(found memory.json) <(found stream.json)
    done
    [[ $blocks == *'"bsr"'* && $blocks != *'"csr"'* ]]
    jq -e --argjson blocks "$blocks" '[.matrices[0].formats[] | select(.bytes == null) | .format] | unique == $blocks' stream.json
}

@test "streams of real matrices give the same numbers" {
    local matrices=${SPARSIGHT_MATRICES:-$SRCDIR/../shared/matrices}
    [ -d "$matrices" ] || skip "no real matrices"
    for name in bcsstk13.mtx.gz bayer10.mtx.gz FIT2D_A.mtx.gz 1138_bus.tar.gz helmholtz_2D_A.mtx.gz; do
        "$SPARSIGHT" report --limit=8G --format=json "$matrices/$name" >memory.json
        "$SPARSIGHT" report --limit=8G --stream --format=json "$matrices/$name" >stream.json
        diff <(found memory.json) <(found stream.json)
    done
}

@test "other file formats stream, and so does standard input" {
    "$SPARSIGHT" gen gen:random,m=300,n=300,mean=6 -o a.mtx
    "$SPARSIGHT" report --format=json a.mtx | found - >expected
    for ending in npz mat rb; do
        "$SPARSIGHT" convert a.mtx a.$ending
        "$SPARSIGHT" report --stream --format=json a.$ending | found - | diff expected -
    done
    "$SPARSIGHT" report --stream --format=json - <a.mtx | found - | diff expected -
    gzip -k a.mtx
    "$SPARSIGHT" report --stream --format=json a.mtx.gz | found - | diff expected -
}

@test "an edge list is parsed twice instead of being kept" {
    printf '# a list\n0 1\n1 2\n2 0\n2 1\n' >list.txt
    "$SPARSIGHT" report --stream --format=json list.txt >out
    [ "$(jq -c '.matrices[0] | [.rows, .nnz, .row_lengths.max, .duplicates]' out)" = '[3,4,2,0]' ]
    printf 'a b\nb c\nc a\nc b\n' >words.txt
    "$SPARSIGHT" report --stream --names --from=edges --format=json words.txt >out
    [ "$(jq -c '.matrices[0] | [.rows, .nnz, .row_lengths.max]' out)" = '[3,4,2]' ]
}

@test "the limit decides about streaming, and the report says so" {
    "$SPARSIGHT" report --limit=64M gen:stencil27,n=64 >out 2>err
    grep -q "read as a stream" out
    grep -q "the limit is 64" out
    "$SPARSIGHT" report --limit=64M --kernels=cpu/csr-seq --reorder=rcm gen:stencil27,n=64 >out
    grep -q "Not available without entries: kernels, other orders" out
    run "$SPARSIGHT" convert --limit=64M gen:stencil27,n=64 out.mtx
    [ "$status" -eq 1 ]
    [[ "$output" == *"more than the limit"* ]]
}

@test "the symmetry of a general matrix is not known, nor whether it may be definite" {
    "$SPARSIGHT" report --stream --format=json gen:laplace2d,n=9 >out
    [ "$(jq -c '.matrices[0] | [.structure.pattern_symmetry, .values.definite_candidate]' out)" = '[null,null]' ]
}

@test "an array file with more numbers than its size line states is refused before these are used" {
    for symmetry in general symmetric; do
        count=$([ $symmetry = general ] && echo 40000 || echo 20100)
        { printf '%%%%MatrixMarket matrix array real %s\n200 200\n' $symmetry; yes 1.5 | head -n $((count + 100000)); } >over.mtx
        gzip -kf over.mtx
        for file in over.mtx over.mtx.gz; do
            run "$SPARSIGHT" report --kernels=none --stream $file
            echo "$symmetry: $output"
            [ "$status" -eq 1 ]
            [[ $output == *"more entries than the $count of the size line"* ]]
        done
    done
}
