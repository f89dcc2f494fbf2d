#!/usr/bin/env bats
# report --solve and plot solve: Krylov solves compared with SciPy, and the arithmetic of kernels in a solve.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    export PYTHONDONTWRITEBYTECODE=1
}

@test "--solve reports iterations, times, and kernels in a solve" {
    need jq
    sparsight report --solve --format=json gen:laplace2d,n=30
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].solve | .symmetric and .tolerance == 1e-8 and .most == 1000 and (.runs | length) == 15
        and ([.runs[] | .method] | unique) == ["bicgstab", "cg", "gmres"]
        and (.runs | all(.end == "converged" and .true_residual <= 1e-7 and .curve[0] == [0, 1]
            and .curve[-1] == [.iterations, .residual]))' out
    # Every preconditioner that is a multiple of a stencil's diagonal takes the same steps.
    jq -e '.matrices[0].solve.runs | (map(select(.preconditioner == "none")) | map(.iterations))
        == (map(select(.preconditioner == "jacobi")) | map(.iterations))' out
    # Shares of the time, the times of a solve and of the first solve with each kernel, and when converting pays off.
    jq -e '.matrices[0].solve | .runs | all(.time | (.setup + .products + .preconditioner + .vectors - 1 | fabs) < 1e-9)' out
    jq -e '.matrices[0].solve | .runs[.fastest] as $run | .kernels | length > 5 and all(
        ($run.time.all_us * ($run.time.preconditioner + $run.time.vectors) + $run.products * .product_us) as $each
        | (.solve_us - $each | fabs) < 1e-6 * $each
        and (.first_us - $each - .setup_us - $run.time.all_us * $run.time.setup | fabs) < 1e-6 * $each)' out
    jq -e '.matrices[0].solve | .runs[.fastest] as $run | .kernels
        | (map(select(.setup_us == 0)) | min_by(.product_us)) as $csr
        | all((.product_us >= $csr.product_us and (.from == null or .from == 1)) or .from == null or (.from - 1 <=
            .setup_us / ($csr.product_us - .product_us) / $run.products))' out
    sparsight report --format=json gen:laplace2d,n=30
    jq -e '.matrices[0] | has("solve") | not' out
}

@test "the text of --solve has solves, their times, kernels and reasons" {
    sparsight report --solve=cg,gmres,none,ic0 gen:laplace2d,n=20
    [ "$status" -eq 0 ]
    grep -Eq '^Solves$' out
    grep -Eq '^  CG, IC\(0\) +converged +22 +22 ' out
    grep -Eq '^  Fastest: (CG|GMRES)' out
    grep -Eq '^Time of solves +time +set-up +products +precond. +vectors$' out
    grep -Eq '^Best kernel of each solve +kernel +time +from ' out
    grep -Eq '^Kernels in (CG|GMRES)' out
    sparsight report --solve --only=matrix "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 0 ]
    grep -q 'CG needs a symmetric matrix; BiCGSTAB and GMRES do not' out
    grep -q 'IC(0) needs a symmetric matrix; ILU(0) does not' out
    sparsight report --solve=cg --only=matrix --format=markdown gen:laplace2d,n=9
    grep -q '^| CG, ILU(0) | converged |' out
    sparsight report --solve=cg --format=html gen:laplace2d,n=9
    grep -q 'Residual of each solve by iteration' out
}

