# Reordered matrices: in reports, and written with their permutations.
load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "a written matrix is the natural one in the order of the permutation" {
    sparsight gen --reorder=random:seed=5 --permutation=p.mtx -o b.mtx laplace2d,n=4
    [ "$status" -eq 0 ]
    sparsight gen -o a.mtx laplace2d,n=4
    # Entry (k, l) of b is entry (p_k, p_l) of a.
    grep -v '^%' p.mtx | tail -n +2 >p
    grep -v '^%' b.mtx | tail -n +2 | awk 'NR == FNR { p[NR] = $1; next } { print p[$1], p[$2], $3 }' p - | sort -n -k1,1 -k2,2 >back
    grep -v '^%' a.mtx | tail -n +2 | sort -n -k1,1 -k2,2 | diff - back
    head -n 1 p.mtx | grep -qx '%%MatrixMarket matrix array integer general'
    # The same order from the file.
    sparsight gen --reorder=file:path=p.mtx -o c.mtx a.mtx
    [ "$status" -eq 0 ]
    diff <(grep -v '^%' b.mtx) <(grep -v '^%' c.mtx)
}

@test "a symmetric matrix stays one only if rows and columns are reordered alike" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real symmetric' '3 3 3' '1 1 1' '2 1 5' '3 3 2' >s.mtx
    sparsight gen --reorder=random:seed=2 s.mtx
    head -n 1 out | grep -q ' symmetric$'
    sparsight gen --reorder=random:seed=2,apply=rows s.mtx
    head -n 1 out | grep -q ' general$'
    [ "$(sed -n 3p out)" = '3 3 4' ]
}

@test "a report has every order, in JSON with its cost" {
    sparsight gen --reorder=random -o shuffled.mtx laplace2d,n=30
    sparsight report --limit=8M --format=json --reorder=rcm,length,natural --kernels='csr-omp csr-seq' --repeat=2 shuffled.mtx
    show
    [ "$status" -eq 0 ]
    jq -e '[.matrices[].order.name] == ["natural", "rcm", "length"]' out
    jq -e '.matrices[0].order | .params == null and .apply == null and .order_us == null and .x_bytes == 0 and .y_bytes == 0' out
    jq -e '.matrices[1].order | .params == {"apply": "symmetric", "reverse": 1} and .x_bytes == 18000 and .y_bytes == 18000' out
    jq -e '.matrices[2].order | .apply == "rows" and .x_bytes == 0 and .y_bytes == 18000 and .order_us > 0 and .reorder_us > 0' out
    jq -e '.matrices[1].structure.lower_bandwidth <= 31 and .matrices[0].structure.lower_bandwidth > 600' out
    jq -e '[.matrices[].kernels[] | .median_us > 0 and .max_error < 1e-13] | length == 6 and all' out
    jq -e '.matrices[0].orders == [{"order": "natural", "refused": null}, {"order": "rcm", "refused": null}, {"order": "length", "refused": null}]' out
}

@test "x and b are in the natural order for any order of the matrix" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 4' '1 1 1' '1 2 2' '2 3 3' '3 1 4' >a.mtx
    printf '%s\n' '%%MatrixMarket matrix array real general' '3 1' 1 10 100 >x.mtx
    printf '%s\n' '%%MatrixMarket matrix array real general' '3 1' 21 300 4 >b.mtx
    printf '%s\n' 3 1 2 >order
    sparsight report --format=json --reorder='file:path=order file:path=order,apply=columns file:path=order,apply=rows' \
        --limit=8M --kernels=csr-seq --repeat=1 --x=x.mtx --b=b.mtx a.mtx
    show
    [ "$status" -eq 0 ]
    jq -e '[.matrices[].kernels[0] | .agrees and .residual == 0] | length == 4 and all' out
    jq -e '.matrices[1].order.file == "order"' out
}

@test "an impossible order is reported, and the others remain" {
    sparsight report --reorder=rcm,length gen:random,m=20,n=30
    show
    [ "$status" -eq 0 ]
    grep -q 'not in the order rcm: rcm orders the graph of A + A^T.* 20 x 30' err
    grep -qx '! rcm: rcm orders the graph of A + A^T, which needs a square matrix, and this' out
    grep -q ', in the order length$' out
    sparsight gen --reorder=rcm random,m=20,n=30
    [ "$status" -eq 1 ]
    grep -q 'needs a square matrix' err
    printf '%s\n' 1 2 2 >twice
    sparsight report --reorder=file:path=twice gen:laplace2d,nx=3,ny=1
    [ "$status" -eq 1 ]
    grep -q '^twice:3: not a permutation: 2 is here and on line 2 too' err
}

@test "forecasts of the orders are shown side by side, and belong to their orders" {
    sparsight report --reorder=random:seed=3 --kernels=cuda/csr-scalar --gpu=h200 gen:laplace2d,n=300
    show
    grep -qE '^Forecast time by order, f64 +natural +random$' out
    line=$(sed -n '/^Forecast time by order/,/^$/s,^  cuda/csr-scalar *,,p' out)
    sparsight report --format=json --reorder=random:seed=3 --kernels=cuda/csr-scalar --gpu=h200 gen:laplace2d,n=300
    forecasts=$(jq -r '[.matrices[].kernels[].predicted_us] | @tsv' out)
    echo "'$line' of $forecasts us"
    # Neighbours in a grid are far apart in a random order of rows and columns.
    awk -v line="$line" -v forecasts="$forecasts" 'BEGIN {
        if (split(line, said, /[ ]+/) != 4 || split(forecasts, us, "\t") != 2 || us[2] < 1.2 * us[1]) exit 1
        for (k = 1; k <= 2; k++) {
            difference = said[2 * k - 1] * (said[2 * k] == "ms" ? 1000 : 1) / us[k] - 1
            if (said[2 * k] !~ /^[um]s$/ || difference > 0.01 || difference < -0.01) exit 1
        }
    }'
}

@test "text and CSV have the orders side by side" {
    sparsight report --limit=8M --reorder=length,random:seed=3 --kernels=csr-seq --repeat=1 gen:powerlaw,scale=6
    show
    grep -qE '^Orders +what +finding +reordering +x bytes +y bytes +x and y$' out
    grep -qE '^  natural +- +- +- +0 +0 +-$' out
    grep -qE '^Structure by order +lower +upper +profile' out
    grep -qE '^Size by order, f64 +natural +length +random$' out
    grep -qE '^Time by order, f64 +natural +length +random$' out
    grep -qE '^  cpu/csr-seq.*( +[0-9.]+ [num]s){3}$' out
    sparsight report --format=csv --reorder=length gen:powerlaw,scale=6
    [ "$(grep -c '^"powerlaw,scale=6",length,' out)" -eq "$(grep -c '^"powerlaw,scale=6",natural,' out)" ]
}

# The child of the program is METIS, which orders a mesh by nested dissection.
@test "METIS that is killed while it orders a matrix costs that order, and the report goes on" {
    need jq
    grep -q "define HAVE_METIS 1" "$BUILDDIR/config.h" || skip "METIS is not in this build"
    local pid child=
    "$SPARSIGHT" report --only=matrix --reorder=nd --format=json gen:stencil27,n=40 >out 2>err &
    pid=$!
    until [ -n "$child" ] || ! kill -0 $pid 2>/dev/null; do
        child=$(cat /proc/$pid/task/*/children 2>/dev/null) || true
    done
    kill -KILL $child
    wait $pid
    cat err
    grep -q "METIS was killed, as systems do if memory is short" err
    jq -e '.matrices | length == 1 and .[0].order.name == "natural"' out
}
