#!/usr/bin/env bats
# sparsight report: the structure and the values of matrices, many of them real ones, and numbers that are left out.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# Numbers by numpy 2 and scipy 1.14. Each line: file, rows, cols, nnz, zeros, lower and upper bandwidth, profile,
# diagonal nonzeros, diagonals, empty rows and columns, longest row and column, distinct row lengths.
@test "figures of real matrices" {
    need_matrices
    need jq
    local name expected
    while read -r name expected; do
        sparsight report --format=json "$matrices/$name"
        show
        [ "$status" -eq 0 ]
        jq -r '.matrices[0] | [.rows, .cols, .nnz, .explicit_zeros, .structure.lower_bandwidth,
            .structure.upper_bandwidth, .structure.profile, .structure.diagonal_nonzeros,
            .structure.diagonals, .structure.empty_rows, .structure.empty_cols, .row_lengths.max,
            .col_lengths.max, (.row_lengths.histogram | length)] | join(" ")' out >found
        echo "$name: $(cat found)"
        [ "$(cat found)" = "$expected" ]
    done <<'END'
bcsstk13.mtx.gz 2003 2003 83883 0 1250 1250 434798 2003 1841 0 0 95 95 85
orani678.mtx.gz 2529 2529 90158 0 2309 1491 2081533 211 3191 0 0 1110 1468 136
wiki-Vote.mtx.gz 8297 8297 103689 0 7417 8284 9152770 0 11437 2187 5916 893 457 238
helmholtz_2D_A.mtx.gz 2880 2880 52016 0 2470 2470 2481952 2880 4267 0 0 19 19 5
bayer10.mtx.gz 13436 13436 94926 23332 11773 13435 50994650 3 20535 0 0 27 32 19
END
}

# Each line: file, key, value.
@test "ratios and deviations of real matrices" {
    need_matrices
    need jq
    local name key expected
    while read -r name key expected; do
        [ -s "$name.json" ] || "$SPARSIGHT" report --format=json -o "$name.json" "$matrices/$name"
        jq -r "(.matrices[0].$key - $expected) / $expected | if . < 0 then -. else . end" "$name.json" >off
        echo "$name $key off by $(cat off)"
        jq -e '. < 1e-12' off
    done <<'END'
orani678.mtx.gz structure.pattern_symmetry 0.07068607068607069
orani678.mtx.gz structure.numeric_symmetry 2.223531635296341e-05
orani678.mtx.gz row_lengths.stddev 86.01106074837939
orani678.mtx.gz row_lengths.cv 2.4126752216403586
orani678.mtx.gz row_lengths.percent_average_deviation 139.8639948386029
orani678.mtx.gz row_lengths.gini 0.7896895578713002
orani678.mtx.gz row_lengths.p99 198.7599999999984
orani678.mtx.gz col_lengths.p95 265.7999999999997
orani678.mtx.gz col_lengths.average_deviation 48.47938214849306
helmholtz_2D_A.mtx.gz structure.numeric_symmetry 0.10558450016281341
helmholtz_2D_A.mtx.gz row_lengths.mean 18.06111111111111
helmholtz_2D_A.mtx.gz density 0.006271219135802469
orani678.mtx.gz values.min -4.09000015
orani678.mtx.gz values.min_abs 2.62388039e-13
orani678.mtx.gz values.mean_abs 0.06423365523387871
orani678.mtx.gz values.norm_1 1043.47905831688
orani678.mtx.gz values.norm_inf 9.452572965994662
orani678.mtx.gz values.norm_frobenius 76.77052551989382
bcsstk13.mtx.gz values.norm_frobenius 7536390473474.83
bcsstk13.mtx.gz values.mean_abs 2891641537.854499
bcsstk13.mtx.gz values.strictly_dominant_rows 0.10234648027958063
helmholtz_2D_A.mtx.gz values.max_abs 12.510678810691081
helmholtz_2D_A.mtx.gz values.norm_1 40.41523786048429
helmholtz_2D_A.mtx.gz values.norm_frobenius 602.2665835170997
END
}