@test "a matrix that cannot be solved with has a note" {
    sparsight report --solve --only=matrix gen:random,m=5,n=9,mean=3
    [ "$status" -eq 0 ]
    grep -q 'solves: unavailable, since the matrix is not square' out
    ! grep -q '^Solves' out
    # The first value that is not a finite number is named, not an overflow, nor a kernel.
    local value word
    for value in nan=NaN inf=infinite -inf=infinite; do
        word=${value#*=} value=${value%=*}
        printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 3 5' '1 1 2' '2 2 2' '3 3 nan' "2 1 $value" '1 3 1' >bad.mtx
        sparsight report --solve --trisolve --only=matrix bad.mtx
        grep -q "^ *solves: unavailable, since the value at (2, 1) is $word$" out
        grep -q "^ *triangular solves: unavailable, since the value at (2, 1) is $word$" out
        [ "$(grep -cE 'overflows|wrong in row' out)" -eq 0 ]
    done
    printf '%s\n' '%%MatrixMarket matrix coordinate complex general' '2 2 3' '1 1 2 0' '2 2 2 1' '2 1 0 inf' >bad.mtx
    sparsight report --solve --only=matrix bad.mtx
    grep -q "^ *solves: unavailable, since the value at (2, 1) is infinite$" out
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '2 2 3' '1 1 1e308' '2 1 1e308' '2 2 1e308' >bad.mtx
    sparsight report --solve=cg,x=ones --only=matrix bad.mtx
    grep -q "^ *solves: unavailable, since b = A x overflows$" out
}

@test "wrong values of --solve are refused, and values are completed" {
    sparsight report --solve=minres gen:laplace2d,n=9
    [ "$status" -eq 2 ]
    grep -q "'minres' is neither a method nor a preconditioner: cg, bicgstab, gmres, none, jacobi, block-jacobi, ilu0, ic0" err
    sparsight report --solve=tol=5 gen:laplace2d,n=9
    [ "$status" -eq 2 ]
}

@test "solves and other lists are lines of comma-separated values" {
    sparsight report --solve=cg,none,jacobi --trisolve=lower --spgemm --rounding --format=csv gen:random,m=5,n=9,mean=3 gen:laplace2d,n=9
    [ "$status" -eq 0 ]
    grep -q '^name,order,method,preconditioner,refined,end,reason,iterations,.*,best.first_us,report.version,' out
    [ "$(wc -l <out)" -eq 3 ] # the first matrix, which is not square, has none
    grep -Eq '^"laplace2d,n=9",natural,cg,none,false,converged,,[0-9]+,' out
    grep -Eq '^"laplace2d,n=9",natural,cg,jacobi,false,converged,,[0-9]+,' out
    sparsight report --trisolve=lower --spgemm --format=csv gen:laplace2d,n=9
    grep -Eq '^"laplace2d,n=9",natural,lower,' out
    sparsight report --spgemm --rounding --format=csv gen:laplace2d,n=9
    [ "$(cut -d, -f4-6 out | sed 1d)" = "$(printf '%s\n' 'A A,1709,877' 'A^T A,1709,877' 'A A^T,1709,877')" ]
    sparsight report --rounding --format=csv gen:laplace2d,n=9
    [ "$(wc -l <out)" -eq 8 ]
    grep -q '^"laplace2d,n=9",natural,bf16x3,sum of three bf16,6,10,1,0,0,' out
    # A saved report has the lines that it was asked for.
    sparsight report --solve=cg,none --format=json gen:laplace2d,n=9
    cp out saved.json
    sparsight report --results=saved.json --format=csv
    grep -Eq '^"laplace2d,n=9",natural,cg,none,false,converged,,[0-9]+,.*,cpu/' out
}

@test "plot solve draws the residuals" {
    sparsight plot solve --solve=cg,max=60 -o curves.svg gen:laplace2d,n=30
    [ "$status" -eq 0 ]
    grep -q '>iterations<' curves.svg
    grep -q '>a CG: 60 in .*, not converged<' curves.svg
    grep -q '>d CG, ILU(0): [0-9]* in [0-9.]* .s<' curves.svg
    sparsight plot solve -o none.svg gen:random,m=5,n=9,mean=3
    [ "$status" -eq 1 ]
    grep -q 'not square' err
}

@test "solves agree with SciPy's" {
    need_python numpy scipy
    run "$python" "$SRCDIR/tests/support/solved.py" "$SPARSIGHT" gen:laplace2d,n=20 gen:laplace3d,n=8 gen:stencil27,n=7 \
        gen:banded,n=300 gen:arrow,n=200 gen:dissection,n=15 gen:dense,m=40 "$SRCDIR/data/demo.mtx.gz"
    echo "$output"
    [ "$status" -eq 0 ]
}

# A mesh with absorption, and one that is Hermitian: phases on both sides of a symmetric matrix.
@test "solves with complex matrices agree with SciPy's" {
    need_python numpy scipy
    "$python" - <<'END'
import numpy, scipy.io, scipy.sparse as sp
random, n = numpy.random.default_rng(1), 12
line = sp.diags([-1, 2.3, -1], [-1, 0, 1], shape=(n, n))
mesh = (sp.kron(line, sp.identity(n)) + sp.kron(sp.identity(n), line)).astype(complex).tocoo()
absorbing = (mesh + 0.6j * sp.identity(n * n)).tocsr()
absorbing.data *= numpy.exp(0.1j * random.standard_normal(absorbing.nnz))
scipy.io.mmwrite("absorbing.mtx", absorbing, precision=17, symmetry="general")
phase = 2 * random.standard_normal(n * n)
mesh.data = mesh.data * numpy.exp(1j * (phase[mesh.row] - phase[mesh.col]))
scipy.io.mmwrite("hermitian.mtx", sp.tril(mesh), precision=17, symmetry="general")
END
    sed -i '1s/general/hermitian/' hermitian.mtx
    run "$python" "$SRCDIR/tests/support/solved.py" "$SPARSIGHT" absorbing.mtx hermitian.mtx
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"2 matrices, 23 solves"* ]]
    sparsight report --solve=cg,none --only=matrix absorbing.mtx
    grep -q 'CG needs a Hermitian matrix; BiCGSTAB and GMRES do not' out
}

# petsc MATRIX...
petsc() {
    need_python numpy scipy
    run /usr/bin/python3 "$SRCDIR/tests/support/petsc_solves.py" "$SPARSIGHT" "$@"
    [ "$status" -ne 77 ] || skip "no petsc4py for /usr/bin/python3: $output"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "solves agree with PETSc's" {
    petsc gen:laplace2d,n=24 gen:laplace3d,n=8 gen:stencil27,n=8 gen:banded,n=400 gen:arrow,n=64 gen:dissection,n=16 \
        "$SRCDIR/data/demo.mtx.gz" "$SRCDIR/data/hpcg5.mtx"
    [[ "$output" == *"8 matrices, "[1-9][0-9]*" solves"* ]]
}

@test "solves with real matrices agree with PETSc's" {
    need_matrices
    petsc "$matrices"/{bips98_606,gun_K,bcsstk13}.mtx.gz
}

@test "solves with real matrices agree with SciPy's" {
    need_python numpy scipy
    need_matrices
    run "$python" "$SRCDIR/tests/support/solved.py" "$SPARSIGHT" "$matrices"/{1138_bus.tar.gz,gun_K.mtx.gz,bips98_606.mtx.gz}
    echo "$output"
    [ "$status" -eq 0 ]
}
