#!/usr/bin/env python3
"""Hold what `sparsight report --solve` says of solves against PETSc's KSP on the same systems.

    petsc_solves.py PROGRAM MATRIX...   works in the current folder; 77 without petsc4py, NumPy or SciPy

A MATRIX is a file of Matrix Market or gen:SPEC. The right-hand side is A times ones on both sides. PETSc is told to do what the program does: the
residual b - A x ends a solve, preconditioners of gmres and bcgs are on the right, gmres orthogonalises by modified Gram-Schmidt, factors have no
fill, no shift and the natural order. Blocks of block Jacobi are equally large in PETSc, so they are compared if 8 divides the number of rows.
"""
import glob
import json
import subprocess
import sys

# Debian's packages have the module in a folder of PETSc's.
sys.path += glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages")
try:
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
    import petsc4py
    petsc4py.init(["petsc_solves"])
    from petsc4py import PETSc
except ImportError as missing:
    print(missing)
    sys.exit(77)

PROGRAM = sys.argv[1]
TOLERANCE, RESTART, BLOCK = 1e-8, 30, 8
METHODS = {"cg": "cg", "bicgstab": "bcgs", "gmres": "gmres"}
KINDS = {"none": "none", "jacobi": "jacobi", "block-jacobi": "bjacobi", "ilu0": "ilu", "ic0": "icc"}


def petsc_solve(matrix, a, b, method, kind, most):
    """The number of iterations, and ||b - A x|| / ||b||; None if x does not meet the tolerance."""
    options = PETSc.Options()
    options["pc_factor_shift_type"] = "none"
    options["sub_pc_type"] = "lu"
    options["sub_pc_factor_mat_ordering_type"] = "natural"
    options["pc_bjacobi_blocks"] = max(1, a.shape[0] // BLOCK)
    options["ksp_gmres_modifiedgramschmidt"] = ""
    ksp = PETSc.KSP().create(PETSc.COMM_SELF)
    ksp.setOperators(matrix)
    ksp.setType(METHODS[method])
    if method == "gmres":
        ksp.setGMRESRestart(RESTART)
    ksp.getPC().setType(KINDS[kind])
    ksp.setPCSide(PETSc.PC.Side.LEFT if method == "cg" else PETSc.PC.Side.RIGHT)
    ksp.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
    ksp.setTolerances(rtol=TOLERANCE, atol=0, divtol=1e30, max_it=most)
    ksp.setFromOptions()
    x, rhs = matrix.createVecs()
    rhs.setArray(b)
    try:
        ksp.solve(rhs, x)
    except PETSc.Error:
        return None
    residual = float(np.linalg.norm(b - a @ x.getArray()) / np.linalg.norm(b))
    if ksp.getConvergedReason() <= 0 or residual > 10 * TOLERANCE:  # a breakdown may count as converged there
        return None
    return ksp.getIterationNumber(), residual


def compare(name):
    path = name
    if name.startswith("gen:"):
        path = "generated.mtx"
        subprocess.run([PROGRAM, "gen", "-o", path, name[4:]], check=True)
    a = sp.csr_matrix(scipy.io.mmread(path).astype(float))
    a.sum_duplicates()
    a.sort_indices()
    most = 2000 if a.shape[0] < 3000 else 400
    text = f"tol={TOLERANCE},max={most},restart={RESTART},block={BLOCK},x=ones"
    output = subprocess.run([PROGRAM, "report", "--only=matrix", "--format=json", f"--solve={text}", path], check=True,
                            capture_output=True).stdout
    solve = json.loads(output)["matrices"][0]["solve"]
    matrix = PETSc.Mat().createAIJ(a.shape, csr=(a.indptr.astype("int32"), a.indices.astype("int32"), a.data), comm=PETSc.COMM_SELF)
    matrix.setOption(PETSc.Mat.Option.SYMMETRIC, solve["symmetric"])
    b = a @ np.ones(a.shape[0])
    compared, near, worst, faults = 0, 0, 0, []
    for run in solve["runs"]:
        method, kind = run["method"], run["preconditioner"]
        if run["refined"] or (kind == "block-jacobi" and a.shape[0] % BLOCK):
            continue
        if run["end"] == "refused":
            continue
        expected = petsc_solve(matrix, a, b, method, kind, most)
        ours = run["iterations"] if run["end"] == "converged" else None
        if expected is None or ours is None:
            # PETSc's cg ends at an indefinite preconditioner; bicgstab depends on rounding.
            if ours is None and expected is not None and method != "bicgstab" and run["end"] != "drifted":
                faults.append(f"{method} {kind}: {run['end']} {run['iterations']}, PETSc {expected}")
            continue
        compared += 1
        near += abs(ours - expected[0]) <= 1
        share = 0.03 if method != "bicgstab" else 0.25 if expected[0] <= 150 else 0.5
        worst = max(worst, abs(ours - expected[0]))
        if abs(ours - expected[0]) > max(3, share * expected[0]):
            faults.append(f"{method} {kind}: {ours} iterations, PETSc {expected[0]}")
        if method != "bicgstab" and run["true_residual"] > 30 * max(expected[1], TOLERANCE / 30):
            faults.append(f"{method} {kind}: residual {run['true_residual']}, PETSc {expected[1]}")
    print(f"{'not ok' if faults else 'ok'} {name}: {compared} solves compared, {near} within an iteration, at most {worst} apart", flush=True)
    for fault in faults:
        print("   ", fault)
    return not faults, compared, near


results = [compare(name) for name in sys.argv[2:]]
print(f"{len(results)} matrices, {sum(count for _, count, _ in results)} solves, {sum(near for _, _, near in results)} within an iteration")
sys.exit(not all(good for good, _, _ in results))
