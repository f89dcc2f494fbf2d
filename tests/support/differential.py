#!/usr/bin/env python3
"""Hold what sparsight reads of files that SciPy and h5py (or plain lines here) have written, and what they read of its own, bit
for bit. What is expected is made here, from plain lists of entries: NumPy sorts them and adds up what has one place.

    differential.py PROGRAM [SEED [ROUNDS]]   writes into the current folder; 77 without NumPy, SciPy or h5py

What differs by definition, and is so expected here:
- Values are doubles. Whole numbers beyond 2^53 become the nearest doubles, and the matrix real, with a note.
- Explicit zeros stay, but for those of dia, which SciPy drops as well when it goes on from dia.
- Booleans that are all true are a pattern; SciPy keeps them as numbers of one byte.
- Entries of one place are added up, the smallest first; SciPy adds them as they come.
- What is minus zero has no one answer: zeros of skew-symmetric and hermitian matrices are equal, whatever their sign.
- SciPy refuses two diagonals of one offset in a file of dia, and so does the program.
- SciPy's mmwrite has no names for nan and inf but Python's, which are read.
"""
import bz2
import concurrent.futures
import gzip
import itertools
import json
import lzma
import os
import re
import subprocess
import sys
import warnings
import zipfile

try:
    import h5py
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
except ImportError as missing:
    print(missing)
    sys.exit(77)

