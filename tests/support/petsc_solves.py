#!/usr/bin/env python3
"""Hold what `sparsight report --solve` says of solves against PETSc's KSP on the same systems.

    petsc_solves.py PROGRAM MATRIX...   works in the current folder; 77 without petsc4py, NumPy or SciPy

A MATRIX is a real one, as solved.py takes it. The right-hand side is A times ones on both sides. PETSc is told to do what the program does: the
residual b - A x ends a solve, preconditioners of gmres and bcgs are on the right, gmres orthogonalises by modified Gram-Schmidt, factors have no
fill, no shift and the natural order. Blocks of block Jacobi are equally large in PETSc, so they are compared if 8 divides the number of rows.
"""
import glob
import sys

# Debian's packages have the module in a folder of PETSc's.
sys.path += glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages")
try:
    import numpy as np
    import petsc4py
    petsc4py.init(["petsc_solves"])
    from petsc4py import PETSc
    from solves import BLOCK, RESTART, TOLERANCE, Comparison, compare_all, matrix, most_iterations, solves
except ImportError as missing:
    print(missing)
    sys.exit(77)

METHODS = {"cg": "cg", "bicgstab": "bcgs", "gmres": "gmres"}
KINDS = {"none": "none", "jacobi": "jacobi", "block-jacobi": "bjacobi", "ilu0": "ilu", "ic0": "icc"}


def petsc_solve(stored, a, b, method, kind, most):
    """The number of iterations, and ||b - A x|| / ||b||; None if x does not meet the tolerance."""
    options = PETSc.Options()
    options["pc_factor_shift_type"] = "none"
    options["sub_pc_type"] = "lu"
    options["sub_pc_factor_mat_ordering_type"] = "natural"
    options["pc_bjacobi_blocks"] = max(1, a.shape[0] // BLOCK)
    options["ksp_gmres_modifiedgramschmidt"] = ""
    ksp = PETSc.KSP().create(PETSc.COMM_SELF)
    ksp.setOperators(stored)
    ksp.setType(METHODS[method])
    if method == "gmres":
        ksp.setGMRESRestart(RESTART)
    ksp.getPC().setType(KINDS[kind])
    ksp.setPCSide(PETSc.PC.Side.LEFT if method == "cg" else PETSc.PC.Side.RIGHT)
    ksp.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
    ksp.setTolerances(rtol=TOLERANCE, atol=0, divtol=1e30, max_it=most)
    ksp.setFromOptions()
    x, rhs = stored.createVecs()
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
    path, a = matrix(name)
    if np.iscomplexobj(a):
        sys.exit(f"{name} is complex, and the numbers of this PETSc are real")
    solve = solves(path, a)
    stored = PETSc.Mat().createAIJ(a.shape, csr=(a.indptr.astype("int32"), a.indices.astype("int32"), a.data), comm=PETSc.COMM_SELF)
    stored.setOption(PETSc.Mat.Option.SYMMETRIC, solve["symmetric"])
    b = a @ np.ones(a.shape[0])
    comparison = Comparison(name, "PETSc")
    for run in solve["runs"]:
        method, kind = run["method"], run["preconditioner"]
        if run["refined"] or run["end"] == "refused" or (kind == "block-jacobi" and a.shape[0] % BLOCK):
            continue
        expected = petsc_solve(stored, a, b, method, kind, most_iterations(a))
        if expected is None:  # so ends PETSc's cg with an indefinite preconditioner
            continue
        if run["end"] == "converged":
            comparison.judge(run, expected)
        elif method != "bicgstab" and run["end"] != "drifted":  # bicgstab depends on rounding
            comparison.fault(run, f"{run['end']} {run['iterations']}, PETSc {expected}")
    return comparison


compare_all(compare)
