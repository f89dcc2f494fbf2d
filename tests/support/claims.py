#!/usr/bin/env python3
"""Compare the sentences of formats and kernels on their speed with the newest measured tables: claims.py PAGE MEASURED.

PAGE is sparsight-formats(7), MEASURED the folder data/measured, of which the newest times-h200-*.tsv, bench-gpu-h200-*.txt and
tuning-cpu-*.tsv count. Each sentence of a format or kernel that has one of the words fast, faster, fastest or slower needs a
claim here; each claim's sentence must stand in the page. Prints each claim with what was measured; ends with 1 if one does not hold."""
import collections
import csv
import glob
import re
import statistics
import sys

page, measured = sys.argv[1:3]
newest = lambda pattern: max(glob.glob(f"{measured}/{pattern}"))

# Times of a product in microseconds by matrix and state of the caches, the best of a kernel's parameters. Matrices that the
# fastest kernels were not timed on say nothing of the others.
times, mean = collections.defaultdict(dict), {}
with open(newest("times-h200-*.tsv"), encoding="utf-8") as table:
    for row in csv.DictReader(table, delimiter="\t"):
        time, of = float(row["median us"]), times[row["matrix"], row["caches"]]
        of[row["kernel"]] = min(time, of.get(row["kernel"], time))
        mean[row["matrix"]] = int(row["entries"]) / int(row["rows"])
times = {key: of for key, of in times.items() if {"cuda/csr-segmented", "cuda/csr-balanced", "cuda/sell"} <= of.keys()}

# The fastest kernel of each large matrix, by precision, and the gain of CMRS over a warp a row.
Large = collections.namedtuple("Large", "matrix kind precision best")
with open(newest("bench-gpu-h200-*.txt"), encoding="utf-8") as table:
    bench = table.read()
large = [Large(m[1], m[2], m[3], "cuda/" + m[4]) for m in re.finditer(
    r"^(\S+) +(\S+) +(f64|f32) .* us +[\d.]+  ([a-z-]+):\S* +[\d.]+ us +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+$", bench, re.M)]
gains = [float(gain) for gain in re.findall(r"cmrs:height=\d+ is ([\d.]+) times as fast as csr-vector:threads=32", bench)]

# Seconds on processors: the best variant of each kernel on each matrix.
seconds = collections.defaultdict(dict)
with open(newest("tuning-cpu-*.tsv"), encoding="utf-8") as table:
    for row in csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t"):
        time, of = float(row["seconds"]), seconds[row["matrix"]]
        of[row["kernel"]] = min(time, of.get(row["kernel"], time))
assert len(times) > 60 and len(large) > 60 and len(gains) > 20, (len(times), len(large), len(gains))


def cases(caches=None, where=lambda matrix: True):
    return [of for (matrix, state), of in times.items() if caches in (None, state) and where(matrix)]


def share(conditions):
    conditions = list(conditions)
    assert conditions
    return sum(conditions) / len(conditions)


def fastest(kernel, *which):
    """The share of these cases in which the kernel is the fastest of all, cuSPARSE's too."""
    return share(of.get(kernel) == min(of.values()) for of in cases(*which))


def slowdown(kernel, *which):
    """Its times / those of the fastest kernel, sorted."""
    return sorted(of[kernel] / min(of.values()) for of in cases(*which) if kernel in of)


def faster(a, b, *which):
    """The share of cases with both in which a is faster than b."""
    return share(of[a] < of[b] for of in cases(*which) if a in of and b in of)


def best_large(kernels, where):
    return share(one.best in kernels for one in large if where(one))


def named(word):
    return lambda matrix: matrix.startswith("gen:" + word)