PROGRAM = os.path.abspath(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 28
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 1
random = np.random.default_rng(SEED)
warnings.simplefilter("ignore")

REALS = [5e-324, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, -0.0, 0.0, 0.1,
         1 / 3, 2.0**53 + 2, 2.0**53 - 1, 1e22, 1e23, 123456789.125, -7.0, 9007199254740993.0]
STRANGE = [np.nan, np.inf, -np.inf]
WHOLE = [2**53, 2**53 + 1, 2**53 + 3, -(2**53) - 1, 2**63 - 1, -(2**63), 2**62 + 1, 0, 1, -1, 10**18]
SHAPES = [(9, 9), (7, 23), (31, 4), (1, 1), (1, 40), (40, 1), (60, 60)]
EMPTY = [(0, 0), (0, 5), (5, 0), (3, 3), (1, 1), (200, 300)]
COMPRESSORS = {"": None, ".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


class Case:
    """A matrix as a list of entries, of one triangle if it is symmetric, with places that come twice if it may."""

    def __init__(self, field, symmetry="general", shape=None, count=None, twice=False, strange=False, sort=False):
        self.field, self.symmetry = field, symmetry
        self.shape = shape or SHAPES[random.integers(len(SHAPES))]
        if symmetry != "general":
            self.shape = (max(self.shape),) * 2
        places = self.shape[0] * self.shape[1]
        count = int(random.integers(1, max(2, places // 3))) if count is None else count
        at = random.choice(places, min(count, places), replace=False) if places else np.zeros(0, int)
        if twice and len(at):
            at = np.concatenate([at, random.choice(at, max(1, len(at) // 3))])
        at = np.sort(at) if sort else random.permutation(at)
        rows, cols = (at // self.shape[1], at % self.shape[1]) if places else (at, at)
        if symmetry != "general":
            rows, cols = np.maximum(rows, cols), np.minimum(rows, cols)
            keep = rows > cols if symmetry == "skew-symmetric" else rows >= cols
            rows, cols = rows[keep], cols[keep]
            if not twice:
                _, first = np.unique(rows * self.shape[1] + cols, return_index=True)
                rows, cols = rows[first], cols[first]
        self.rows, self.cols = rows.astype(np.int64), cols.astype(np.int64)
        self.values = self.draw(len(rows), strange)
        if symmetry == "hermitian":
            self.values = np.where(self.rows == self.cols, self.values.real, self.values)

    def draw(self, n, strange):
        def reals():
            x = random.standard_normal(n) * 10.0 ** random.integers(-300, 300, n)
            some = random.random(n) < 0.4
            x[some] = random.choice(REALS + (STRANGE if strange else []), int(some.sum()))
            return x
        if self.field == "pattern":
            return np.ones(n, bool)
        if self.field == "integer":
            x = random.integers(-(10**6), 10**6, n)
            if strange:
                some = random.random(n) < 0.3
                x[some] = random.choice(np.array(WHOLE, np.int64), int(some.sum()))
            return x
        return reals() + 1j * reals() if self.field == "complex" else reals()

    def rounded(self):
        """How many of the numbers, if they are whole, are no doubles."""
        return sum(int(float(int(x))) != int(x) for x in self.values) if self.values.dtype.kind in "iu" else 0

    def of(self, values):
        """The same places with other values."""
        other = Case.__new__(Case)
        other.__dict__.update(self.__dict__, values=values)
        return other

    def sum(self):
        """The canonical CSR arrays that are right."""
        rows, cols, values = self.rows, self.cols, self.values
        values = values.astype(complex if np.iscomplexobj(values) else float)
        order = np.lexsort((values.imag, values.real, cols, rows))
        rows, cols, values = rows[order], cols[order], values[order]
        first = np.ones(len(rows), bool)
        first[1:] = (rows[1:] != rows[:-1]) | (cols[1:] != cols[:-1])
        sums = values[first].copy()
        group = np.cumsum(first) - 1
        for k in np.flatnonzero(~first):
            sums[group[k]] += values[k]
        rows, cols = rows[first], cols[first]
        # Sums are mirrored, so that they are mirror images to the last bit.
        beside = (rows != cols) & (self.symmetry != "general")
        mirror = {"skew-symmetric": np.negative, "hermitian": np.conj}.get(self.symmetry, np.array)(sums[beside])
        rows, cols, sums = (np.concatenate(pair) for pair in
                            ((rows, cols[beside]), (cols, rows[beside]), (sums, mirror)))
        order = np.lexsort((cols, rows))
        return np.searchsorted(rows[order], np.arange(self.shape[0] + 1)), cols[order], sums[order]

    def coo(self, values=None):
        return sp.coo_matrix((self.values if values is None else values, (self.rows, self.cols)), shape=self.shape)


# --- tasks: a file, its name for the program, and the right contents ---

class Task:
    def __init__(self, file, case, words=(), name=None, zeros=True, loose=False):
        self.file, self.case, self.words, self.name = file, case, list(words), name or file
        self.zeros, self.loose = zeros, loose


tasks = []
refused = []  # files with what is said of them
unique = itertools.count()


def task(ending, case, make, **how):
    file = f"{next(unique)}{ending}"
    make(file)
    tasks.append(Task(file, case, **how))
    return file


# --- Matrix Market ---

def market(case, file, digits=repr, banner="%%MatrixMarket matrix coordinate {} {}", compress=None, end="\n"):
    def words(x):
        if case.field == "pattern":
            return ""
        if case.field == "complex":
            return f" {digits(float(x.real))} {digits(float(x.imag))}"
        return f" {int(x)}" if case.field == "integer" else f" {digits(float(x))}"
    lines = [banner.format(case.field, case.symmetry), "% made", f"{case.shape[0]} {case.shape[1]} {len(case.rows)}"]
    lines += [f"{i + 1} {j + 1}{words(x)}" for i, j, x in zip(case.rows, case.cols, case.values)]
    with (compress or open)(file, "wb") as out:
        out.write((end.join(lines) + end).encode())


SYMMETRIES = {"real": ["general", "symmetric", "skew-symmetric"], "integer": ["general", "symmetric", "skew-symmetric"],
              "complex": ["general", "symmetric", "skew-symmetric", "hermitian"], "pattern": ["general", "symmetric"]}


def markets():
    for field, symmetries in SYMMETRIES.items():
        for symmetry, twice in itertools.product(symmetries, (False, True)):
            case = Case(field, symmetry, twice=twice and field != "pattern", strange=not twice)
            how = random.integers(4)
            task(".mtx", case, lambda f: market(case, f, digits=[repr, "%.17g".__mod__, "%.16E".__mod__, "%+.20e".__mod__][how],
                                                end=["\n", "\r\n"][how % 2]))
    for ending, compress in COMPRESSORS.items():
        case = Case("real", twice=True)
        task(".mtx" + ending, case, lambda f: market(case, f, compress=compress))
    case = Case("integer")
    market(case, "inner.mtx")
    with zipfile.ZipFile("z.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.write("inner.mtx")
        file.writestr("read.me", "Not a matrix.")
    tasks.append(Task("z.zip", case, name="z.zip:inner.mtx"))
    for field, shape in itertools.product(SYMMETRIES, EMPTY):
        case = Case(field, shape=shape, count=0)
        task(".mtx", case, lambda f: market(case, f))
    # By SciPy's own writer.
    for field in "real", "integer", "complex", "pattern":
        case = Case(field, strange=field != "integer")
        # Precision 17 is enough for every double.
        task(".mtx", case, lambda f: scipy.io.mmwrite(f, case.coo(case.values.astype(int) if field == "pattern" else None),
                                                      field=field, precision=17, symmetry="general"))
    for field, symmetry in (("real", "symmetric"), ("real", "skew-symmetric"), ("complex", "hermitian")):
        case = Case(field, symmetry)
        start, cols, values = case.sum()
        whole = np.zeros(case.shape, values.dtype)
        whole[np.repeat(np.arange(case.shape[0]), np.diff(start)), cols] = values
        task(".mtx", case, lambda f: scipy.io.mmwrite(f, sp.coo_matrix(whole), precision=17, symmetry=symmetry), zeros=False)
    for field in "real", "complex", "integer":
        dense = Case(field, shape=(5, 7), count=35, sort=True)
        task(".mtx", dense, lambda f: scipy.io.mmwrite(f, dense.values.reshape(5, 7), precision=17, symmetry="general"))


# --- npz ---

def npzs():
    def save(file, format, arrays, shape, compressed):
        (np.savez_compressed if compressed else np.savez)(file, format=format.encode(), shape=np.array(shape), **arrays)

    types = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"]
    for kind, index in itertools.product(types, ("i4", "i8")):
        field = "complex" if kind[0] == "c" else "integer" if kind[0] in "iu" else "pattern" if kind == "?" else "real"
        case = Case(field, twice=random.random() < 0.5 and kind != "?", strange=True)
        if kind[0] in "iu":
            limits = np.iinfo(kind)
            case = case.of(random.integers(limits.min, limits.max, len(case.rows), dtype=kind, endpoint=True))
            case.values[: 2] = [limits.min, limits.max][: len(case.values)]
        elif kind in ("f4", "c8"):
            with np.errstate(all="ignore"):
                case = case.of(case.values.astype(kind))
        coo = case.coo()
        order = random.choice(["<", ">"]) if kind not in ("?", "i1", "u1") else "|"
        formats = {"coo": {"row": case.rows.astype(index), "col": case.cols.astype(index)}}
        by_rows = np.argsort(case.rows, kind="stable")
        by_cols = np.argsort(case.cols, kind="stable")
        starts = np.searchsorted(case.rows[by_rows], np.arange(case.shape[0] + 1))
        formats["csr"] = {"indptr": starts.astype(index), "indices": case.cols[by_rows].astype(index)}
        starts = np.searchsorted(case.cols[by_cols], np.arange(case.shape[1] + 1))
        formats["csc"] = {"indptr": starts.astype(index), "indices": case.rows[by_cols].astype(index)}
        for format, arrays in formats.items():
            values = case.values[{"csr": by_rows, "csc": by_cols}.get(format, slice(None))]
            arrays = {name: array.astype(order.replace("|", "<") + index) for name, array in arrays.items()}
            arrays["data"] = values.astype(order + kind if kind != "?" else "?")
            task(".npz", case, lambda f: save(f, format, arrays, case.shape, random.random() < 0.5))
        if kind[0] == "f" or kind == "c16":
            full = Case(field, shape=(12, 18), count=70)
            blocks = sp.bsr_matrix(full.coo().tocsr().astype(kind), blocksize=(3, 2))
            blocks.indices, blocks.indptr = blocks.indices.astype(index), blocks.indptr.astype(index)
            kept = blocks.tocoo()  # with the zeros of the blocks
            other = full.of(kept.data)
            other.rows, other.cols = kept.row.astype(np.int64), kept.col.astype(np.int64)
            task(".npz", other, lambda f: sp.save_npz(f, blocks))
            offsets = np.array([-7, -2, 0, 1, 9, 30, -40], index)
            table = random.integers(0, 4, (len(offsets), int(random.integers(1, 25)))).astype(kind)
            diagonals = sp.dia_matrix((table, offsets), shape=(15, 20))
            kept = diagonals.tocoo()
            other = Case(field, shape=(15, 20), count=0).of(kept.data)
            other.rows, other.cols = kept.row.astype(np.int64), kept.col.astype(np.int64)
            task(".npz", other, lambda f: sp.save_npz(f, diagonals), zeros=False)
    np.savez("twice.npz", format=b"dia", shape=np.array([3, 3]), offsets=np.array([1, 0, 1]), data=np.ones((3, 3)))
    refused.append(("twice.npz", "offsets names a diagonal twice"))
    for shape in EMPTY:
        for format in "csr", "csc", "coo":
            task(".npz", Case("real", shape=shape, count=0), lambda f: sp.save_npz(f, sp.coo_matrix(shape).asformat(format)))
    case = Case("real")
    sp.save_npz("inner.npz", case.coo())
    for ending, compress in COMPRESSORS.items():
        if compress:
            task(".npz" + ending, case, lambda f: compress(f, "wb").write(open("inner.npz", "rb").read()))


# --- MATLAB ---

def mats():
    for field, packed, twice in itertools.product(("real", "complex", "pattern"), (False, True), (False, True)):
        case = Case(field, strange=True)
        task(".mat", case, lambda f: scipy.io.savemat(f, {"A": case.coo().tocsc()}, do_compression=packed))
    for field in "real", "complex":
        case = Case(field, strange=True)
        task(".mat", case, lambda f: scipy.io.savemat(f, {"A": case.coo().tocsc()}, format="4"))
    for kind in "i1 i2 i4 u1 u2 u4 i8 u8 f4 f8 c16 c8".split():
        dense = random.integers(0, 100, (6, 5)).astype(kind)
        if kind[0] == "c":
            dense = dense * np.array(1 - 2j, kind)
        if kind == "i8":
            dense[0, :2] = [2**63 - 1, -(2**63)]
        if kind == "u8":
            dense[0, :2] = [2**64 - 1, 2**53 + 1]
        rows, cols = np.indices(dense.shape)
        case = Case("real", shape=dense.shape, count=0).of(dense.ravel())
        case.rows, case.cols = rows.ravel(), cols.ravel()
        task(".mat", case, lambda f: scipy.io.savemat(f, {"A": dense}), name=None)
        tasks[-1].name += ":A"
    for shape in (0, 5), (5, 0), (3, 3):
        task(".mat", Case("real", shape=shape, count=0), lambda f: scipy.io.savemat(f, {"A": sp.csc_matrix(shape)}))


def mats73():
    for field, packed in itertools.product(("real", "complex", "pattern"), (False, True)):
        case = Case(field, strange=True)
        csc = case.coo().tocsc()
        csc.sort_indices()

        def write(name):
            with h5py.File(name, "w", userblock_size=512) as file:
                group = file.create_group("A")
                group.attrs["MATLAB_sparse"] = np.uint64(case.shape[0])
                group.attrs["MATLAB_class"] = np.bytes_("logical" if field == "pattern" else "double")
                data = csc.data
                if field == "complex":
                    data = np.rec.fromarrays([data.real, data.imag], names="real,imag")
                if field == "pattern":
                    data = data.astype(np.uint8)
                how = {"compression": "gzip", "shuffle": True} if packed else {}
                group.create_dataset("data", data=data, **how)
                group.create_dataset("ir", data=csc.indices.astype(np.uint64), **how)
                group.create_dataset("jc", data=csc.indptr.astype(np.uint64), **how)
            with open(name, "r+b") as file:
                file.write(b"MATLAB 7.3 MAT-file, written by h5py".ljust(124) + b"\x00\x02IM")
        task(".mat", case, write)


# --- Binsparse ---

def binsparses():
    for field, index, order in itertools.product(("real", "integer", "complex"), ("u1", "i2", "u4", "i8", "u8"), "<>"):
        case = Case(field, strange=True, sort=True)
        start, cols, values = case.rows, case.cols, case.values
        format = ["COO", "CSR", "CSC"][random.integers(3)]
        if format == "COO":
            arrays = {"indices_0": case.rows, "indices_1": case.cols}
        else:
            compressed = case.coo().tocsr() if format == "CSR" else case.coo().tocsc()
            compressed.sort_indices()
            arrays, values = {"pointers_to_1": compressed.indptr, "indices_1": compressed.indices}, compressed.data
        if any(len(a) and a.max() > np.iinfo(index).max for a in arrays.values()):
            continue
        kind = {"real": "float64", "integer": "int64", "complex": "complex[float64]"}[field]
        if field == "complex":
            values = values.view(np.float64)

        def write(name):
            with h5py.File(name, "w") as file:
                file.attrs["binsparse"] = json.dumps({"binsparse": {
                    "version": "0.1", "format": format, "shape": list(case.shape),
                    "number_of_stored_values": len(case.rows), "data_types": {"values": kind}}})
                for key, array in arrays.items():
                    file.create_dataset(key, data=array.astype(order + index), chunks=True if len(array) else None)
                file.create_dataset("values", data=values.astype(order + values.dtype.str[1:]),
                                    **({"compression": "gzip", "fletcher32": True} if len(values) and random.random() < 0.5 else {}))
        task(".bsp.h5", case, write)


# --- Harwell-Boeing, PETSc, edge lists ---

def others():
    for _ in range(8):
        # SciPy writes numbers with exponents of three digits into each other, so that it cannot read them either.
        case = Case("real", shape=(30, 30), count=int(random.integers(1, 200)))
        case = case.of(np.where((abs(case.values) < 1e99) & (abs(case.values) > 1e-99), case.values, 0.25))
        task(".hb", case, lambda f: scipy.io.hb_write(f, case.coo().tocsc()))
    for index, field in itertools.product((">i4", ">i8"), ("real", "complex")):
        case = Case(field, shape=(40, 41), count=300)
        csr = case.coo().tocsr()
        csr.sort_indices()

        def write(name):
            with open(name, "wb") as file:
                file.write(np.array([1211216, *csr.shape, csr.nnz], index).tobytes())
                file.write(np.diff(csr.indptr).astype(index).tobytes() + csr.indices.astype(index).tobytes())
                file.write(csr.data.astype(">c16" if field == "complex" else ">f8").tobytes())
        task(".petsc", case, write, words=["--from=petsc"])
    for ending, between in (".csv", ","), (".csv", ";"), (".el", "\t"), (".el", " "):
        case = Case("real", shape=(25, 25), count=120, twice=True)
        case.rows[0], case.cols[0] = 24, 24
        case.rows[1], case.cols[1] = 0, 0
        titles = f"row{between}col{between}value\n" if ending == ".csv" else ""
        lines = "".join(f"{i}{between}{j}{between}{x!r}\n" for i, j, x in zip(case.rows, case.cols, case.values.tolist()))
        task(ending, case, lambda f: open(f, "w").write(titles + lines))


# --- the program's reading, compared with the right contents ---

def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, check=False, env=dict(os.environ, OMP_NUM_THREADS="2"))


def bits(x):
    return np.ascontiguousarray(x).view(np.uint64)


def different(found, start, cols, values, shape, zeros=True, signs=True):
    """What is different of two matrices, of which one is in CSR arrays; None if they are the same bit for bit, but
    that one nan is as good as another."""
    if tuple(found.shape) != tuple(shape):
        return f"shape {found.shape}, not {shape}"
    if not zeros:
        kept = sp.csr_matrix((values, cols, start), shape=shape)
        kept.eliminate_zeros()
        start, cols, values = kept.indptr, kept.indices, kept.data
        found.eliminate_zeros()
    if not (np.array_equal(found.indptr, start) and np.array_equal(found.indices, cols)):
        return f"other places: {found.nnz}, not {len(cols)}"
    data = found.data.astype(values.dtype)
    if np.iscomplexobj(found.data) != np.iscomplexobj(values):
        return f"type {found.data.dtype}, not {values.dtype}"
    wrong = (bits(data) != bits(values)) & ~(np.isnan(data.view(float)) & np.isnan(values.view(float)))
    if not signs:
        wrong &= (data.view(float) != 0) | (values.view(float) != 0)
    if wrong.any():
        k = int(np.flatnonzero(wrong)[0])
        return f"{wrong.sum()} values, first {data.view(float)[k]!r}, not {values.view(float)[k]!r}"
    return None


def read(one):
    out = one.file + ".out.npz"
    ran = run("convert", *one.words, one.name, out)
    if ran.returncode:
        return f"{ran.stderr.decode().strip()}"
    with np.load(out) as arrays:
        found = sp.csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), shape=arrays["shape"])
    start, cols, values = one.case.sum()
    fault = different(found, start, cols, values, one.case.shape, one.zeros, one.case.symmetry in ("general", "symmetric"))
    noted = re.search(r"(\d+) integers? (is|are) not exact in double", ran.stderr.decode())
    noted, rounded = int(noted.group(1)) if noted else 0, one.case.rounded()
    if not fault and noted != rounded:
        fault = f"notes {noted} integers that are not exact, and not {rounded}"
    if fault or next(number) % 6:
        return fault
    told = json.loads(run("report", "--format=json", *one.words, one.name).stdout)["matrices"][0]
    usual = {"rows": one.case.shape[0], "cols": one.case.shape[1], "nnz": len(cols),
             "explicit_zeros": int((values == 0).sum())}
    if one.zeros:
        fault = {key: (told[key], value) for key, value in usual.items() if told[key] != value}
    return f"report: {fault}" if fault else None


number = itertools.count()


# --- the program's files, as others read them ---

def read_petsc(name):
    with open(name, "rb") as file:
        bytes_ = file.read()
    _, rows, cols, nnz = np.frombuffer(bytes_, ">i4", 4)
    counts = np.frombuffer(bytes_, ">i4", rows, 16)
    indices = np.frombuffer(bytes_, ">i4", nnz, 16 + 4 * rows)
    rest = bytes_[16 + 4 * rows + 4 * nnz:]
    kind = ">c16" if nnz and len(rest) == 16 * nnz else ">f8"
    data = np.frombuffer(rest, kind).astype(kind.replace(">", "<"))
    return sp.csr_matrix((data, indices.astype(int), np.append(0, np.cumsum(counts))), shape=(rows, cols))


def read_binsparse(name):
    with h5py.File(name) as file:
        what = json.loads(file.attrs["binsparse"])["binsparse"]
        values = file["values"][:]
        if what["data_types"]["values"] == "complex[float64]":
            values = values.view(complex)
        cols = file["indices_1"][:].astype(np.int64)
        if what["data_types"]["values"].startswith("iso"):
            values = np.ones(len(cols))
        if what["format"] == "CSR":
            return sp.csr_matrix((values, cols, file["pointers_to_1"][:].astype(np.int64)), shape=what["shape"])
        return sp.coo_matrix((values, (file["indices_0"][:].astype(np.int64), cols)), shape=what["shape"]).tocsr()


def read_mtx(name):
    return scipy.io.mmread(name).tocsr()


READERS = {"mtx": read_mtx, "mtx.gz": read_mtx, "mtx.bz2": read_mtx, "npz": lambda f: sp.load_npz(f).tocsr(),
           "mat": lambda f: scipy.io.loadmat(f)["A"].tocsr(), "petsc": read_petsc, "bsp.h5": read_binsparse,
           "rb": lambda f: scipy.io.hb_read(f).tocsr()}


def write(one):
    case, ending, source = one
    name = f"{source}.{ending}"
    ran = run("convert", source, name)
    if ran.returncode:
        return f"{ran.stderr.decode().strip()}"
    found = READERS[ending](name)
    found.sort_indices()
    start, cols, values = case.sum()
    if len(values) == 0 and ending in ("mat", "petsc"):
        found = found.astype(values.dtype)  # of no entries the format does not tell
    if ending == "mat" and np.iscomplexobj(values):
        with np.errstate(all="ignore"):
            values = values.real + values.imag * 1j  # as SciPy reads it, which loses minus zero and what is beside inf
    return different(found, start, cols, values, case.shape)


def writings():
    for field, shape, strange in itertools.product(SYMMETRIES, (None, (0, 4), (4, 0), (5, 5), (30, 30)), (False, True)):
        case = Case(field, shape=shape, count=0 if shape in ((0, 4), (4, 0), (5, 5)) else None, strange=strange)
        source = f"w{next(unique)}.mtx"
        market(case, source)
        for ending in READERS:
            empty = len(case.rows) == 0
            # SciPy reads Rutherford-Boeing files of square real matrices alone, and none without entries.
            if ending == "rb" and (field not in ("real", "integer") or case.shape[0] != case.shape[1] or empty or strange):
                continue
            if ending == "mtx.bz2" and shape:
                continue
            yield case, ending, source


def main():
    wrong = 0
    for _ in range(ROUNDS):
        tasks.clear()
        refused.clear()
        for make in markets, npzs, mats, mats73, binsparses, others:
            make()
        pairs = list(writings())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for one, fault in zip(tasks, pool.map(read, tasks)):
                wrong += fault is not None
                if fault:
                    print(f"{one.name} ({one.case.field} {one.case.symmetry} {one.case.shape} {len(one.case.rows)}): {fault}")
            for name, words in refused:
                said = run("report", name)
                if said.returncode != 1 or words not in said.stderr.decode():
                    print(f"{name}: {said.returncode} {said.stderr.decode()}")
                    wrong += 1
            for (case, ending, source), fault in zip(pairs, pool.map(write, pairs)):
                wrong += fault is not None
                if fault:
                    print(f"{source} to {ending} ({case.field} {case.shape} {len(case.rows)}): {fault}")
        print(f"seed {SEED}: {len(tasks)} files read, {len(pairs)} written, {wrong} wrong")
    sys.exit(wrong > 0)


main()
