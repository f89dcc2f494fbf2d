#!/usr/bin/env python3
"""intervals.py SPARSIGHT [OPTION]...: fit the intervals of forecasts, src/analysis/forecast/interval_spreads.c, to the first run of a
table of measured times. The rows that are held out are not looked at: evaluate.py says how many of them lie inside.

Of each kernel and largest term the 10% and the 90% quantile of ln(measured / forecast) are taken. In that, rows of the same kernel
with other bounds, and rows of other kernels of the backend with the same bound, weigh as much as POOLED rows, half each. So a cell
with many rows is by itself, and one with few is like its neighbours. Errors on GPUs are those of forecasts with constants that were
fitted without the matrix. All intervals are stretched by the factor with which, fitted without each matrix in turn, they hold 80% of
the rows of those. POOLED was chosen among 2, 4, 8, ... 64 by such rows: of both states of the caches, 75 to 85% must lie inside, and
the score of Gneiting and Raftery (Strictly Proper Scoring Rules, J. Amer. Statist. Assoc. 102, 2007, section 6.2), which is the width
plus ten times the distance of the rows outside, is then the least to within 0.001.
"""
import argparse
import collections
import csv
import math
import os
import re
import sys

import figures
import fit as constants
import model
import reports

SHARE, POOLED = 0.8, 32
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "src", "analysis", "forecast")
NEAR = 2.0  # pairs of kernels of which nobody would ask which is faster are not looked at
BOUNDS = ("launch", "longest", "latency", "shared", "l1", "l2", "dram", "reductions", "hottest", "arithmetic", "host")


class Error:
    """A forecast beside what was measured. The state is that of the caches, and on processors the number of threads."""

    def __init__(self, matrix, state, kernel, bound, measured, forecast):
        self.matrix, self.state, self.kernel, self.bound, self.forecast = matrix, state, kernel, bound, forecast
        self.backend = kernel.split("/")[0]
        self.off = math.log(measured / forecast)


