#!/usr/bin/env python3
"""Makes the files of this folder: small matrices as other programs write them, and the same matrices as
SciPy writes them in the Matrix Market format, from which the tests take what is expected.

Needs NumPy, SciPy, h5py, networkx and pandas. The files are kept, so that the tests need none of them."""
import json
import os
import struct

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


def fortran(numbers, per_line, width, form):
    """Lines of Fortran's output: per_line numbers, each right in `width` columns."""
    texts = [form(n).rjust(width) for n in numbers]
    assert all(len(t) == width for t in texts)
    return ["".join(texts[k : k + per_line]) for k in range(0, len(texts), per_line)]


def e_format(digits, scale=1, letter="E"):
    """kPEw.d of Fortran: with scale 0 the number is 0.ddd, with 1 it is d.ddd."""

    def form(x):
        mantissa, power = f"{x:.{digits - 1 + scale}E}".split("E")
        power = int(power)
        if scale == 0:
            sign = "-" if mantissa[0] == "-" else ""
            mantissa = sign + "0." + mantissa.lstrip("-").replace(".", "")
            power += x != 0
        exponent = f"{letter}{power:+03d}" if abs(power) < 100 else f"{power:+04d}"
        return mantissa + exponent

    return form


def boeing(name, matrix, kind, formats, lines, sides=None, rutherford=False):
    csc = sp.csc_array(matrix)
    counts = [len(x) for x in lines]
    extra = [0] if not rutherford else []
    if sides:
        extra = [len(sides)]
    total = sum(counts) + sum(extra)
    head = [f"{'A matrix for tests':72}{'KEY':8}"]
    head.append("".join(f"{n:14d}" for n in [total, *counts, *extra]))
    head.append(f"{kind:14}" + "".join(f"{n:14d}" for n in [*csc.shape, csc.nnz, 0]))
    head.append(f"{formats[0]:16}{formats[1]:16}{formats[2]:20}" + ("" if rutherford else f"{formats[2]:20}"))
    if sides:
        head.append(f"{'F':14}{1:14d}{0:14d}")
    write(name, "\n".join(head + sum(lines, []) + (sides or [])) + "\n")


def boeings():
    csc = sp.csc_array(real)
    ptr = fortran(csc.indptr + 1, 10, 8, str)
    ind = fortran(csc.indices + 1, 16, 5, str)
    # Fortran's output of three figures of exponent has no letter: 1.0+300.
    boeing("real.rua", real, "RUA", ["(10I8)", "(16I5)", "(1P,3E26.17)"],
           [ptr, ind, fortran(csc.data, 3, 26, e_format(17))], sides=["   1.0   2.0"])
    boeing("real-d.rua", real, "RUA", ["(10I8)", "(16I5)", "(2D30.18)"],
           [ptr, ind, fortran(csc.data, 2, 30, e_format(18, 0, "D"))])
    boeing("real.rb", real, "rra", ["(10I8)", "(16I5)", "(3(1X,E25.17E3))"],
           [ptr, ind, fortran(csc.data, 3, 26, lambda x: f"{x:.17E}")], rutherford=True)
    tenths = sp.coo_array((np.arange(-5, 6) / 10, (rows, cols)), shape=SHAPE)
    expected("tenths.mtx", tenths)
    # F8.1 without a point has it before the last digit, and under 2P a number is 100 times its value.
    data = sp.csc_array(tenths).data
    boeing("tenths-f.rua", tenths, "RUA", ["(10I8)", "(16I5)", "(5F8.1)"],
           [ptr, ind, fortran(data, 5, 8, lambda x: str(round(x * 10)))])
    boeing("tenths-p.rua", tenths, "RUA", ["(10I8)", "(16I5)", "(2P5F8.1)"],
           [ptr, ind, fortran(data, 5, 8, lambda x: f"{x * 100:.1f}")])
    z = sp.csc_array(complex_)
    boeing("complex.cua", complex_, "CUA", ["(10I8)", "(16I5)", "(4E26.17)"],
           [ptr, ind, fortran(np.array([z.data.real, z.data.imag]).T.ravel(), 4, 26, lambda x: f"{x:.17E}")])
    low = sp.csc_array(lower)
    lines = [fortran(low.indptr + 1, 20, 4, str), fortran(low.indices + 1, 20, 4, str),
             fortran(low.data, 4, 20, lambda x: f"{x:.12E}")]
    expected("symmetric.mtx", symmetric)
    boeing("symmetric.rsa", lower, "RSA", ["(20I4)", "(20I4)", "(4E20.12)"], lines)
    boeing("whole.rb", whole, "ira", ["(10I8)", "(16I5)", "(26I3)"],
           [ptr, ind, fortran(sp.csc_array(whole).data, 26, 3, str)], rutherford=True)
    expected("ones.mtx", ones)
    boeing("ones.pra", ones, "PRA", ["(10I8)", "(16I5)", ""], [ptr, ind, []])
    # SciPy writes numbers of its own widths under a format of others.
    scipy.io.hb_write("scipy.hb", sp.csc_array(real * sp.coo_array((np.ones(11), (rows, cols)), shape=SHAPE)))
    expected("scipy.mtx", scipy.io.hb_read("scipy.hb"))

    good = open("real.rua").read()
    write("wrong-elements.rua", good.replace("RUA ", "RUE ", 1))
    write("wrong-row.rua", good.replace("\n    1    4    2", "\n    9    4    2", 1))
    write("wrong-number.rua", good.replace("E-01", "E-0x", 1))
    write("wrong-columns.rua", good.replace("E-01   3.25000000000000000E+00  -7", "E-013.25000000000000000E+00 7", 1))
    write("wrong-format.rua", good.replace("(16I5)", "(16A5)", 1))
    write("wrong-short.rua", good[: good.index("E-01")])
    write("wrong-cards.rua", good.replace(" " * 13 + "4", " " * 13 + "5", 1))


