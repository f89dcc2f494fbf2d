#!/usr/bin/env python3
"""products.py COUNTS [OPTION]...: fit the paces of kernels in products with several vectors and with A^T to measured times, and say how
far forecasts are off for matrices that were held out. COUNTS is the program product_counts.

products.py --reports=FOLDER --tsv=FILE: make the table of times of sparsight's reports in JSON, which `report --kernels=all --columns=K`
wrote on a GPU. Every third matrix, by name, is held out.

The constants of time.c stay as they are. For each kernel and kind of product the members of a pace that matter are fitted: what is
minimised is the mean of fit.rho over rows and of PRIOR log(member / where it starts)^2, by a search along each member in turn.
"""
import argparse
import csv
import glob
import json
import math
import os
import re
import subprocess
import sys

import figures
import fit
import model
import reports

KINDS = ("rows", "columns", "transposed", "transposed-rows", "transposed-columns", "windows", "straight")
FITTED = ("turn", "request", "start", "moved")
START = {"turn": 2.0, "request": 0.5, "start": 1.0, "moved": 1.0}
PRIOR = 1e-4
STEPS = (0.8, 0.4, 0.2, 0.1, 0.05, 0.02)
COLUMNS = ("run", "matrix", "product", "kernel", "caches", "median us")


class Row:
    def __init__(self, line):
        self.matrix, self.product, self.kernel = line["matrix"], line["product"], line["kernel"]
        self.held, self.cold = line["run"] != reports.FITTED, line["caches"] == "cold"
        self.measured = float(line["median us"])
        self.counts = self.kind = self.predicted = None

    @property
    def own(self):
        return not self.kernel.startswith("cusparse/")

    @property
    def error(self):
        return self.predicted / self.measured - 1


def table_of(folder):
    """The rows of reports: those of kernels with their defaults, as forecasts are, in double precision."""
    rows, matrices = [], set()
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as file:
            try:
                found = json.load(file)["matrices"]
            except (ValueError, KeyError):
                print("%s: no report" % path, file=sys.stderr)
                continue
        for about in found:
            timing, matrix = about["timing"], about["path"] if about["path"].startswith("gen:") else os.path.basename(about["path"])
            if not timing or (timing["product"] == "A" and timing["columns"] == 1):
                continue
            product = "%s,%d,%s" % (timing["product"], timing["columns"], timing["layout"])
            matrices.add(matrix)
            for kernel in about["kernels"]:
                if kernel["median_us"] and kernel["precision"] == "f64" and kernel["backend"] in ("cuda", "cusparse"):
                    rows.append((matrix, product, kernel["kernel"], "cold" if timing["cold"] else "warm", "%.4g" % kernel["median_us"]))
    held = set(sorted(matrices)[2::3])
    return [(("held out" if row[0] in held else reports.FITTED),) + row for row in rows]


def table_of_best(path):
    """The rows of the table of the fastest kernels, gpu-products-*.txt; those of its later run where both have one."""
    best = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = re.match(r"(\S+)\s+(A|At)\s+(\d+)\s+(rows|columns|-)\s+(cuda/\S+)\s+([\d.]+)\s+(cusparse/\S+)\s+([\d.]+)", line)
            if found:
                matrix, which, vectors, layout, own, us, library, library_us = found.groups()
                product = "%s,%s,%s" % (which, vectors, "columns" if layout == "-" else layout)
                best[matrix, product, own], best[matrix, product, library] = us, library_us
    held = set(sorted({key[0] for key in best})[2::3])
    return [Row(dict(zip(COLUMNS, ("held out" if key[0] in held else reports.FITTED,) + key + ("warm", us)))) for key, us in best.items()]