# scipy's (A - A^H).max() = 0 and A.diagonal().min() > 0 for bcsstk13; lap3d_40 is negative definite; foundation_K is
# symmetric, but not Hermitian. numpy.unique of floor(log10(abs(orani678.data))) has the last two counts.
@test "candidates for positive definite matrices, and decades of values" {
    need_matrices
    need jq
    local name
    for name in bcsstk13 lap3d_40 foundation_K orani678 rajat01; do
        "$SPARSIGHT" report --format=json -o $name.json "$matrices/$name.mtx.gz"
    done
    [ "$(jq -c '.matrices[0].values.definite_candidate' bcsstk13.json lap3d_40.json foundation_K.json rajat01.json |
        paste -sd' ')" = "true false false null" ]
    [ "$(jq -c '.matrices[0].values.histogram[-2:]' orani678.json)" = \
        '[{"decade":-1,"count":2373},{"decade":0,"count":4267}]' ]
    [ "$(jq -c '.matrices[0].values | [.min, .positive, .nan, .histogram]' rajat01.json)" = '[null,null,null,null]' ]
    [ "$(jq -c '.matrices[0].values | [.min, .positive, .negative, .dominant_rows != null]' foundation_K.json)" = \
        '[null,null,null,true]' ]
}

@test "values in text and Markdown" {
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 3\n1 2 -400\n2 2 0.05\n' >v.mtx
    "$SPARSIGHT" report v.mtx >out
    grep -qE '^  Mean \|a\| +134\.35$' out
    grep -qE '^  Diagonally dominant +50% +of the rows$' out
    grep -qE '^ +1e2 +#+ +1 +33\.33%$' out
    grep -qE '^ +1e1 +0 +0\.00%$' out
    "$SPARSIGHT" report --format=markdown v.mtx | grep -qF '| Largest \|a\| | 400 |'
    printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1\n' >p.mtx
    ! "$SPARSIGHT" report p.mtx | grep -q '^Values'
}

# scipy.sparse.csgraph: connected_components (weak, strong; of the bipartite graph if the matrix is not square), the
# sizes by numpy.bincount of their labels, and structural_rank. The block triangular form follows from
# maximum_bipartite_matching: the rows and columns on alternating paths from unmatched ones, and the strong components
# of the rest.
@test "components and block triangular forms of real matrices" {
    need_matrices
    need jq
    local name expected
    while read -r name expected; do
        "$SPARSIGHT" report --structure --format=json "$matrices/$name.mtx.gz" >out
        jq -r '.matrices[0] | [(.structure | .components, .largest_component, .strong_components,
            .largest_strong_component), (.blocks | .structural_rank, .underdetermined_rows, .underdetermined_cols,
            .well_determined, .overdetermined_rows, .overdetermined_cols, .count, .largest)] |
            map(tostring) | join(" ")' out >numbers
        echo "$name: $(cat numbers), not $expected"
        [ "$(cat numbers)" = "$expected" ]
    done <<'END'
wiki-Vote 1206 7066 6998 1300 2379 2 5920 89 8206 2288 89 1
email-Eu-core 20 986 203 803 866 767 906 97 141 2 97 1
orani678 1 2529 1 2529 2529 0 0 2529 0 0 700 1830
bips98_606 542 6594 1070 6066 7135 0 0 7135 0 0 1299 5780
STOCFOR3_A 1 40216 null null 16675 16643 23509 32 0 0 32 1
BOYD2_A 1 373057 null null 93263 0 0 0 279794 93263 0 0
luxembourg 1 114599 1 114599 113563 19280 20316 75003 20316 19280 61421 1624
rajat01 66 6765 66 6765 6833 0 0 6833 0 0 507 6282
END
}

# CHOLMOD's cholmod_analyze of the lower triangle of A + A^T + I, simplicial, without postordering: lnz and fl, in the natural
# order and in AMD's, which for matrices with an unsymmetric pattern depends on how they are given.
@test "the fill of Cholesky factors of real matrices" {
    need_matrices
    need jq
    local name expected
    while read -r name expected; do
        "$SPARSIGHT" report --structure --format=json "$matrices/$name.mtx.gz" >out
        jq -r '.matrices[0].cholesky | [.entries, .flops, .amd_entries, .amd_flops] | map(tostring) | join(" ")' out >numbers
        echo "$name: $(cat numbers), not $expected"
        case $(cat numbers) in
        "$expected"*) ;;
        "${expected% * *} null null") "$SPARSIGHT" report --help | grep -q 'libsuitesparse-dev' ;; # built without AMD
        *) false ;;
        esac
    done <<'END'
