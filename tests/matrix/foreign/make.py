#!/usr/bin/env python3
"""Makes the files of this folder: small matrices as other programs write them, and the same matrices as
SciPy writes them in the Matrix Market format, from which the tests take what is expected.

Needs NumPy, SciPy and h5py. The files are kept, so that the tests need none of them."""
import io
import os
import struct
import zipfile

import numpy as np
import scipy.io
import scipy.sparse as sp

os.chdir(os.path.dirname(os.path.abspath(__file__)))


def expected(name, matrix, field=None):
    """Write what a file is expected to hold, all entries one by one, zeros too."""
    matrix = sp.coo_array(matrix)
    if matrix.dtype == bool:
        matrix = matrix.astype(np.int64)
    scipy.io.mmwrite(name, matrix, symmetry="general", precision=17, field=field)


def write(name, content):
    with open(name, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)


# A matrix of 6 x 8 with an empty row, an empty column, an explicit zero and numbers that need all digits.
rows = np.array([0, 0, 1, 1, 1, 3, 3, 4, 4, 5, 5])
cols = np.array([0, 5, 1, 2, 7, 0, 3, 4, 5, 2, 7])
vals = np.array([1.5, -2, 0.1, 1 / 3, 0, 1e300, -7, 5e-324, 9, 3.25, -0.75])
SHAPE = (6, 8)
real = sp.coo_array((vals, (rows, cols)), shape=SHAPE)
whole = sp.coo_array((np.arange(-5, 6), (rows, cols)), shape=SHAPE)
complex_ = sp.coo_array((vals + 1j * np.arange(11), (rows, cols)), shape=SHAPE)
ones = sp.coo_array((np.ones(11), (rows, cols)), shape=SHAPE)
lower = sp.coo_array((np.arange(1.0, 8), ([0, 1, 2, 3, 3, 4, 5], [0, 0, 2, 1, 3, 2, 5])), shape=(6, 6))
symmetric = sp.coo_array(lower + sp.tril(lower, -1).T)


def npz():
    expected("real.mtx", real)
    expected("whole.mtx", whole)
    expected("complex.mtx", complex_)
    for form in "csr", "csc", "coo":
        sp.save_npz(f"real-{form}.npz", real.asformat(form), compressed=form == "csc")
    sp.save_npz("complex-csr.npz", sp.csr_matrix(complex_.tocsr()), compressed=False)
    wide = whole.tocsr()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    sp.save_npz("whole-csr64.npz", wide, compressed=True)
    blocks = real.tobsr((2, 4))
    sp.save_npz("blocks-bsr.npz", blocks, compressed=False)
    expected("blocks.mtx", blocks.tocoo())
    diagonals = sp.dia_array((np.arange(1.0, 25).reshape(3, 8), [-2, 0, 3]), shape=SHAPE)
    sp.save_npz("diagonals-dia.npz", diagonals, compressed=False)
    expected("diagonals.mtx", diagonals.tocoo())
    # Rows that are not sorted, and an entry that is given twice.
    messy = sp.csr_array((np.array([1.0, 2, 3, 4]), np.array([3, 1, 3, 0]), np.array([0, 3, 4])), shape=(2, 4))
    sp.save_npz("messy-csr.npz", messy, compressed=False)
    expected("messy.mtx", sp.csr_array(np.array([[0, 2.0, 0, 4], [4, 0, 0, 0]])))
    # Big-endian numbers, which SciPy saves as they are.
    swapped = real.tocsr()
    sp.save_npz("big-endian.npz", swapped, compressed=False)
    arrays = dict(np.load("big-endian.npz"))
    arrays = {k: v.astype(v.dtype.newbyteorder(">")) if v.dtype.kind in "fi" else v for k, v in arrays.items()}
    np.savez("big-endian.npz", **arrays)

    def broken(name, **changes):
        arrays = dict(np.load("real-csr.npz"))
        arrays.update(changes)
        np.savez(name, **{k: v for k, v in arrays.items() if v is not None})

    good = dict(np.load("real-csr.npz"))
    broken("wrong-index.npz", indices=np.where(np.arange(11) == 4, 8, good["indices"]).astype(np.int32))
    broken("wrong-pointer.npz", indptr=np.array([0, 2, 5, 4, 7, 9, 11]))
    broken("wrong-end.npz", indptr=np.array([0, 2, 5, 5, 7, 9, 10]))
    broken("wrong-count.npz", data=good["data"][:9])
    broken("wrong-format.npz", format=np.array(b"lil"))
    broken("wrong-part.npz", indices=None)
    broken("wrong-type.npz", data=good["data"].astype(np.float16))
    np.savez("wrong-none.npz", a=np.ones(3))


npz()
