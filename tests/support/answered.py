#!/usr/bin/env python3
"""Hold analyses of `sparsight report` against SciPy, NumPy and exact fractions: level sets, colours, dense blocks, sparse products, precisions
with the errors of their products, and products of half storage.

    answered.py PROGRAM MATRIX...   works in the current folder; 77 without NumPy or SciPy

A MATRIX is gen:SPEC, or a file that SciPy reads. Each number is found in another way than by the program:

- levels by peeling: all rows whose lower rows are gone leave together, found with products of SciPy;
- colours by sets of neighbours; with networkx too, where this Python has it;
- blocks of a size by scipy.sparse's tobsr, groups of rows by comparing patterns as tuples;
- sparse products by SciPy with ones as values;
- roundings by fractions, which have no rounding of their own; errors of products by exact sums of them;
- products of half storage by numpy's y = A x, which the report compares with those of its kernels.
"""
import json
import math
import subprocess
import sys
from fractions import Fraction

try:
    import numpy as np
    import scipy.io
    import scipy.sparse as sp
except ImportError as missing:
    print(missing)
    sys.exit(77)
try:
    import networkx
except ImportError:
    networkx = None

PROGRAM = sys.argv[1]
MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
# bits of the significand, exponent of the smallest number, exponent beyond the largest, parts
TYPES = {"f64": (53, -1074, 1024, 1), "f32": (24, -149, 128, 1), "bf16": (8, -133, 128, 1), "fp16": (11, -24, 16, 1),
         "f32x2": (24, -149, 128, 2), "bf16x2": (8, -133, 128, 2), "bf16x3": (8, -133, 128, 3)}
PRODUCTS = {"A A": lambda a: a @ a, "A^T A": lambda a: a.T @ a, "A A^T": lambda a: a @ a.T}


def mix(h):
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    h = (h ^ (h >> 27)) * 0x94D049BB133111EB & MASK
    return h ^ (h >> 31)


def random_x(n):
    """The vector of checks, seed 1: SplitMix64 by position, with magnitudes from 1/2 to 1; rounded to f32."""
    key = mix((mix((1 + STEP) & MASK) + STEP) & MASK)
    values = ((2 * (mix((key + (j + 1) * STEP) & MASK) >> 12) + 1) * 2.0 ** -52 - 1 for j in range(n))
    return [float(np.float32(v / 2 + math.copysign(0.5, v))) for v in values]


def rounded(value, bits, least, most):
    """A fraction rounded to the nearest number of a type, ties to even; None if it overflows."""
    if value == 0:
        return Fraction(0)
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - bits + 1, least)
    result = round(size / unit) * unit  # Python rounds ties to even
    if result >= Fraction(2) ** most:
        return None
    return result if value > 0 else -result


def parts_of(value, kind):
    bits, least, most, count = TYPES[kind]
    parts, rest = [], Fraction(value)
    for _ in range(count):
        part = rounded(rest, bits, least, most)
        if part is None:
            return None
        parts.append(part)
        rest -= part
    return parts


def load(name):
    path = name
    if name.startswith("gen:"):
        path = "answered.mtx"
        subprocess.run([PROGRAM, "gen", "-o", path, name[4:]], check=True)
    a = sp.csr_matrix(scipy.io.mmread(path))
    a.sum_duplicates()
    a.sort_indices()
    return path, a


def report(*words):
    output = subprocess.run([PROGRAM, "report", "--format=json", *words], check=True, capture_output=True).stdout
    return json.loads(output)["matrices"][0]


def same(faults, what, found, expected, tolerance=0.0):
    if found is None or expected is None or isinstance(expected, int):
        good = found == expected
    else:
        good = abs(found - expected) <= tolerance * abs(expected)
    if not good:
        faults.append(f"{what}: {found}, and not {expected}")