def count(rows, options):
    """Fill in the counts; rows without any are left out."""
    matrices = {}
    for row in rows:
        matrices.setdefault(row.matrix, []).append(row)
    for matrix, some in matrices.items():
        source = reports.source_of(matrix, options.matrices)
        if source is None:
            print("Left out, since it is not there: %s" % matrix)
            continue
        products = sorted({row.product for row in some})
        counts = json.loads(reports.run([options.program, options.gpu, source] + products))
        for row in some:
            found = counts[row.product].get(row.kernel)
            row.counts, row.kind = found and found[row.cold], found and found[2]
    return [row for row in rows if row.counts]


def constants():
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, os.pardir, os.pardir, "src", "analysis", "forecast", "time.c"), encoding="utf-8") as file:
        text = file.read()
    return [float(re.search(r"\.%s = ([0-9.e+-]+)," % name, text).group(1)) for name in model.CONSTANTS]


def seconds(of_gpu, pace, counts):
    return of_gpu.seconds((pace["turn"], pace["request"], 0.0, pace["start"], pace["moved"], 0.0, 1.0), counts)


def fit_pace(of_gpu, rows, start):
    """The pace that fits these rows best."""
    def cost(pace):
        some = [fit.rho(math.log(seconds(of_gpu, pace, row.counts) / (1e-6 * row.measured))) for row in rows]
        return math.fsum(some) / len(some) + PRIOR * math.fsum(math.log(pace[name] / start[name]) ** 2 for name in FITTED)

    pace = dict(start)
    best = cost(pace)
    for step in STEPS:
        gained = True
        while gained:
            gained = False
            for name in FITTED:
                for by in (step, -step):
                    there = dict(pace, **{name: pace[name] * math.exp(by)})
                    now = cost(there)
                    if now < best * (1 - 1e-5):
                        best, pace, gained = now, there, True
    return pace


def chosen_of(rows):
    """For each matrix and product, best / chosen: the time of the fastest kernel beside that of the one that is forecast fastest."""
    groups = {}
    for row in rows:
        groups.setdefault((row.matrix, row.product, row.cold), []).append(row)
    return {key: min(row.measured for row in some) / min(some, key=lambda row: row.predicted).measured
            for key, some in groups.items() if len(some) > 1}


def say(name, rows):
    if not rows:
        return
    some = [abs(row.error) for row in rows]
    chosen = list(chosen_of(rows).values())
    line = "%-34s %5d rows  error median %5.1f%%  p90 %5.1f%%" % (name, len(rows), 100 * figures.quantile(some, 0.5), 100 * figures.quantile(some, 0.9))
    if chosen:
        line += "  best / chosen %.3f mean, %.3f worst" % (math.exp(math.fsum(map(math.log, chosen)) / len(chosen)), min(chosen))
    print(line)


def short(value):
    return "%.3g" % value


def spread(rows):
    """The 10% and the 90% quantile of measured / forecast."""
    some = [row.measured / row.predicted for row in rows]
    return figures.quantile(some, 0.1), figures.quantile(some, 0.9)


def stand_in(paces):
    """Vectors of A^T by columns are turned to rows, and padding is masked by the same loops: what was not measured has their pace."""
    for kernel, kind in list(paces):
        if kind == "transposed-rows":
            paces.setdefault((kernel, "transposed-columns"), paces[kernel, kind])
    for kernel, kind in list(paces):
        if kernel == "cuda/ell-padded":
            paces.setdefault(("cuda/ell-masked", kind), paces[kernel, kind])


def read_paces(path):
    with open(path, encoding="utf-8") as file:
        found = re.findall(r'\{"([^"]+)",\s*PRODUCT_(\w+),\s*\{([^}]*)\}', file.read())
    return {(kernel, kind.lower().replace("_", "-")): {name: float(value) for name, value in re.findall(r"\.(\w+) = ([0-9.e+-]+)", pace)}
            for kernel, kind, pace in found}