def savemat(name, variables, **options):
    """SciPy's savemat, without the time in the header."""
    scipy.io.savemat(name, variables, **options)
    content = open(name, "rb").read()
    if content.startswith(b"MATLAB 5.0"):
        write(name, b"MATLAB 5.0 MAT-file, written by SciPy".ljust(116) + content[116:])


def mats():
    csc = sp.csc_matrix(real)
    full = np.arange(12.0).reshape(3, 4)
    expected("full.mtx", sp.coo_array((full.T.ravel(), (np.tile(np.arange(3), 4), np.repeat(np.arange(4), 3))), shape=(3, 4)))
    savemat("real-v4.mat", {"text": "words", "A": csc}, format="4")
    savemat("complex-v4.mat", {"A": sp.csc_matrix(complex_)}, format="4")
    savemat("real-v6.mat", {"full": full, "A": csc})
    savemat("real-v7.mat", {"full": full, "A": csc}, do_compression=True)
    savemat("complex-v7.mat", {"A": sp.csc_matrix(complex_)}, do_compression=True)
    savemat("whole-v7.mat", {"A": sp.csc_matrix(whole)}, do_compression=True)
    problem = {"title": "A matrix for tests", "name": "Group/real", "A": csc, "date": "1999", "author": "N. N.",
               "kind": "test", "b": np.ones((6, 1)), "aux": {"C": sp.csc_matrix(whole)}}
    savemat("problem.mat", {"Problem": problem}, do_compression=True)
    # As the collection has them: notes are lines of one length, zeros stand apart, and one is an entry of both.
    zeros = sp.coo_array((np.ones(3), ([0, 2, 5], [3, 7, 7])), shape=SHAPE)
    problem |= {"id": 42.0, "ed": "E. D.", "notes": np.array(["-" * 78, "First line", "", "third: \u00e4"]), "Zeros": sp.csc_matrix(zeros)}
    savemat("zeros.mat", {"Problem": problem}, do_compression=True)
    expected("zeros.mtx", sp.coo_array((np.append(vals, [0, 0]), (np.append(rows, [0, 2]), np.append(cols, [3, 7]))), shape=SHAPE))
    good = open("real-v6.mat", "rb").read()
    # ir is the only list of 11 numbers of 4 bytes.
    tag = struct.pack("<ii", 5, 44)
    at = good.rindex(tag) + 8
    write("wrong-index.mat", good[:at] + struct.pack("<i", 6) + good[at + 4 :])
    pointers = good.index(struct.pack("<ii", 5, 36)) + 8
    write("wrong-pointer.mat", good[: pointers + 4] + struct.pack("<i", 9) + good[pointers + 8 :])
    write("wrong-short.mat", good[:-8])
    savemat("wrong-several.mat", {"A": csc, "B": csc})
    savemat("wrong-none.mat", {"x": full, "s": "text"})


def petsc(name, matrix, index, value):
    csr = sp.csr_array(matrix)
    numbers = np.array([1211216, *csr.shape, csr.nnz], dtype=index).tobytes()
    numbers += np.diff(csr.indptr).astype(index).tobytes() + csr.indices.astype(index).tobytes()
    write(name, numbers + csr.data.astype(value).tobytes())