def levels(faults, told, a):
    for key, triangle in (("lower_triangle", sp.tril(a, -1)), ("upper_triangle", sp.triu(a, 1))):
        pattern = sp.csr_matrix((np.ones(triangle.nnz), (triangle.tocoo().row, triangle.tocoo().col)), a.shape)
        waits, left, sizes = pattern @ np.ones(a.shape[0]), np.ones(a.shape[0], bool), []
        while left.any():
            ready = left & (waits == 0)
            sizes.append(int(ready.sum()))
            left &= ~ready
            waits -= pattern @ ready
        rows = sorted(size for size in sizes for _ in range(size))
        same(faults, f"{key}.entries", told[key]["entries"], pattern.nnz)
        same(faults, f"{key}.levels", told[key]["levels"], len(sizes))
        same(faults, f"{key}.largest_level", told[key]["largest_level"], max(sizes))
        same(faults, f"{key}.median_level", told[key]["median_level"], rows[len(rows) // 2])


def greedy(graph, order):
    colour = {}
    for i in order:
        taken = {colour[j] for j in graph[i] if j in colour}
        colour[i] = next(c for c in range(len(taken) + 1) if c not in taken)
    return colour


def colours(faults, told, a):
    n = a.shape[0]
    pattern = sp.csr_matrix((np.ones(a.nnz), a.indices, a.indptr), a.shape)
    both = (pattern + pattern.T).tocsr()
    graph = [set(both.indices[both.indptr[i]:both.indptr[i + 1]].tolist()) - {i} for i in range(n)]
    colour = greedy(graph, range(n))
    counts = np.bincount(list(colour.values()))
    same(faults, "colours.count", told["count"], len(counts))
    same(faults, "colours.largest", told["largest"], int(counts.max()))
    same(faults, "colours.smallest", told["smallest"], int(counts.min()))
    order = sorted(range(n), key=lambda i: -len(graph[i]))
    same(faults, "colours.by_degree", told["by_degree"], 1 + max(greedy(graph, order).values()))
    if not 1 + max(0, *map(len, graph)) >= told["at_random"] >= 1:
        faults.append(f"colours.at_random: {told['at_random']}")
    if networkx:
        edges = networkx.Graph()
        edges.add_nodes_from(range(n))
        edges.add_edges_from((i, j) for i in range(n) for j in graph[i])
        again = networkx.greedy_color(edges, strategy=lambda g, c: list(range(n)))
        same(faults, "colours.count (networkx)", told["count"], 1 + max(again.values()))


def groups_of(lines):
    """The sizes of groups of equal consecutive lines that are not empty."""
    sizes, before = [], ()
    for line in lines:
        if line and line == before:
            sizes[-1] += 1
        elif line:
            sizes.append(1)
        before = line
    return sizes


def patterns(a):
    return [tuple(a.indices[a.indptr[i]:a.indptr[i + 1]].tolist()) for i in range(a.shape[0])]


def block_count(a, r, c):
    shape = (-(-a.shape[0] // r) * r, -(-a.shape[1] // c) * c)
    larger = sp.coo_matrix((np.ones(a.nnz), (a.tocoo().row, a.tocoo().col)), shape).tocsr()
    return larger.tobsr((r, c)).indices.size


def blocks(faults, told, a):
    by_size = {(r, c): block_count(a, r, c) for r in range(1, 9) for c in range(1, 9)}
    best = min(by_size, key=lambda size: (by_size[size] * (4 + 8 * size[0] * size[1]), *size))
    same(faults, "dense_blocks.rows", told["rows"], best[0])
    same(faults, "dense_blocks.cols", told["cols"], best[1])
    same(faults, "dense_blocks.count", told["count"], by_size[best])
    same(faults, "dense_blocks.fill", told["fill"], 1 - a.nnz / (by_size[best] * best[0] * best[1]), 1e-12)
    lines = patterns(a)
    for key, sizes in (("row", groups_of(lines)), ("col", groups_of(patterns(a.T.tocsr())))):
        same(faults, f"dense_blocks.{key}_groups", told[f"{key}_groups"], len(sizes))
        same(faults, f"dense_blocks.largest_{key}_group", told[f"largest_{key}_group"], max(sizes))
    first, sizes, unions = None, [], []
    for line in map(set, lines):
        if line and first and len(line & first) >= 0.8 * math.sqrt(len(line) * len(first)) - 1e-12:
            sizes[-1] += 1
            unions[-1] |= line
        elif line:
            sizes.append(1)
            unions.append(set(line))
            first = line
        else:
            first = None
    same(faults, "dense_blocks.similar_groups", told["similar_groups"], len(sizes))
    same(faults, "dense_blocks.largest_similar_group", told["largest_similar_group"], max(sizes))
    positions = sum(size * len(union) for size, union in zip(sizes, unions))
    same(faults, "dense_blocks.similar_fill", told["similar_fill"], 1 - a.nnz / positions, 1e-12)


def sparse_products(faults, told, a):
    ones = sp.csr_matrix((np.ones(a.nnz), a.indices, a.indptr), a.shape)
    for row in told:
        c = PRODUCTS[row["product"]](ones).tocsr()
        same(faults, f"{row['product']}: nnz", row["nnz"], c.nnz)
        same(faults, f"{row['product']}: multiplications", row["multiplications"], int(c.sum()))
        same(faults, f"{row['product']}: longest", row["longest"], int(np.diff(c.indptr).max()))
        same(faults, f"{row['product']}: most", row["most_multiplications"], int(c.sum(axis=1).max()))
    same(faults, "products", len(told), 3 if a.shape[0] == a.shape[1] else 2)


def roundings(faults, told, a):
    x, exact = random_x(a.shape[1]), [Fraction(v) for v in a.data.tolist()]
    for row in told:
        kind, stored = row["type"], [parts_of(v, row["type"]) for v in exact]
        sums = [None if parts is None else sum(parts) for parts in stored]
        if kind in ("f32", "fp16"):  # NumPy's types are a third way
            narrow = a.data.astype(np.float32 if kind == "f32" else np.float16)
            assert all((s is None and not np.isfinite(v)) or s == Fraction(float(v)) for s, v in zip(sums, narrow))
        same(faults, f"{kind}: exact", row["exact"], sum(s == v for s, v in zip(sums, exact)) / len(exact), 1e-12)
        same(faults, f"{kind}: infinite", row["infinite"], sum(s is None for s in sums))
        same(faults, f"{kind}: zero", row["zero"], sum(s == 0 and v != 0 for s, v in zip(sums, exact)))
        largest = max((abs((s - v) / v) for s, v in zip(sums, exact) if s is not None and v != 0), default=0)
        same(faults, f"{kind}: largest", row["largest"], float(largest), 1e-9)
        worst, worst_f32, square, whole = Fraction(0), Fraction(0), Fraction(0), Fraction(0)
        for i in range(a.shape[0]):
            f64, f32, r, g = 0.0, np.float32(0), Fraction(0), Fraction(0)
            for k in range(a.indptr[i], a.indptr[i + 1]):
                xk = x[a.indices[k]]
                r += exact[k] * Fraction(xk)
                g += abs(exact[k] * Fraction(xk))
                if sums[k] is None:
                    continue
                f64 += float(sums[k]) * xk
                for part in stored[k]:
                    f32 += np.float32(float(part)) * np.float32(xk)
            if g:
                worst = max(worst, abs(Fraction(f64) - r) / g)
                worst_f32 = max(worst_f32, abs(Fraction(float(f32)) - r) / g) if np.isfinite(f32) else math.inf
            square += (Fraction(f64) - r) ** 2
            whole += r * r
        if row["infinite"]:
            same(faults, f"{kind}: max_error", row["max_error"], None)
            continue
        same(faults, f"{kind}: max_error", row["max_error"], float(worst), 1e-6)
        same(faults, f"{kind}: norm_error", row["norm_error"], math.sqrt(square / whole) if whole else None, 1e-6)
        if kind != "f64":
            same(faults, f"{kind}: f32_max_error", row["f32_max_error"], None if worst_f32 == math.inf else float(worst_f32), 1e-6)
    same(faults, "types", sorted(row["type"] for row in told) == sorted(TYPES), True)


def half_storage(faults, path, a):
    """Products with half storage have NumPy's y. Returns whether the matrix has such storage."""
    mirrored = a.shape[0] == a.shape[1] and (abs(a - a.T).nnz == 0 or abs(a + a.T).nnz == 0)
    x = np.random.default_rng(5).uniform(0.5, 1, a.shape[1])
    scipy.io.mmwrite("x.mtx", x[:, None], precision=17)
    scipy.io.mmwrite("b.mtx", (a @ x)[:, None], precision=17)
    told = report("--only=matrix", "--kernels=cpu/sss-*", "--repeat=1", "--limit=8M", "--threads=3", "--x=x.mtx", "--b=b.mtx", path)
    for run in told["kernels"]:
        if not mirrored and run["unavailable"]:
            continue
        if run["residual"] is None or run["residual"] > 1e-14:
            faults.append(f"{run['kernel']}: residual {run['residual']}, {run['reason']}")
    return mirrored


def compare(name):
    faults = []
    path, a = load(name)
    told = report("--only=matrix", "--structure", "--spgemm", "--rounding", path)
    if a.shape[0] == a.shape[1]:
        levels(faults, told, a)
        colours(faults, told["colours"], a)
    blocks(faults, told["dense_blocks"], a)
    sparse_products(faults, told["spgemm"], a)
    if told["field"] != "pattern":
        with np.errstate(all="ignore"):
            roundings(faults, told["rounding"], a)
    mirrored = half_storage(faults, path, a)
    print(f"{'not ok' if faults else 'ok'} {name}{', half storage' if mirrored else ''}")
    for fault in faults:
        print("   ", fault)
    return not faults, mirrored


results = [compare(name) for name in sys.argv[2:]]
print(f"{len(results)} matrices, {sum(mirrored for _, mirrored in results)} with half storage")
sys.exit(not all(good for good, _ in results))