def write(path, paces, low, high):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = ['    {"%s", PRODUCT_%s, {%s}},\n' % (
        kernel, kind.upper().replace("-", "_"), ", ".join(".%s = %s" % (name, short(pace[name])) for name in FITTED))
             for (kernel, kind), pace in sorted(paces.items())]
    start, end = text.index("product_paces[] = {\n") + len("product_paces[] = {\n"), text.rindex("    {0},\n")
    text = text[:start] + "".join(lines) + text[end:]
    text = re.sub(r"product_spread_gpu = \{[^}]*\}", "product_spread_gpu = {%s, %s}" % (short(low), short(high)), text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.join(here, os.pardir, os.pardir)
    parser = argparse.ArgumentParser(description="Fit and check forecasts of products with several vectors and with A^T.")
    parser.add_argument("program", nargs="?", help="product_counts")
    parser.add_argument("--reports", help="make the table of the reports in this folder")
    parser.add_argument("--tsv", help="and write it there; else the rows with their forecasts")
    parser.add_argument("--table", action="append", help="what was measured; the last of several counts for A X of our kernels")
    parser.add_argument("--best", default=os.path.join(root, "data", "measured", "gpu-products-h200-2026-11-29.txt"),
                        help="what was measured of the fastest kernels alone")
    parser.add_argument("--gpu", default=os.path.join(root, "data", "gpus", "h200.gpu"))
    parser.add_argument("--matrices", default=os.path.join(root, os.pardir, "shared", "matrices"))
    parser.add_argument("--check", action="store_true", help="fit nothing: take the paces that the sources have")
    parser.add_argument("--write", action="store_true", help="write the paces into the sources")
    options = parser.parse_args()
    if options.reports:
        with open(options.tsv, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(table_of(options.reports))
        return
    tables = options.table or [os.path.join(root, "data", "measured", "products-h200-2026-11-%d.tsv" % day) for day in (29, 30)]
    rows = table_of_best(options.best)
    for table in tables:
        # Loops of A X with several vectors have changed since the former tables; those of A^T and of libraries have not.
        rows = [row for row in rows if not row.own or row.product.startswith("At")]
        with open(table, newline="", encoding="utf-8") as file:
            rows += [Row(line) for line in csv.DictReader(file, delimiter="\t")]
    rows = count(rows, options)
    path = os.path.join(root, "src", "analysis", "forecast", "products_paces.c")
    of_gpu, paces = model.Model(model.read_gpu(options.gpu), constants()), read_paces(path) if options.check else {}
    for kernel in sorted({row.kernel for row in rows}) if not options.check else ():
        some = [row for row in rows if row.kernel == kernel and not row.held]
        if not some:
            continue
        every = fit_pace(of_gpu, some, START)
        for kind in KINDS:
            of_kind = [row for row in some if row.kind == kind]
            if of_kind:
                paces[kernel, kind] = fit_pace(of_gpu, of_kind, every)
    stand_in(paces)
    rows = [row for row in rows if (row.kernel, row.kind) in paces]
    for row in rows:
        row.predicted = 1e6 * seconds(of_gpu, paces[row.kernel, row.kind], row.counts)
    for held in (False, True):
        name = "held out" if held else "fitted"
        some = [row for row in rows if row.held == held]
        say(name, some)
        for own in (True, False):
            say("%s, %s" % (name, "own" if own else "cuSPARSE"), [row for row in some if row.own == own])
        for kind in KINDS:
            say("%s, %s" % (name, kind), [row for row in some if row.kind == kind])
        for kernel in sorted({row.kernel for row in some}):
            say("%s, %s" % (name, kernel), [row for row in some if row.kernel == kernel])
    held = [row for row in rows if row.held]
    low, high = spread(held or rows)
    print("measured / forecast, from the first tenth to the last, %s: %.3f to %.3f" % ("held out" if held else "fitted", low, high))
    if options.tsv:
        with open(options.tsv, "w", encoding="utf-8") as file:
            for row in rows:
                print(row.held, row.matrix, row.product, row.kernel, row.measured, "%.2f" % row.predicted, sep="\t", file=file)
    if options.write:
        write(path, paces, low, high)


if __name__ == "__main__":
    main()