def petscs():
    petsc("real.petsc", real, ">i4", ">f8")
    petsc("real-64.petsc", real, ">i8", ">f8")
    petsc("complex.petsc", complex_, ">i4", ">c16")
    petsc("complex-64.petsc", complex_, ">i8", ">c16")
    petsc("single.petsc", whole, ">i4", ">f4")
    halves = sp.coo_array(((np.arange(11) + 1) / 2 + 1j * (np.arange(11) - 5.5), (rows, cols)), shape=SHAPE)
    petsc("halves.petsc", halves, ">i4", ">c8")
    expected("halves.mtx", halves)
    # Quadruple precision: sign, 15 bits of exponent, 112 of mantissa; a double's 52 are the first of them.
    bits = np.array([1.5, -2, 0.1, 1 / 3, 0.7, 1e30, -7.3, 5e-20, 9.1, 3.25, -0.75]).view(np.uint64)

    def quadruple(b):
        b = int(b)
        exponent = (b >> 52 & 0x7FF) - 1023 + 16383
        return (b >> 63 << 127 | exponent << 112 | (b & (1 << 52) - 1) << 60).to_bytes(16, "big")

    head = open("real.petsc", "rb").read()[: 4 * 4 + 6 * 4 + 11 * 4]
    write("wrong-quadruple.petsc", head + b"".join(quadruple(b) for b in bits))
    write("wrong-complex-quadruple.petsc", head + b"".join(quadruple(b) * 2 for b in bits))
    good = open("real.petsc", "rb").read()
    write("vector-behind.petsc", good + struct.pack(">ii3d", 1211214, 3, 1, 2, 3))
    dense = np.arange(12.0).reshape(3, 4)
    write("dense.petsc", struct.pack(">4i", 1211216, 3, 4, -1) + dense.astype(">f8").tobytes())
    columns = 16 + 4 * 6
    write("wrong-index.petsc", good[:columns] + struct.pack(">i", 8) + good[columns + 4 :])
    write("wrong-length.petsc", good[:16] + struct.pack(">i", 12) + good[20:])
    write("wrong-short.petsc", good[:-4])


def graphs():
    n = 8
    square = lambda values: sp.coo_array((values, (rows, cols)), shape=(n, n))
    expected("edges.mtx", square(np.ones(11)))
    expected("weighted.mtx", square(np.arange(1.0, 12) / 4))
    pairs = list(zip(rows.tolist(), cols.tolist()))
    snap = "# Directed graph (each unordered pair of nodes is saved once): test.txt\n# Nodes: 8 Edges: 11\n"
    write("snap.txt", snap + "# FromNodeId\tToNodeId\n" + "".join(f"{i}\t{j}\r\n" for i, j in pairs))
    write("konect.out", "% asym weighted\n" + "".join(f"{i + 1} {j + 1} {k / 4} 1234567\n" for k, (i, j) in enumerate(pairs, 1)))
    write("commas.el", "".join(f"{i},{j},{k / 4}\n" for k, (i, j) in enumerate(pairs, 1)).rstrip())
    write("source.csv", "source,target\n" + "".join(f"{i},{j}\n" for i, j in pairs))
    write("names.el", "# friends\nada bob\nbob  cy\nada cy\ncy ada\n")
    expected("names.mtx", sp.coo_array(np.array([[0.0, 1, 1], [0, 0, 1], [1, 0, 0]])))
    write("triplets.csv", "row,col,value\n" + "".join(f"{i},{j},{v!r}\n" for i, j, v in zip(rows, cols, vals.tolist())))
    write("semicolons.csv", "".join(f"{i + 1};{j + 1};{v!r}\n" for i, j, v in zip(rows, cols, vals.tolist())))
    # The example of METIS' manual, figure 8 (a) and (b), after a comment, with an isolated vertex behind it.
    write("plain.graph", "% a graph\n8 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n\n")
    write("weighted.graph", "8 11 011 2\n1 0 5 1 3 2 2 1\n2 1 1 1 3 2 4 1\n1 2 5 3 4 2 2 2 1 2\n1 1 2 1 3 2 6 2 7 5\n"
          "1 1 1 1 3 3 6 2\n9 9 5 2 4 2 7 6\n1 1 6 6 4 5\n0 0\n")
    weights = {(1, 5): 1, (1, 3): 2, (1, 2): 1, (2, 3): 2, (2, 4): 1, (3, 5): 3, (3, 4): 2, (4, 6): 2, (4, 7): 5,
               (5, 6): 2, (6, 7): 6}
    both = [(i, j, w) for (i, j), w in weights.items()] + [(j, i, w) for (i, j), w in weights.items()]
    i, j, w = np.array(both).T
    expected("graph.mtx", sp.coo_array((np.ones(22), (i - 1, j - 1)), shape=(n, n)))
    expected("graph-weights.mtx", sp.coo_array((w.astype(float), (i - 1, j - 1)), shape=(n, n)))
    write("wrong-word.el", "0 1\n1 2\n2 x\n")
    write("wrong-columns.el", "0 1 5\n1 2\n")
    write("wrong-many.el", "0 1\n1 2 7\n")
    write("wrong-large.el", "0 1\n1 3000000000\n")
    write("wrong-value.csv", "row,col,value\n0,0,1\n1,1,1,5\n")
    write("wrong-ambiguous.txt", "0,1,5\n1,2,6\n")
    write("wrong-text.txt", "Nothing but words\nis in here.\n")
    write("wrong-neighbour.graph", "3 2\n2\n1 4\n2\n")
    write("wrong-edges.graph", "3 3\n2\n1 3\n2\n")
    write("wrong-lines.graph", "4 2\n2\n1 3\n2\n")
    # This is an edge list as well as a METIS graph: a ring of four vertices.
    write("wrong-either", "4 4\n2 4\n1 3\n2 4\n1 3\n")