bcsstk13 434214 104608736 265942 55325312
arrow 1081148250 33515956132750 92999 185997
fe_4elt2 4006266 2253852918 267775 14204665
rajat01 10003437 20702810827 31623 193435
orani678 2462209 3210900311
bayer10 21732161 68161808515
END
}

# networkx: topological_generations of the rows with an edge from row j to row i for each entry (i, j) of the triangle, their
# sizes, and greedy_color of A + A^T with the vertices by number, and by descending degree and then by number.
@test "levels and colours of real matrices" {
    need_matrices
    need jq
    local name expected
    while read -r name expected; do
        "$SPARSIGHT" report --structure --only=matrix --format=json "$matrices/$name.mtx.gz" >out
        jq -r '.matrices[0] | [(.lower_triangle, .upper_triangle | .entries, .levels, .median_level, .largest_level),
            (.colours | .count, .largest, .smallest, .by_degree)] | map(tostring) | join(" ")' out >numbers
        echo "$name: $(cat numbers), not $expected"
        [ "$(cat numbers)" = "$expected" ]
    done <<'END'
bcsstk13 40940 577 4 13 40940 577 5 11 41 215 1 32
orani678 52382 96 308 775 37565 99 1361 1361 82 842 1 78
wiki-Vote 32656 153 66 3280 71033 170 1438 4097 38 5892 1 28
rajat01 18422 65 342 938 18266 65 1272 2959 8 2318 2 7
bayer10 55385 8 2287 4093 39538 5 6385 6634 6 5410 5 6
arrow 46499 2 46499 46499 46499 2 46499 46499 2 46499 1 2
fe_4elt2 32818 1142 39 765 32818 1142 44 243 6 2958 40 6
END
    # In the order of colours, the solve takes as many steps as there are colours.
    "$SPARSIGHT" report --structure --only=matrix --reorder=colours --format=json "$matrices/fe_4elt2.mtx.gz" >out
    [ "$(jq -c '[.matrices[] | .order.name, .lower_triangle.levels, .colours.count]' out)" = '["natural",1142,6,"colours",6,6]' ]
}

# scipy, with ones as values: C = A @ A, A.T @ A and A @ A.T, C.nnz and C's longest row. The multiplications are the sum
# over the left matrix's entries of the lengths of the right matrix's rows.
@test "sparse products of real matrices" {
    need_matrices
    need jq
    local name expected
    while read -r name expected; do
        "$SPARSIGHT" report --spgemm --only=matrix --format=json "$matrices/$name.mtx.gz" >out
        jq -r '[.matrices[0].spgemm[] | .multiplications, .nnz, .longest] | map(tostring) | join(" ")' out >numbers
        echo "$name: $(cat numbers), not $expected"
        [ "$(cat numbers)" = "$expected" ]
        jq -e '.matrices[0].spgemm | all(.exact and .standard_error == 0)' out
    done <<'END'
bcsstk13 4554541 396773 412 4554541 396773 412 4554541 396773 412
orani678 5018905 763543 2332 21923398 1861423 1969 22781998 2562055 1844
rajat01 5373531 4686910 3359 5370154 4683365 3359 5380036 4693397 3359
bayer10 663922 413731 123 1416296 349172 148 1471454 541398 133
STOCFOR3_A 531271 275479 40 488041 234819 63
END
    # There are too many multiplications to count: scipy's number of entries is within four standard errors.
    "$SPARSIGHT" report --spgemm --only=matrix --format=json "$matrices/FIT2D_A.mtx.gz" >out
    jq -e '.matrices[0].spgemm[0] | .product == "A^T A" and (.exact | not) and .standard_error > 0' out
    jq -e '.matrices[0].spgemm[0] | ((.nnz - 110487060) | fabs) <= 4 * .standard_error' out
}

@test "numbers that take more than linear time are reported on request" {
    need jq
    "$SPARSIGHT" report "$SRCDIR/data/pmpp.mtx" >out
    ! grep -q '^Block triangular form\|^Cholesky factor' out
    grep -qE '^  Components +[0-9]' out
    "$SPARSIGHT" report --structure "$SRCDIR/data/pmpp.mtx" >out
    grep -q '^Block triangular form' out
    grep -qE '^  Structural rank +3 +entries' out
    "$SPARSIGHT" report --format=json "$SRCDIR/data/pmpp.mtx" >out
    [ "$(jq -c '.matrices[0] | [.blocks.structural_rank, .cholesky.entries, .structure.components]' out)" = '[null,null,1]' ]
}

