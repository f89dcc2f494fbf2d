#!/usr/bin/env python3
"""Hold files that `sparsight convert` writes against what SciPy and h5py read of them: every field and symmetry
that there is, in every format that these read, and of the transposed matrix. What is expected is made here, from plain lists of entries.

    written.py PROGRAM        writes files into the current folder; 77 if NumPy, SciPy or h5py are not there
"""
import itertools
import json
import subprocess
import sys

try:
    import h5py
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
except ImportError as missing:
    print(missing)
    sys.exit(77)

program = sys.argv[1]
random = np.random.default_rng(5)
SPECIAL = [5e-324, 1e300, 1 / 3, 0.0, -7.0, 1.7976931348623157e308, 2.2250738585072014e-308, 0.1, 123456789.125]
MIRROR = {"symmetric": lambda x: x, "skew-symmetric": lambda x: -x, "hermitian": np.conj}
STRUCTURES = {"general": None, "symmetric": "symmetric_lower", "skew-symmetric": "skew_symmetric_lower",
              "hermitian": "hermitian_lower"}
TYPES = {"real": np.float64, "integer": np.int64, "complex": np.complex128, "pattern": np.bool_}
TEXTS = {"title": "Of tests", "author": "N. Ñ.", "ed": "E. D.", "date": "1999", "kind": "test"}


def draw(field, symmetry, shape, count):
    """Entries of the triangle that a file lists: rows, columns, values."""
    places = np.sort(random.choice(shape[0] * shape[1], count, replace=False))
    rows, cols = places // shape[1], places % shape[1]
    if symmetry != "general":
        there = rows > cols if symmetry == "skew-symmetric" else rows >= cols
        rows, cols = rows[there], cols[there]
    values = random.standard_normal(len(rows)) * 10.0 ** random.integers(-300, 300, len(rows))
    values[: len(SPECIAL)] = SPECIAL[: len(values)]
    if field == "integer":
        values = random.integers(-(10**6), 10**6, len(rows))
    if field == "pattern":
        values = np.ones(len(rows))
    if field == "complex":
        values = values + 1j * random.permutation(values)
        values = np.where((rows == cols) & (symmetry == "hermitian"), values.real, values)
    return rows, cols, values


def write(name, field, symmetry, shape, rows, cols, values):
    def words(x):
        if field == "complex":
            return f" {float(x.real)!r} {float(x.imag)!r}"
        return "" if field == "pattern" else f" {int(x)}" if field == "integer" else f" {float(x)!r}"

    with open(name, "w", encoding="utf-8") as file:
        print(f"%%MatrixMarket matrix coordinate {field} {symmetry}", file=file)
        for key, text in TEXTS.items():
            print(f"% {key}: {text}", file=file)
        print(*shape, len(rows), file=file)
        for i, j, x in zip(rows, cols, values):
            print(f"{i + 1} {j + 1}{words(x)}", file=file)


def whole(symmetry, shape, rows, cols, values):
    """Both triangles, as CSR; entries that are zero stay."""
    beside = (rows != cols) & (symmetry != "general")
    mirrored = MIRROR.get(symmetry, MIRROR["symmetric"])(values[beside])
    i, j = np.concatenate([rows, cols[beside]]), np.concatenate([cols, rows[beside]])
    matrix = sp.csr_array((np.concatenate([values, mirrored]), (i, j)), shape=shape)
    matrix.sort_indices()
    return matrix


def same(what, found, expected):
    found = sp.csr_array(found)
    found.sort_indices()
    assert found.shape == expected.shape, what
    assert np.array_equal(found.indptr, expected.indptr) and np.array_equal(found.indices, expected.indices), what
    assert np.array_equal(found.data, expected.data), what


def read_binsparse(name, field, symmetry, shape):
    with h5py.File(name) as file:
        told = json.loads(file.attrs["binsparse"])
        what = told["binsparse"]
        assert told["title"] == TEXTS["title"] and told["author"] == TEXTS["author"]
        assert what["shape"] == list(shape) and what.get("structure") == STRUCTURES[symmetry], what
        if what["format"] == "CSR":
            rows = np.repeat(np.arange(shape[0]), np.diff(file["pointers_to_1"][:]))
        else:
            assert what["format"] == "COOR"
            rows = file["indices_0"][:]
        cols, values, kind = file["indices_1"][:], file["values"][:], what["data_types"]["values"]
        assert what["number_of_stored_values"] == len(cols)
        for key, told in what["data_types"].items():
            plain = told.replace("iso[bint8]", "uint8").replace("complex[float64]", "float64")
            assert file[key].dtype == plain, (key, told, file[key].dtype)
        if kind == "complex[float64]":
            values = values.view(np.complex128)
        if kind == "iso[bint8]":
            assert list(values) == [1]
            values = np.ones(len(cols))
        assert (field == "pattern") == (kind == "iso[bint8]") and (field == "integer") == (kind == "int64")
        return whole(symmetry, shape, rows, cols, values)


def check_transposed(what, field, symmetry, expected):
    """What `convert --transpose` writes: the transposed matrix, not conjugated, of the same field and symmetry."""
    for out in "transposed.npz", "transposed.mtx":
        subprocess.run([program, "convert", "--transpose", "in.mtx", out], check=True)
    expected = sp.csr_array(expected.T)
    expected.sort_indices()
    same(what + " transposed npz", sp.load_npz("transposed.npz"), expected)
    assert scipy.io.mminfo("transposed.mtx")[4:] == (field, symmetry), what
    same(what + " transposed mtx", scipy.io.mmread("transposed.mtx"), expected)


def check(field, symmetry, shape, count):
    what = f"{field} {symmetry} {shape} {count}"
    entries = draw(field, symmetry, shape, count)
    expected = whole(symmetry, shape, *entries)
    write("in.mtx", field, symmetry, shape, *entries)
    for out in "out.npz", "out.mat", "out.bsp.h5", "out.rb":
        subprocess.run([program, "convert", "in.mtx", out], check=True)
    with np.load("out.npz") as arrays:
        assert arrays["data"].dtype == TYPES[field], what
    same(what + " npz", sp.load_npz("out.npz"), expected)
    found = scipy.io.loadmat("out.mat")
    same(what + " mat", found["A"], expected)
    # MATLAB has no sparse integers; its logical matrices SciPy reads as bytes.
    kind = {"integer": np.float64, "pattern": np.uint8}.get(field, TYPES[field])
    assert found["A"].dtype == kind, (what, found["A"].dtype)
    for key, text in TEXTS.items():
        assert found["about"][key][0, 0][0] == text, (key, found["about"][key])
    same(what + " bsp", read_binsparse("out.bsp.h5", field, symmetry, shape), expected)
    # SciPy reads only this kind of Rutherford-Boeing files.
    if field in ("real", "integer") and symmetry == "general" and shape[0] == shape[1]:
        same(what + " rb", scipy.io.hb_read("out.rb"), expected)
    check_transposed(what, field, symmetry, expected)
    print("ok", what)


for field, symmetry in itertools.product(TYPES, STRUCTURES):
    if (symmetry == "hermitian" and field != "complex") or (symmetry == "skew-symmetric" and field == "pattern"):
        continue
    check(field, symmetry, (40, 40), 300)
    check(field, symmetry, (60, 60), 3)
for field in TYPES:
    check(field, "general", (7, 90), 200)
    check(field, "general", (5, 5), 0)
check("real", "general", (3000, 3000), 50000)