def frames():
    """Edge lists and tables as networkx and pandas write them, and R as its manual says of write.csv."""
    import networkx as nx
    import pandas as pd

    square = lambda values: sp.coo_array((values, (rows, cols)), shape=(8, 8))
    pairs = list(zip(rows.tolist(), cols.tolist()))
    graph = nx.DiGraph(pairs)
    graph.add_nodes_from(range(8))
    nx.write_edgelist(graph, "networkx.edgelist")
    for k, (i, j) in enumerate(pairs, 1):
        graph[i][j]["weight"] = k / 4
    nx.write_edgelist(graph, "networkx-weights.edgelist")
    nx.write_edgelist(graph, "networkx-commas.el", delimiter=",")
    # Some edges have other attributes, one has no weight, and one a number of NumPy's.
    graph[1][2]["colour"], graph[1][2]["solid"], graph[4][4]["size"] = "dark red", True, None
    graph[5][7]["weight"] = np.float64(graph[5][7]["weight"])
    del graph[3][0]["weight"]
    nx.write_edgelist(graph, "networkx-attributes.edgelist")
    attributed = nx.to_scipy_sparse_array(graph, nodelist=range(8))
    expected("attributes.mtx", attributed)
    named = nx.relabel_nodes(nx.DiGraph([(0, 1), (1, 2), (0, 2), (2, 0)]), ["ada", "bob", "cy"].__getitem__)
    nx.write_edgelist(named, "networkx-names.el")
    graph[1][2]["points"] = [(0, 1)]
    nx.write_edgelist(graph, "wrong-attributes.edgelist")
    frame = pd.DataFrame({"row": rows, "col": cols, "value": vals})
    frame.to_csv("pandas.csv")
    frame.set_index(frame.index.map(lambda k: f"line{k}")).to_csv("pandas-tabs.csv", sep="\t")
    pd.DataFrame({"source": rows, "target": cols, "weight": np.arange(1, 12) / 4}).to_csv("pandas-edges.csv")
    write("r.csv", '"","i","j","x"\n' + "".join(f'"{k}",{i + 1},{j + 1},{v!r}\n' for k, (i, j, v) in enumerate(zip(rows, cols, vals.tolist()), 1)))
    write("wrong-numbered.csv", ",row,col,value\n0,0,1,1\n1,1,1\n")


def binsparse(name, form, shape, arrays, values="float64", structure=None, group=None, **options):
    import h5py

    with h5py.File(name, "w") as file:
        place = file.create_group(group) if group else file
        what = {"version": "0.1", "format": form, "shape": list(shape), "number_of_stored_values": 11,
                "data_types": {"values": values}}
        if structure:
            what["structure"] = structure
        place.attrs["binsparse"] = json.dumps({"binsparse": what})
        for key, array in arrays.items():
            place.create_dataset(key, data=array, track_times=False, **options)