def read_errors(path, sets=("fitted",)):
    """The rows of a kept evaluation (evaluate.py --tsv)."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        return [Error(line["matrix"], (line["caches"], line.get("threads")), line["kernel"], line["bound"], float(line["measured us"]),
                      float(line["forecast us"])) for line in lines if line["set"] in sets]


def errors_of(rows):
    return [Error(row.matrix, row.state, row.kernel, row.bound, row.measured, row.predicted) for row in rows
            if row.predicted is not None]


def weighted_quantile(pairs, share):
    """The least value with at least this share of all weight at or below it; pairs are (value, weight), ascending."""
    wanted = share * math.fsum(weight for _, weight in pairs)
    for value, weight in pairs:
        wanted -= weight
        if wanted <= 1e-12:
            return value
    return pairs[-1][0]


class Spreads:
    """(low, high) of ln(measured / forecast) for each kernel and bound, times `stretch`."""

    def __init__(self, errors, stretch=1.0):
        self.stretch, self.cells, self.known = stretch, {}, {}
        self.groups = collections.defaultdict(list)
        for error in errors:
            for group in ((error.kernel, error.bound), (error.kernel, None), (error.backend, error.bound), (error.backend, None)):
                self.groups[group].append(error.off)

    def of(self, kernel, bound):
        if (kernel, bound) not in self.known:
            self.known[kernel, bound] = self.find(kernel, bound)
        low, high = self.known[kernel, bound]
        return low * self.stretch, high * self.stretch

    def find(self, kernel, bound):
        backend = kernel.split("/")[0]
        some = [(off, 1.0) for off in self.groups.get((kernel, bound), ())]
        pools = [pool for pool in (self.groups.get((kernel, None)), self.groups.get((backend, bound))) if pool]
        for pool in pools or [self.groups[backend, None]]:
            some += [(off, POOLED / max(1, len(pools)) / len(pool)) for off in pool]
        some.sort()
        tail = (1 - SHARE) / 2
        return min(0.0, weighted_quantile(some, tail)), max(0.0, weighted_quantile(some, 1 - tail))

    def of_backend(self, backend, bound):
        """Of a kernel that no row is of."""
        some = sorted((off, 1.0) for off in self.groups[backend, bound])
        tail = (1 - SHARE) / 2
        return tuple(self.stretch * end for end in
                     (min(0.0, weighted_quantile(some, tail)), max(0.0, weighted_quantile(some, 1 - tail))))


def wanted_stretch(error, spreads):
    """By what the interval of an error must be multiplied to reach it."""
    low, high = spreads.of(error.kernel, error.bound)
    side = high if error.off > 0 else low
    return error.off / side if side else (0.0 if error.off == 0 else math.inf)


def stretch_of(errors):
    """The stretch with which intervals hold SHARE of the rows of matrices that they were not fitted to."""
    wanted = []
    for matrix in sorted({error.matrix for error in errors}):
        spreads = Spreads([error for error in errors if error.matrix != matrix])
        wanted += [wanted_stretch(error, spreads) for error in errors
                   if error.matrix == matrix and (error.backend, None) in spreads.groups]
    return figures.quantile(wanted, SHARE)


def fit(errors, left_out=()):
    """The spreads of each backend, with a stretch of its own: from the errors of forecasts by constants that were not fitted to their
    matrices, if there are any."""
    found = {}
    for backend in sorted({error.backend for error in errors}):
        some = [error for error in left_out if error.backend == backend] or [error for error in errors if error.backend == backend]
        found[backend] = Spreads(some, stretch_of(some))
    return found


def pairs_of(errors):
    """Pairs of kernels on the same matrix in the same state whose forecasts are near each other."""
    together = collections.defaultdict(list)
    for error in errors:
        together[error.matrix, error.state].append(error)
    for some in together.values():
        for k, one in enumerate(some):
            for other in some[:k]:
                if max(one.forecast, other.forecast) <= NEAR * min(one.forecast, other.forecast):
                    yield one, other


def reach(one, other, correlation):
    """As interval.c has it."""
    return math.sqrt(max(0.0, one * one + other * other - 2 * correlation * one * other))


def is_inside(pair, ends, correlation):
    """Whether the ratio of the times of a pair lies in its interval; ends(error) is (low, high)."""
    (low, high), (other_low, other_high) = ends(pair[0]), ends(pair[1])
    off = pair[0].off - pair[1].off
    return -reach(-low, other_high, correlation) <= off <= reach(high, -other_low, correlation)


def correlation_of(pairs, ends):
    """The largest correlation with which the intervals of ratios hold SHARE of the pairs, to two digits."""
    for hundredths in range(99, -1, -1):
        inside = sum(is_inside(pair, ends, hundredths / 100) for pair in pairs)
        if inside >= SHARE * len(pairs):
            return hundredths / 100
    return 0.0


def fit_correlations(errors, spreads):
    def ends(error):
        return spreads[error.backend].of(error.kernel, error.bound)
    pairs = list(pairs_of(errors))
    return [correlation_of([pair for pair in pairs if (pair[0].bound == pair[1].bound) == same], ends) for same in (True, False)]


def read_constants():
    """The correlations for GPUs of interval_spreads.c."""
    with open(os.path.join(SOURCES, "interval_spreads.c"), encoding="utf-8") as file:
        text = file.read()
    number = "([0-9.]+)"
    found = re.search(r"\.gpu = \{\.together = %s, \.apart = %s\}" % (number, number), text)
    return dict(zip(("together", "apart"), (float(value) for value in found.groups())))


def inside_pairs(rows, constants):
    """Of each pair of rows whose forecasts are near each other, whether the ratio of their times lies in its interval."""
    some = errors_of(rows)
    for error, row in zip(some, rows):
        error.ends = (math.log(row.low / row.predicted), math.log(row.high / row.predicted))
    return [is_inside(pair, lambda error: error.ends, constants["together" if pair[0].bound == pair[1].bound else "apart"])
            for pair in pairs_of(some)]


def derived_of(errors, spreads):
    """How much wider intervals must be for a GPU whose constants are derived: at least 1."""
    wanted = []
    for error in errors:
        wanted.append(wanted_stretch(error, spreads[error.backend]))
    return max(1.0, figures.quantile(wanted, SHARE))


def table_of(spreads, correlations, derived, stated):
    lines = ["/* How far off forecasts are, by kernel and largest term. `make fit-intervals` writes this file:",
             *(" * " + line for line in stated), " */", '#include "analysis/forecast/interval.h"', "",
             "const struct interval_constants interval_constants = {",
             *("    .%s = {.together = %.2f, .apart = %.2f}," % (kind, *correlations[kind]) for kind in ("gpu", "cpu")),
             "    .derived = %.3g," % derived, "};", "",
             "const struct interval_spread interval_spreads[] = {"]
    def add(kernel, bound, ends):
        lines.append('    {"%s", %s, %.3f, %.3f},' % (kernel, "BOUND_" + bound.upper() if bound else "BOUNDS",
                                                      *(math.exp(end) for end in ends)))
    for backend, found in spreads.items():
        bounds = [bound for bound in BOUNDS if (backend, bound) in found.groups]
        for kernel in sorted({group for group, _ in found.groups if "/" in group}):
            for bound in bounds:
                add(kernel, bound, found.of(kernel, bound))
            add(kernel, None, found.of(kernel, None))
        for bound in bounds:
            add(backend + "/", bound, found.of_backend(backend, bound))
        add(backend + "/", None, found.of_backend(backend, None))
    lines += ["    {NULL, BOUNDS, 1, 1},", "};", ""]
    return "\n".join(lines)


def from_reports(options, table, gpu, kept):
    rows = [row for row in reports.read_table(table) if row.fitted]
    absent, _ = reports.join(rows, reports.Reports(options.program, gpu, kept), options.matrices)
    if absent:
        print("Left out, %d matrices that are not there: %s." % (len(absent), ", ".join(absent)))
    return errors_of(rows)


def left_out_of(options):
    """The errors of forecasts with constants that were fitted without the matrix."""
    found = reports.Reports(options.program, options.gpu, options.kept)
    rows = [row for row in reports.read_table(options.table) if row.fitted]
    reports.join(rows, found, options.matrices)
    rows, forecasts = constants.cross_validate(model.read_gpu(options.gpu), constants.count_rows(rows, found), 0)
    return [Error(row.matrix, row.state, row.kernel, row.bound, row.measured, forecast) for row, forecast in zip(rows, forecasts)]


def as_derived(gpu, like, folder):
    """A profile of the GPU with the constants that it would have if it had not been measured: those of another one that was, by the
    rules of gpu_pace_derive."""
    with open(gpu, encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if line and not line.startswith("measured on")]
    keys, other = model.read_gpu(gpu), model.read_gpu(like)
    multiprocessors = keys["multiprocessors"] / other["multiprocessors"]
    factor = {"L1 bandwidth": multiprocessors, "L2 bandwidth": multiprocessors, "reduction bandwidth": multiprocessors,
              "read bandwidth": keys["bandwidth"] / other["bandwidth"], "write bandwidth": keys["bandwidth"] / other["bandwidth"]}
    first = next(k for k, line in enumerate(lines) if line.startswith("launch"))
    names = [line.split("=")[0].strip() for line in lines[first:] if not line.startswith("#")]
    text = "\n".join(lines[:first]) + "\n"
    for name in names:
        value = other[name] * factor.get(name, 1)
        text += "%s = %s\n" % (name, "%.6g GB/s" % (1e-9 * value) if "bandwidth" in name else "%.6g ns" % (1e9 * value))
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, os.path.basename(gpu))
    if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return path


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    data = os.path.join(here, os.pardir, os.pardir, "data")
    measured = os.path.join(data, "measured")
    parser = argparse.ArgumentParser(description="Fit the intervals of forecasts.")
    reports.add_options(parser)
    parser.add_argument("--rows", help="take the forecasts of the table from this file, which evaluate.py --tsv has written")
    parser.add_argument("--processors", default=os.path.join(measured, "forecast-cpu-2026-11-28.tsv"), help="forecasts for processors beside measured times")
    parser.add_argument("--other-table", default=os.path.join(measured, "times-h100-2026-11-22.tsv"),
                        help="what was measured on another GPU, which is forecast by derived constants")
    parser.add_argument("--other-gpu", default=os.path.join(data, "gpus", "h100.gpu"), help="its profile")
    parser.add_argument("--other-rows", help="take the forecasts for that from this file")
    parser.add_argument("--write", action="store_true", help="write the table into the sources")
    options = parser.parse_args()
    of_gpu = read_errors(options.rows) if options.rows else from_reports(options, options.table, options.gpu, options.kept)
    if options.other_rows:
        derived = read_errors(options.other_rows, ("fitted", "held out"))
    else:
        folder = os.path.join(options.kept, "derived")
        derived = from_reports(options, options.other_table, as_derived(options.other_gpu, options.gpu, folder), folder)
    processors = read_errors(options.processors, ("fitted",))
    if not of_gpu or not derived or not processors:
        sys.exit("there is nothing to fit to: no forecast has a measured time beside it")
    spreads = fit(of_gpu + processors, () if options.rows else left_out_of(options))
    correlations = {"gpu": fit_correlations(of_gpu, spreads), "cpu": fit_correlations(processors, spreads)}
    wider = derived_of(derived, spreads)
    stated = ["%d rows of %s on %d matrices, %d of %s on %d matrices;" % (
        len(of_gpu), os.path.basename(options.table), len({e.matrix for e in of_gpu}), len(processors),
        os.path.basename(options.processors), len({e.matrix for e in processors})),
              "`derived` from %d rows of %s." % (len(derived), os.path.basename(options.other_table))]
    for backend, found in spreads.items():
        print("%s: stretched by %.3f" % (backend, found.stretch))
    for kind, found in correlations.items():
        print("correlation of errors, %s: %.2f with the same bound, %.2f with different ones" % (kind, *found))
    print("derived constants: %.3g times as wide" % wider)
    text = table_of(spreads, correlations, wider, stated)
    if options.write:
        with open(os.path.join(SOURCES, "interval_spreads.c"), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
