#!/usr/bin/env bats
# report --trisolve: triangular solves and symmetric Gauss-Seidel steps.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "--trisolve times each operation with each kernel" {
    need jq
    sparsight report --trisolve --only=matrix --threads=2 --format=json gen:laplace2d,n=30
    [ "$status" -eq 0 ]
    # n = 30: 900 rows, 30 x 29 edges along each axis, and a level for each sum of coordinates
    jq -e '.matrices[0].trisolve | .threads == 2 and .ones == 0 and (.runs | length) == 18
        and ([.runs[].operation] | unique) == ["lower", "symgs", "upper"]
        and ([.runs[] | select(.kernel == "cpu/levels") | .levels] == [59, 59, 118])
        and (.runs | map(select(.kernel | startswith("cpu/"))) | all(.reason == null and .checked and .low_us <= .us and .us <= .high_us
            and .prepare_us > 0))' out
    jq -e '.matrices[0].trisolve.runs | map(select(.us))
        | all((.gflops * .us * 1e3 - (if .operation == "symgs" then 4 * 4380 else 2 * 2640 end) | fabs) < 1e-3)' out
    jq -e '.matrices[0].trisolve.runs | map(select(.operation == "upper")) | (map(select(.kernel == "cpu/seq"))[0].us) as $one
        | map(select(.us)) | all((.speedup * .us - $one | fabs) < 1e-9 * $one)' out
    sparsight report --only=matrix --format=json gen:laplace2d,n=30
    jq -e '.matrices[0] | has("trisolve") | not' out
}

@test "--trisolve runs kernels of a GPU, or says why it cannot" {
    need jq
    sparsight report --trisolve --only=matrix --format=json gen:laplace2d,n=30
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].trisolve.runs | map(select(.kernel | test("^cu")))
        | (map(.kernel) | unique) == ["cuda/levels", "cuda/syncfree", "cusparse/spsv"]
        and all(.threads == null and .waits == null and ((.reason == null) == (.us != null)))' out
    if [ -e /dev/nvidia0 ]; then
        jq -e '.matrices[0].trisolve.runs | map(select(.kernel | startswith("cuda/"))) | all(.checked and .device != null and .levels >= 59)' out
    else
        jq -e '.matrices[0].trisolve.runs | map(select(.kernel | test("^cu")))
            | all(.device == null and (.reason | test("NVIDIA driver|built without CUDA")))' out
    fi
    sparsight report --trisolve --device=99 --only=matrix --format=json gen:laplace2d,n=30
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].trisolve.runs | map(select(.kernel | test("^cu"))) | all(.reason != null)' out
}

@test "the reduction of a symmetric Gauss-Seidel step equals SciPy's, in both orders" {
    need jq
    "$PYTHON" -c 'import scipy' || skip "no SciPy"
    sparsight gen laplace2d,n=20 -o grid.mtx
    sparsight report --trisolve=symgs --reorder=colours --only=matrix --format=json grid.mtx
    [ "$status" -eq 0 ]
    jq -r '.matrices[].trisolve.reduction' out >reductions
    [ "$(wc -l <reductions)" -eq 2 ]
    sparsight convert --reorder=colours grid.mtx coloured.mtx
    # All right-hand sides of this kind give about the same: b = A x for 400 random numbers x in (-1, 1).
    "$PYTHON" - <<'END'
import numpy, scipy.io, scipy.sparse, scipy.sparse.linalg
for line, name in zip(open("reductions"), ("grid.mtx", "coloured.mtx")):
    a = scipy.sparse.csr_matrix(scipy.io.mmread(name))
    lower, upper = scipy.sparse.tril(a, format="csr"), scipy.sparse.triu(a, format="csr")
    shares = []
    for seed in range(200):
        b = a @ numpy.random.default_rng(seed).uniform(-1, 1, a.shape[0])
        x = scipy.sparse.linalg.spsolve_triangular(lower, b)
        x = scipy.sparse.linalg.spsolve_triangular(upper, b - scipy.sparse.tril(a, -1) @ x, lower=False)
        shares.append(numpy.linalg.norm(b - a @ x) / numpy.linalg.norm(b))
    assert min(shares) < float(line) < max(shares), (name, line, min(shares), max(shares))
END
}

@test "the text of --trisolve has a table of each operation, and reasons" {
    sparsight report --trisolve=upper,symgs --only=matrix --threads=1 "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 0 ]
    grep -Eq '^Upper triangular solve, \(D \+ U\) x = b +threads +time +GFLOP/s +speed-up +prepare' out
    grep -Eq '^Symmetric Gauss-Seidel step ' out
    ! grep -q 'Lower triangular solve' out
    grep -Eq '^  cpu/seq +1 ' out
    grep -Eq '^  cpu/levels +1 ' out
    grep -q '1 of 4 diagonal entries are missing or 0, and counted as 1[.]' out
    grep -Eq 'one symmetric Gauss-Seidel step leaves' out
    grep -q 'reorder=colours adds the coloured order' out
    sparsight report --trisolve=lower --only=matrix --format=markdown gen:laplace2d,n=9
    grep -q '^| cpu/seq | 1 |' out
    sparsight report --trisolve=lower --format=html gen:laplace2d,n=9
    grep -q 'Lower triangular solve' out
}

@test "matrices that have no triangles get a note, and names are checked" {
    sparsight report --trisolve --only=matrix gen:random,m=5,n=9,mean=3
    [ "$status" -eq 0 ]
    grep -q 'triangular solves need a square matrix' out
    ! grep -q 'Lower triangular solve' out
    sparsight report --trisolve=left gen:laplace2d,n=3
    [ "$status" -eq 2 ]
    grep -q "'left' is no triangular solve: lower, upper, symgs" err
    sparsight report --trisolve --stream --only=matrix gen:laplace2d,n=9
    grep -q 'times of triangular solves' out
}

@test "a saved report shows its solves, triangular solves, sparse products and rounding" {
    sparsight report --solve=cg,none --trisolve=upper --spgemm --rounding --only=matrix --format=json gen:laplace2d,n=9
    [ "$status" -eq 0 ]
    cp out saved.json
    sparsight report --results=saved.json
    [ "$status" -eq 0 ]
    grep -Eq '^Rounding ' out
    grep -Eq '^Sparse products ' out
    grep -Eq '^  CG +converged ' out
    grep -Eq '^Kernels in CG +product' out
    grep -Eq '^  CG +cpu/' out
    grep -Eq '^Upper triangular solve' out
    grep -Eq '^  cpu/seq +1 ' out
}
