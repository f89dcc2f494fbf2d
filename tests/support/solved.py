#!/usr/bin/env python3
"""Hold what `sparsight report --solve` says of solves against scipy.sparse.linalg on the same systems.

    solved.py PROGRAM MATRIX...   works in the current folder; 77 without NumPy or SciPy

A MATRIX is a file of Matrix Market, an archive whose only matrix is one, or gen:SPEC. The right-hand side is A times ones on both sides. Methods and
preconditioners here are SciPy's, and plain loops:

- cg and bicgstab take M as SciPy does. SciPy's gmres has its preconditioner on the left; here it is called with A M^-1, so that
  it minimises the same residual.
- SciPy has no ILU(0). It is made here by brute force: the entries of L and U from a_ij = sum of l_ik u_kj on the pattern.
- Complex matrices are solved in complex numbers here, also their ILU(0) and IC(0), which the program makes of real matrices of twice the size.
- A method that does not converge here need not converge there; its number of iterations is not compared.
"""
import inspect
import sys

try:
    import numpy as np
    import scipy.sparse as sp
    import scipy.sparse.linalg as la
    from solves import BLOCK, RESTART, TOLERANCE, Comparison, compare_all, matrix, most_iterations, solves
except ImportError as missing:
    print(missing)
    sys.exit(77)

# SciPy before 1.12 calls it tol.
WITHIN = {"rtol" if "rtol" in inspect.signature(la.cg).parameters else "tol": TOLERANCE}
PRECONDITIONERS = ["none", "jacobi", "block-jacobi", "ilu0", "ic0"]


def incomplete(a):
    """ILU(0) of a matrix in CSR with sorted rows, as L with a unit diagonal, and U: algorithm 10.4 row by row, in dictionaries."""
    rows = []
    for i in range(a.shape[0]):
        row = dict(zip(a.indices[a.indptr[i]:a.indptr[i + 1]], a.data[a.indptr[i]:a.indptr[i + 1]]))
        for k in sorted(j for j in row if j < i):
            if rows[k].get(k, 0) == 0:
                return None
            row[k] /= rows[k][k]
            for j, u in rows[k].items():
                if j > k and j in row:
                    row[j] -= row[k] * u
        if row.get(i, 0) == 0:
            return None
        rows.append(row)
    entries = [(i, j, v) for i, row in enumerate(rows) for j, v in row.items()]
    i, j, v = (np.array(part) for part in zip(*entries))
    f = sp.csr_array((v, (i, j)), shape=a.shape)
    return sp.csr_array(sp.tril(f, -1) + sp.identity(a.shape[0])), sp.csr_array(sp.triu(f))


def factor_error(a, lower, upper):
    """The largest |(L U)_ij - a_ij| on the pattern of A, of the row's largest |a|."""
    pattern = a.copy()
    pattern.data = np.ones_like(pattern.data)
    error = abs((lower @ upper) * pattern - a)
    scale = np.maximum.reduceat(abs(a.data), a.indptr[:-1])
    return float((error.max(axis=1).toarray().ravel() / scale).max())


def preconditioner(a, name):
    """M^-1 as a function; None if there is no such M here."""
    n = a.shape[0]
    if name == "none":
        return lambda r: r
    if name == "jacobi":
        diagonal = a.diagonal()
        return None if (diagonal == 0).any() else lambda r: r / diagonal
    if name == "block-jacobi":
        inverses = [np.linalg.inv(a[k:k + BLOCK, k:k + BLOCK].toarray()) for k in range(0, n, BLOCK)]
        whole = sp.csr_array(sp.block_diag(inverses))
        return lambda r: whole @ r
    factors = incomplete(a)
    if factors is None:
        return None
    lower, upper = factors
    assert factor_error(a, lower, upper) < 1e-6
    if name == "ic0":  # of a symmetric matrix with positive pivots L U is (L sqrt(D)) (L sqrt(D))^T
        pivots = upper.diagonal()
        if (np.real(pivots) <= 0).any():
            return None
    lower, upper = sp.csc_array(lower), sp.csc_array(upper)
    solve = la.splu(lower, permc_spec="NATURAL", diag_pivot_thresh=0, options={"Equil": False}), \
        la.splu(upper, permc_spec="NATURAL", diag_pivot_thresh=0, options={"Equil": False})
    return lambda r: solve[1].solve(solve[0].solve(r))


def scipy_iterations(a, b, method, inverse, most):
    """The number of iterations, and ||b - A x|| / ||b||; None if it did not converge."""
    n, counted = a.shape[0], [0]

    def count(_):
        counted[0] += 1

    m = la.LinearOperator((n, n), matvec=inverse)
    if method == "gmres":
        product = la.LinearOperator((n, n), matvec=lambda v: a @ inverse(np.ravel(v)))
        u, info = la.gmres(product, b, **WITHIN, atol=0, restart=RESTART, maxiter=most // RESTART + 1, callback=count,
                           callback_type="pr_norm")
        x = inverse(u)
    else:
        x, info = getattr(la, method)(a, b, **WITHIN, atol=0, maxiter=most, M=m, callback=count)
    if info != 0:
        return None
    return counted[0], float(np.linalg.norm(b - a @ x) / np.linalg.norm(b))


def compare(name):
    path, a = matrix(name)
    solve = solves(path, a)
    assert solve["symmetric"] == (abs(a - a.conj().T).max() == 0), name
    b = a @ np.ones(a.shape[0])
    found = {(run["method"], run["preconditioner"]): run for run in solve["runs"]}
    comparison = Comparison(name, "SciPy")
    for kind in PRECONDITIONERS:
        try:
            inverse = preconditioner(a, kind) if solve["symmetric"] or kind != "ic0" else None
        except np.linalg.LinAlgError:
            inverse = None
        for method in ("cg", "bicgstab", "gmres"):
            run = found[method, kind]
            if run["end"] == "refused":
                if inverse is not None and (method != "cg" or solve["symmetric"]) and "zero" not in run["reason"]:
                    comparison.fault(run, f"refused: {run['reason']}")
                continue
            assert inverse is not None, (name, method, kind)
            if run["end"] == "converged" and run["true_residual"] > 10 * TOLERANCE:
                comparison.fault(run, f"residual {run['true_residual']}")
            expected = scipy_iterations(a, b, method, inverse, most_iterations(a))
            ended = run["end"] in ("converged", "drifted")
            if expected is not None and ended:
                comparison.judge(run, expected)
            elif (expected is None) == ended and method != "bicgstab" and run["end"] != "drifted":
                comparison.fault(run, f"{run['end']} {run['iterations']}, SciPy {expected}")
    return comparison


compare_all(compare)