def h5s():
    import h5py

    csr, csc = sp.csr_array(real), sp.csc_array(real)
    by_rows = {"pointers_to_1": csr.indptr.astype(np.uint64), "indices_1": csr.indices.astype(np.uint32), "values": csr.data}
    binsparse("csr.bsp.h5", "CSR", SHAPE, by_rows)
    binsparse("packed.bsp.h5", "CSR", SHAPE, by_rows, compression="gzip")
    binsparse("group.bsp.h5", "CSR", SHAPE, by_rows, group="inner")
    binsparse("csc.bsp.h5", "CSC", SHAPE, {"pointers_to_1": csc.indptr, "indices_1": csc.indices, "values": csc.data})
    binsparse("coo.bsp.h5", "COO", SHAPE, {"indices_0": rows, "indices_1": cols, "values": vals})
    full = np.flatnonzero(np.diff(csr.indptr))
    binsparse("dcsr.bsp.h5", "DCSR", SHAPE,
              {"indices_0": full, "pointers_to_1": np.append(csr.indptr[full], 11), "indices_1": csr.indices, "values": csr.data})
    pairs = np.array([complex_.data.real, complex_.data.imag]).T.ravel()
    binsparse("complex.bsp.h5", "COO", SHAPE, {"indices_0": rows, "indices_1": cols, "values": pairs}, "complex[float64]")
    binsparse("iso.bsp.h5", "COO", SHAPE, {"indices_0": rows, "indices_1": cols, "values": np.ones(1)}, "iso[float64]")
    low = sp.csr_array(lower)
    binsparse("symmetric.bsp.h5", "CSR", (6, 6), {"pointers_to_1": low.indptr, "indices_1": low.indices, "values": low.data},
              structure="symmetric_lower")
    binsparse("wrong-index.bsp.h5", "COO", SHAPE, {"indices_0": rows + 1, "indices_1": cols, "values": vals})
    binsparse("wrong-part.bsp.h5", "CSR", SHAPE, {"pointers_to_1": csr.indptr, "values": csr.data})
    binsparse("wrong-format.bsp.h5", "ELL", SHAPE, by_rows)
    with h5py.File("wrong-plain.h5", "w") as file:
        file.create_dataset("x", data=np.ones(3), track_times=False)
    def sparse(place, matrix):
        matrix = sp.csc_array(matrix)
        place.attrs["MATLAB_sparse"] = np.uint64(matrix.shape[0])
        place.attrs["MATLAB_class"] = np.bytes_("double")
        place.create_dataset("data", data=matrix.data.astype(float), track_times=False)
        place.create_dataset("ir", data=matrix.indices.astype(np.uint64), track_times=False)
        place.create_dataset("jc", data=matrix.indptr.astype(np.uint64), track_times=False)

    def characters(place, name, lines, **options):
        """As MATLAB has them: units of UTF-16, column by column."""
        units = [np.frombuffer(line.encode("utf-16-le"), np.uint16) for line in lines]
        table = np.array([np.pad(line, (0, max(map(len, units)) - len(line)), constant_values=32) for line in units])
        place.create_dataset(name, data=table.T, track_times=False, **options)
        place[name].attrs["MATLAB_class"] = np.bytes_("char")

    def header(name):
        with open(name, "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, written by h5py".ljust(124) + b"\x00\x02IM")

    with h5py.File("real-v73.mat", "w", userblock_size=512) as file:
        sparse(file.create_group("Problem/A"), csc)
        sparse(file.create_group("Problem/aux/C"), whole)
    header("real-v73.mat")
    with h5py.File("zeros-v73.mat", "w", userblock_size=512) as file:
        problem = file.create_group("Problem")
        sparse(problem.create_group("A"), csc)
        sparse(problem.create_group("Zeros"), sp.coo_array((np.ones(3), ([0, 2, 5], [3, 7, 7])), shape=SHAPE))
        characters(problem, "title", ["A matrix \U0001d538 for \u00e4ll"], compression="gzip")
        characters(problem, "notes", ["-" * 78, "First line", "", "third: \U0001d538\u00e4"])
        characters(problem, "ed", ["E. D."])
        problem.create_dataset("author", data=np.zeros(2, np.uint64), track_times=False)
        problem["author"].attrs["MATLAB_class"] = np.bytes_("char")
        problem["author"].attrs["MATLAB_empty"] = np.int32(1)
        problem.create_dataset("id", data=np.full((1, 1), 42.0), track_times=False)
        problem["id"].attrs["MATLAB_class"] = np.bytes_("double")
        problem.create_dataset("kind", data=np.ones((2, 2, 2), np.uint16), track_times=False)
        problem["kind"].attrs["MATLAB_class"] = np.bytes_("char")
    header("zeros-v73.mat")


npz()
boeings()
mats()
petscs()
graphs()
frames()
h5s()