FULL = ("stencil27-128", "laplace2d-2000", "laplace2d-3000", "band-7")  # stencils and a band with full diagonals
C = "cuda/"
# The kernel; a part of a sentence; the measurement; and whether it agrees with the sentence.
CLAIMS = [
    (C + "csr-scalar", "takes less than 1.5 times as long as the fastest kernel",
     lambda: statistics.median(slowdown(C + "csr-scalar", None, lambda m: mean[m] < 3.1)), lambda x: x < 1.5),
    (C + "csr-vector", "often the fastest kernel where caches hold the matrix", lambda: fastest(C + "csr-vector", "warm"),
     lambda x: x > 0.2),
    (C + "csr-segmented", "the fastest kernel on many of them", lambda: fastest(C + "csr-segmented", "warm"), lambda x: x > 0.3),
    (C + "csr-segmented", "takes less than twice as long as the fastest on most others",
     lambda: share(1 < x < 2 for x in slowdown(C + "csr-segmented", "warm") if x > 1), lambda x: x > 0.85),
    (C + "csr-segmented", "Large ones have faster kernels", lambda: fastest(C + "csr-segmented", "cold"), lambda x: x < 0.1),
    (C + "csr-balanced", "it or sell is the fastest kernel on most matrices",
     lambda: best_large({C + "csr-balanced", C + "sell"}, lambda one: True), lambda x: x > 0.7),
    (C + "csr-swept", "the fastest kernel on large R-MAT and random graphs",
     lambda: best_large({C + "csr-swept"}, lambda one: one.kind == "rmat" or one.matrix == "random"), lambda x: x == 1),
    (C + "coo-atomic", "other kernels are faster on every matrix that was measured", lambda: fastest(C + "coo-atomic"),
     lambda x: x == 0),
    (C + "coo-segmented", "R-MAT graphs larger than the caches, on which only csr-swept is sometimes faster",
     lambda: [fastest(C + kernel, "cold", named("powerlaw")) for kernel in ("coo-segmented", "csr-swept")],
     lambda x: sum(x) == 1 and 0 < x[1] < 1),
    (C + "coo-segmented", "csr-segmented is faster", lambda: faster(C + "csr-segmented", C + "coo-segmented", "warm"),
     lambda x: x > 0.95),
    (C + "csc-atomic", "other kernels are faster on every matrix that was measured", lambda: fastest(C + "csc-atomic"),
     lambda x: x == 0),
    (C + "dia", "the fastest kernel on these in single precision",
     lambda: best_large({C + "dia"}, lambda one: one.matrix in FULL and one.precision == "f32"), lambda x: x == 1),
    (C + "dia", "In double precision sell is faster where few values differ",
     lambda: best_large({C + "sell"}, lambda one: one.kind == "stencil" and one.precision == "f64"), lambda x: x == 1),
    (C + "sell", "the fastest kernel on most finite elements and, in double precision, on stencils of few values",
     lambda: (best_large({C + "sell"}, lambda one: one.kind == "elements"),
              best_large({C + "sell"}, lambda one: one.kind == "stencil" and one.precision == "f64")),
     lambda x: x[0] > 0.7 and x[1] == 1),
    (C + "cmrs", "With short rows it is faster than a warp a row", lambda: min(gains), lambda x: x > 1),
    (C + "cmrs", "never the fastest kernel on matrices with three to eight entries a row",
     lambda: (fastest(C + "cmrs", None, lambda m: 3 <= mean[m] <= 8), len(cases(None, lambda m: 3 <= mean[m] <= 8))),
     lambda x: x[0] == 0 and x[1] > 15),
    (C + "cmrs-padded", "there only csr-swept is faster",
     lambda: [{k for k in of if of[k] < of[C + "cmrs-padded"]} for of in cases("cold", named("random")) if C + "cmrs-padded" in of],
     lambda x: x and all(faster == {C + "csr-swept"} for faster in x)),
    (C + "cmrs-padded", "plain cmrs is usually faster where caches hold the matrix",
     lambda: faster(C + "cmrs", C + "cmrs-padded", "warm"), lambda x: x > 0.6),
    (C + "hyb", "other kernels are faster on nearly every matrix that was measured", lambda: fastest(C + "hyb"), lambda x: x < 0.03),
    (C + "hyb-fused", "slower than hyb on most matrices", lambda: faster(C + "hyb", C + "hyb-fused"), lambda x: x > 0.7),
    (C + "hyb-host", "nearly always slower than hyb",
     lambda: share(of[C + "hyb-host"] > of[C + "hyb"] for of in cases() if of.get(C + "hyb-host", 0) > 1.1 * of.get(C + "ell-padded", 0)),
     lambda x: x > 0.9),
    (C + "jds", "sell, which sorts within windows, is faster", lambda: faster(C + "sell", C + "jds"), lambda x: x == 1),
    (C + "jds-sections", "jds is usually faster", lambda: faster(C + "jds", C + "jds-sections"), lambda x: x > 0.6),
    (C + "ell-padded", "sell is usually faster", lambda: faster(C + "sell", C + "ell-padded"), lambda x: x > 0.8),
    (C + "ell-masked", "ell-bounded is usually faster", lambda: faster(C + "ell-bounded", C + "ell-masked"), lambda x: x > 0.8),
    ("cusparse/csr-alg2", "slower than csr-alg1", lambda: faster("cusparse/csr-alg1", "cusparse/csr-alg2"), lambda x: x == 1),
    ("cusparse/coo-alg2", "nearly always slower than coo-alg1", lambda: faster("cusparse/coo-alg1", "cusparse/coo-alg2"), lambda x: x > 0.95),
    ("cusparse/coo-alg1", "it or cuSPARSE's sell is the fastest of the library",
     lambda: share(min((k for k in of if k.startswith("cusparse/")), key=of.get) in ("cusparse/coo-alg1", "cusparse/sell")
                   for of in cases("warm")), lambda x: x > 0.9),
    ("cpu/cmrs-omp", "SELL is usually faster",
     lambda: share(of["cpu/sell-omp"] < of["cpu/cmrs-omp"] for of in seconds.values()), lambda x: x > 0.5),
    ("cmrs", "On an H200 other formats are mostly faster with three to eight entries a row",
     lambda: fastest(C + "cmrs", None, lambda m: 3 <= mean[m] <= 8) + fastest(C + "cmrs-padded", None, lambda m: 3 <= mean[m] <= 8),
     lambda x: x < 0.1),
    ("csc", "rarely the fastest", lambda: fastest(C + "csc-atomic"), lambda x: x < 0.1),
]

with open(page, encoding="utf-8") as manual:
    text = manual.read()
items = re.findall(r"^\.It Li (\S+)\n(.*?)(?=^\.It |^\.El)", text, re.M | re.S)
items += re.findall(r"^\.Ss [^\n]*\((\w+)\)\n(.*?)(?=^The arrays of)", text, re.M | re.S)
texts = {kernel: re.sub(r"\s+", " ", re.sub(r"^\.\S+.*$", "", text.replace("\\&", ""), flags=re.M)) for kernel, text in items}
wrong = []
for kernel, sentence, measure, holds in CLAIMS:
    if sentence not in texts[kernel]:
        wrong.append(f"{kernel} does not say: {sentence}")
        continue
    found = measure()
    print(f"{kernel}: {sentence}: {found}")
    if not holds(found):
        wrong.append(f"{kernel} says '{sentence}', and that is not so: {found}")
for kernel, text in texts.items():
    for sentence in re.split(r"(?<=\.) ", text):
        if not re.search(r"\b(fast|faster|fastest|slower)\b", sentence):
            continue
        if not any(kernel == of and part in sentence for of, part, _, _ in CLAIMS):
            wrong.append(f"{kernel}: no claim holds: {sentence}")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