# The factor of a random graph is nearly dense: AMD needs a minute for this one. The time of its process counts.
@test "--structure stops AMD if it takes too long, and says so" {
    need jq
    grep -q "define HAVE_SUITESPARSE 1" "$BUILDDIR/config.h" || skip "AMD is not in this build"
    sparsight report --only=matrix --structure --timing --format=json gen:random,m=400000,mean=4
    [ "$status" -eq 0 ]
    jq -e '.matrices[0] | .cholesky.amd_entries == null and .cholesky.entries > 0
        and any(.notes[]; test("fill after AMD is left out: AMD was stopped after 5 s .* --reorder=amd reports it"))
        and any(.costs[]; .part == "fill of a factor" and .cpu_us > 3e6 and .cpu_us < 15e6)' out
}

# The offsets take 16 MB and the entries 2 MB; the search for strong components would take 48 MB beside them.
@test "--structure has its parts even if other sections are left out" {
    local part
    sparsight report --structure --only=matrix gen:blocks,n=90,size=3
    [ "$status" -eq 0 ]
    for part in 'Dense blocks' 'Block triangular form' 'Cholesky factor' 'QR and LU factors' 'Triangular solves' Colours; do
        grep -Eq "^$part( |\$)" out
    done
    grep -q '^  3 x 3 blocks, no fill' out
    ! grep -Eq '^(Structure|Lengths|Formats)' out
}

@test "numbers that need too much memory are left out with a note" {
    need jq
    awk 'BEGIN {
        print "%%MatrixMarket matrix coordinate real general\n2000000 2000000 150000"
        for (i = 1; i <= 150000; i++) print 13 * i, 13 * i, 1
    }' >tall.mtx
    "$SPARSIGHT" report --limit=50M --format=json tall.mtx >out 2>err
    cat err
    [ "$(jq '.matrices[0].structure.components' out)" = null ]
    grep -q 'the components, with the matrix, needs .* more than the limit of 50' err
    jq -e '.matrices[0].notes[0] | test("the components")' out
}

# The offsets take 160 MB; the search for strong components of all rows would take 480 MB beside them.
@test "a matrix of nearly empty rows has its components, and names the omitted numbers" {
    need jq
    printf '%%%%MatrixMarket matrix coordinate real general\n20000000 20000000 3\n1 9 1\n9 1 1\n9 7 1\n' >tall.mtx
    "$SPARSIGHT" report --limit=250M --format=json tall.mtx >out
    [ "$(jq -c '.matrices[0].structure | [.components, .largest_component, .strong_components, .largest_strong_component]' out)" = \
        '[19999998,3,19999999,2]' ]
    "$SPARSIGHT" report --limit=250M tall.mtx | tr -s ' \n' ' ' >out
    grep -q 'Only space is counted: the other criteria would need a pass over rows that are nearly all empty\.' out
    ! grep -q 'flexible:' out
    grep -q 'kernels are not forecast for 3 entries in 20,000,000 rows, nearly all of them empty' out
    "$SPARSIGHT" report "$SRCDIR/data/pmpp.mtx" >out
    ! grep -q 'Only space is counted' out
    grep -q 'flexible:' out
}

@test "texts about a matrix in its collection" {
    need_matrices
    need jq
    "$SPARSIGHT" report --format=json "$matrices/cavity14.tar.gz:cavity14/cavity14.mtx" >out
    [ "$(jq -c '.matrices[0].source | [.title, .author, .editor, .kind, .date, .name, .id]' out)" = '["Driven Cavity  15 x 15, Reynolds number: 800","A. Chapman","A. Baggag, Y. Saad","subsequent computational fluid dynamics problem","1996","DRIVCAV/cavity14","393"]' ]
    [ "$(jq -r '.matrices[0].source.notes' out | head -n 1)" = 'next: DRIVCAV/cavity15 first: DRIVCAV/cavity10' ]
    "$SPARSIGHT" report "$matrices/cavity14.tar.gz:cavity14/cavity14.mtx" >out
    grep -q 'Its editor, as the file says: A. Baggag, Y. Saad' out
    grep -q '^ *pattern is the same as DRIVCAV/cavity10' out
    "$SPARSIGHT" report --format=json "$SRCDIR/data/pmpp.mtx" >out
    [ "$(jq -c '.matrices[0].source | [.editor, .notes]' out)" = '[null,null]' ]
}
