#!/usr/bin/env python3
"""evaluate.py SPARSIGHT [OPTION]...: how right the forecast of the time of kernels is, on matrices that constants were fitted to
and on others, beside what one would choose without a forecast. It needs no GPU: what was measured is a table.

Exits with 1 if an aim is missed on the matrices that were held out, with 2 if there is nothing to compare.
"""
import argparse
import csv
import datetime
import os
import subprocess
import sys

import figures
import intervals
import model
import reports
import tree

ERROR_MEDIAN, ERROR_P95, RANK, ADVISED, ADVISED_WORST = 0.08, 0.25, 0.95, 0.97, 0.85  # the aims
INSIDE = (0.75, 0.85)  # the share of rows in their 80% intervals
SETS = (("fitted", True), ("held out", False))
ENTRY_BYTES = {"csr": 12, "coo": 16, "sell": 12, "bsr": 8, "ell": 12, "dia": 8}  # of each entry, at least
KERNELS_LEAST = 8  # a matrix with fewer kernels that were measured and forecast has no rank correlation
TREE_DEPTH = 4


class Case:
    """A matrix in a state of the caches, with its kernels."""

    def __init__(self, rows):
        self.rows = [row for row in rows if row.found]
        self.matrix, self.state, self.fitted = rows[0].matrix, rows[0].state, rows[0].fitted

    def some(self, own):
        """The own kernels alone, or all."""
        return [row for row in self.rows if row.own or not own]

    def forecast(self, own):
        return [row for row in self.some(own) if row.predicted is not None]

    def reached(self, row, own):
        """The time of the best kernel / that of this one."""
        return min(other.measured for other in self.some(own)) / row.measured

    def advised(self, own):
        return min(self.forecast(own), key=lambda row: row.predicted)

    def chosen(self):
        """What the program chooses among all kernels (src/session/advice.c): the shortest forecast."""
        return self.advised(own=False)

    def small(self, cache):
        """Whether L2 holds the matrix as CSR, with x and y."""
        about = self.rows[0].about
        return 12 * about["nnz"] + 12 * about["rows"] + 8 * about["cols"] <= cache

    def rank(self, own=True):
        some = self.forecast(own)
        if len(some) < KERNELS_LEAST:
            return None
        return figures.rank_correlation([row.predicted for row in some], [row.measured for row in some])

    def kernel(self, name):
        """The own kernel of this name, or csr-vector, which reads every matrix, where it was not measured; None without
        either."""
        named = {row.kernel: row for row in self.some(own=True)}
        return named.get(name) or named.get("cuda/csr-vector")

    def statistics(self):
        """What the decision tree knows: the matrix's size and statistics of its rows."""
        about, lengths = self.rows[0].about, self.rows[0].about["row_lengths"]
        of_lengths = [lengths[key] or 0 for key in ("mean", "median", "max", "cv", "gini", "p95")]
        return [about["rows"], about["cols"], about["nnz"], about["structure"]["empty_rows"] / max(1, about["rows"])] + of_lengths


def cases_of(rows):
    found = {}
    for row in rows:
        found.setdefault((row.matrix, row.state), []).append(row)
    cases = [Case(some) for some in found.values()]
    return [case for case in cases if case.forecast(own=True)]


def share(value):
    return "%6.1f%%" % (100 * value) if value == value else "      -"


def groups_of(cases, cache):
    """(caches, size, cases): warm and flushed, in L2 and beyond, and all, as far as there are any."""
    found = []
    for state in ("warm", "cold"):
        for small in (True, False):
            found.append((state, "in L2" if small else "beyond", [c for c in cases if (c.state, c.small(cache)) == (state, small)]))
    return [group for group in found if group[2]] + [("all", "all", cases)]


def print_chooser(cases, cache, out):
    """What the program itself does where nothing was fitted."""
    print("What the program chooses, cuSPARSE included, on matrices that were held out: time of the best kernel / of the chosen one,\n"
          "which has the shortest forecast; the error of all forecasts; the rank correlation of all kernels on a matrix, mean over\n"
          "matrices\n", file=out)
    print("%-6s %-7s %8s %14s %6s %9s %7s %7s   %s" % ("caches", "size", "matrices", "chosen: geomean", "worst", "error: median",
                                                       "p95", "rank", "worst on"), file=out)
    for state, size, some in groups_of([case for case in cases if not case.fitted], cache):
        reached = [(case.reached(case.chosen(), own=False), case) for case in some]
        worst, on = min(reached, key=lambda one: one[0], default=(float("nan"), None))
        errors = [abs(row.error) for case in some for row in case.forecast(own=False)]
        ranks = [rank for rank in (case.rank(own=False) for case in some) if rank is not None]
        print("%-6s %-7s %8d %15.3f %6.3f %13s %7s %7.3f   %s" % (
            state, size, len(some), figures.geometric_mean([r for r, _ in reached]), worst, share(figures.quantile(errors, 0.5)),
            share(figures.quantile(errors, 0.95)), figures.mean(ranks),
            "%s: %s" % (on.matrix, on.chosen().kernel) if on else "-"), file=out)


def floor_of(row, gpu):
    """The microseconds below which no product can be: the bytes that it must read, each once, at the best bandwidth that was measured.
    They are those of the arrays that the kernel reads, and the elements of x in columns with entries; L2 may hold y, and with warm
    caches as much of all as it has room for. Of a library's kernel, whose bytes are told where it ran, the entries are counted."""
    about = row.about
    if row.found["beta_plus"] is not None:
        arrays = row.found["beta_plus"] - 8 * (about["rows"] + about["cols"])
    else:
        arrays = ENTRY_BYTES[row.found["format"]] * about["nnz"]
    bytes_read = arrays + 8 * (about["cols"] - about["structure"]["empty_cols"])
    if not row.cold:
        bytes_read += 8 * about["rows"] - gpu["L2"]
    return 1e6 * max(0, bytes_read) / max(gpu["read bandwidth"], gpu["write bandwidth"])


def print_impossible(rows, gpu, out):
    """Returns how many forecasts are impossible."""
    some = [row for row in rows if row.predicted is not None]
    floors = [floor_of(row, gpu) for row in some]
    below = [row for row, least in zip(some, floors) if row.predicted < least]
    really = sum(row.measured < least for row, least in zip(some, floors))
    print("\nForecasts shorter than the bytes that must be read take at the best bandwidth: %d of %d (measured times: %d)%s" % (
        len(below), len(some), really, "".join("\n  %s, %s, %s" % (row.kernel, row.matrix, row.state) for row in below)), file=out)
    return len(below)


def print_errors(rows, out):
    print("\nError of the forecast, |forecast / measured - 1|\n", file=out)
    print("%-9s %-6s %-9s %5s %7s %7s %7s" % ("set", "caches", "kernels", "rows", "median", "p90", "p95"), file=out)
    for name, fitted in SETS:
        for state in ("warm", "cold"):
            for own in (True, False):
                some = [abs(row.error) for row in rows
                        if row.predicted is not None and (row.fitted, row.state, row.own) == (fitted, state, own)]
                found = [share(figures.quantile(some, q)) for q in (0.5, 0.9, 0.95)]
                print("%-9s %-6s %-9s %5d %s %s %s" % (name, state, "own" if own else "cuSPARSE", len(some), *found), file=out)


def inside(rows):
    """The share of these rows that lie in their intervals; NaN of nothing."""
    some = [row.inside for row in rows if row.predicted is not None]
    return sum(some) / len(some) if some else float("nan")


def print_intervals(rows, constants, out):
    print("\nRows that lie in the 80%% interval of their forecast, half its width, and pairs of kernels on a matrix\n"
          "whose forecasts are within a factor of %g that lie in the interval of their ratio\n" % intervals.NEAR, file=out)
    print("%-9s %-6s %-9s %5s %7s %7s %9s %7s" % ("set", "caches", "kernels", "rows", "inside", "+-", "pairs", "inside"), file=out)
    for name, fitted in SETS:
        for state in ("warm", "cold"):
            for own in (True, False, None):
                some = [row for row in rows if row.predicted is not None and (row.fitted, row.state) == (fitted, state)
                        and own in (row.own, None)]
                half = figures.quantile([(row.high - row.low) / 2 / row.predicted for row in some], 0.5)
                pairs = intervals.inside_pairs(some, constants)
                print("%-9s %-6s %-9s %5d %s %s %9d %s" % (
                    name, state, "all" if own is None else "own" if own else "cuSPARSE", len(some), share(inside(some)),
                    share(half), len(pairs), share(sum(pairs) / len(pairs) if pairs else float("nan"))), file=out)


def print_ranks(cases, out):
    print("\nRank correlation (Spearman) of own kernels on a matrix\n", file=out)
    print("%-9s %-6s %9s %7s %7s  %s" % ("set", "caches", "matrices", "mean", "least", "on"), file=out)
    for name, fitted in SETS:
        for state in ("warm", "cold"):
            some = [(case.rank(), case.matrix) for case in cases if (case.fitted, case.state) == (fitted, state)]
            some = [one for one in some if one[0] is not None]
            if some:
                print("%-9s %-6s %9d %7.3f %7.3f  %s" % (name, state, len(some), figures.mean([r for r, _ in some]), *min(some)),
                      file=out)


def choosers(cases):
    """What chooses a kernel of a case: (words, function, whether among own kernels alone)."""
    fitted = [case for case in cases if case.fitted]
    best = [min(case.some(own=True), key=lambda row: row.measured).kernel for case in fitted]
    grown = tree.grow([case.statistics() for case in fitted], best, TREE_DEPTH) if fitted else "cuda/csr-vector"
    return [("the forecast", lambda case: case.advised(own=True), True),
            ("the forecast, cuSPARSE too", lambda case: case.advised(own=False), False),
            ("always csr-vector", lambda case: case.kernel("cuda/csr-vector"), True),
            ("always csr-balanced", lambda case: case.kernel("cuda/csr-balanced"), True),
            ("always hyb", lambda case: case.kernel("cuda/hyb"), True),
            ("tree of depth %d" % TREE_DEPTH, lambda case: case.kernel(tree.classify(grown, case.statistics())), True)]


def print_choices(cases, out):
    print("\nTime of the best kernel / that of the kernel that is chosen\n", file=out)
    print("%-9s %-27s %9s %8s %6s  %s" % ("set", "chosen by", "matrices", "geomean", "least", "on"), file=out)
    for name, fitted in SETS:
        for words, choose, own in choosers(cases):
            chosen = [(case, choose(case)) for case in cases if case.fitted == fitted]
            some = [(case.reached(row, own), case.matrix + ", " + case.state) for case, row in chosen if row]
            if some:
                print("%-9s %-27s %9d %8.3f %6.3f  %s" % (name, words, len(some), figures.geometric_mean([r for r, _ in some]),
                                                          *min(some)), file=out)


def print_kernels(rows, out):
    print("\nBy kernel: median and 95th percentile of the error, and the median of forecast / measured\n", file=out)
    print("%-20s %26s   %26s" % ("", "fitted", "held out"), file=out)
    some = [row for row in rows if row.predicted is not None]
    for kernel in sorted({row.kernel for row in some}, key=lambda name: (name.startswith("cusparse"), name)):
        line = "%-20s" % kernel
        for _, fitted in SETS:
            errors = [row.error for row in some if row.kernel == kernel and row.fitted == fitted]
            sizes = [abs(error) for error in errors]
            line += " %s %s %9.2f  " % (share(figures.quantile(sizes, 0.5)), share(figures.quantile(sizes, 0.95)),
                                        1 + figures.quantile(errors, 0.5))
        print(line.rstrip(), file=out)


def print_worst(rows, count, out):
    for name, fitted in SETS:
        print("\nThe %d largest errors, %s\n" % (count, name), file=out)
        print("%-20s %-6s %11s %11s %7s  %-10s %s" % ("kernel", "caches", "measured us", "forecast us", "error", "bound", "matrix"),
              file=out)
        some = [row for row in rows if row.predicted is not None and row.fitted == fitted]
        for row in sorted(some, key=lambda row: -abs(row.error))[:count]:
            print("%-20s %-6s %11.1f %11.1f %+6.0f%%  %-10s %s" % (row.kernel, row.state, row.measured, row.predicted,
                                                                   100 * row.error, row.bound, row.matrix), file=out)


def print_aims(rows, cases, impossible, out):
    """Returns how many are missed on what was held out."""
    missed = 0
    print("\nAims, on the matrices that were held out, cuSPARSE included\n", file=out)

    def aim(words, value, least, text):
        nonlocal missed
        held = value >= least
        missed += not held
        print("%-62s %8s  %s" % (words, text, "reached" if held else "MISSED"), file=out)

    cases = [case for case in cases if not case.fitted]
    reached = [case.reached(case.chosen(), own=False) for case in cases]
    together = figures.geometric_mean(reached)
    aim("best / chosen, geometric mean: at least %.2f" % ADVISED, together, ADVISED, "%.3f" % together)
    aim("best / chosen, worst matrix: at least %.2f" % ADVISED_WORST, min(reached), ADVISED_WORST, "%.3f" % min(reached))
    for state in ("warm", "cold"):
        some = [abs(row.error) for row in rows if row.predicted is not None and not row.fitted and row.state == state]
        median, p95 = figures.quantile(some, 0.5), figures.quantile(some, 0.95)
        aim("median of the error, %s: at most %d%%" % (state, 100 * ERROR_MEDIAN), -median, -ERROR_MEDIAN, share(median).strip())
        aim("95th percentile of the error, %s: at most %d%%" % (state, 100 * ERROR_P95), -p95, -ERROR_P95, share(p95).strip())
    for state in ("warm", "cold"):
        within = inside([row for row in rows if not row.fitted and row.state == state])
        aim("in the 80%% interval, %s, cuSPARSE too: %d to %d%%" % (state, 100 * INSIDE[0], 100 * INSIDE[1]),
            within if within <= INSIDE[1] else -within, INSIDE[0], share(within).strip())
    rank = figures.mean([rank for rank in (case.rank(own=False) for case in cases) if rank is not None])
    aim("rank correlation, mean over matrices: at least %.2f" % RANK, rank, RANK, "%.3f" % rank)
    aim("forecasts that no bandwidth allows: none", -impossible, 0, "%d" % impossible)
    return missed


def write_table(rows, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["set", "matrix", "rows", "entries", "caches", "kernel", "parameters", "measured us", "forecast us", "low us",
                         "high us", "error", "bound", "like"])
        for row in rows:
            if row.predicted is None:
                continue
            writer.writerow(["fitted" if row.fitted else "held out", row.matrix, row.about["rows"], row.about["nnz"], row.state,
                             row.kernel, row.parameters, "%.6g" % row.measured, "%.6g" % row.predicted, "%.6g" % row.low,
                             "%.6g" % row.high, "%.3f" % row.error, row.bound, row.like or ""])


def print_all(options, rows, absent, unmatched, out):
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    cases, gpu = cases_of(rows), model.read_gpu(options.gpu)
    if cases:
        print_chooser(cases, gpu["L2"], out)
        print(file=out)
    print("Forecast times of kernels beside measured ones, %s, %s" % (datetime.date.today().isoformat(), version), file=out)
    print("Measured: %s. Forecast for: %s." % (os.path.basename(options.table), os.path.basename(options.gpu)), file=out)
    counts = [len({case.matrix for case in cases if case.fitted == fitted}) for _, fitted in SETS]
    print("%d matrices that constants were fitted to, and %d that were held out." % tuple(counts), file=out)
    if absent:
        print("Not compared, %d matrices that are not there: %s." % (len(absent), ", ".join(absent)), file=out)
    if unmatched:
        print("Not compared, %d rows of parameters that the program does not take: %s." % (
            len(unmatched), ", ".join(sorted({row.kernel for row in unmatched}))), file=out)
    without = [row for row in rows if row.found and row.predicted is None]
    if without:
        print("Not compared, %d rows without a forecast: %s." % (len(without), ", ".join(sorted({row.kernel for row in without}))),
              file=out)
    if not cases:
        return None
    impossible = print_impossible(rows, gpu, out)
    print_errors(rows, out)
    print_intervals(rows, intervals.read_constants(), out)
    print_ranks(cases, out)
    print_choices(cases, out)
    print_kernels(rows, out)
    print_worst(rows, options.worst, out)
    return print_aims(rows, cases, impossible, out)


def main():
    parser = argparse.ArgumentParser(description="How right the forecast of the time of kernels is.")
    reports.add_options(parser)
    parser.add_argument("--tsv", help="write the rows to this file")
    parser.add_argument("--worst", type=int, default=15, help="so many of the largest errors are listed")
    parser.add_argument("--excerpts", metavar="PROGRAM",
                        help="take the forecasts from excerpts, as reports make them before a kernel has run, by tests/forecast/excerpts")
    parser.add_argument("--entries", type=int, default=0, help="with --excerpts, keep so many entries; by default as many as reports do")
    parser.add_argument("--larger", type=int, default=0, help="compare matrices with more entries alone")
    options = parser.parse_args()
    rows = [row for row in reports.read_table(options.table) if row.entries > options.larger]
    found = reports.Reports(options.program, options.gpu, options.kept)
    absent, unmatched = reports.join(rows, found, options.matrices)
    if options.excerpts:
        reports.by_excerpts(rows, found, options.excerpts, options.entries)
    missed = print_all(options, rows, absent, unmatched, sys.stdout)
    if missed is None:
        sys.exit("there is nothing to compare: none of the matrices is in %s" % options.matrices)
    if options.tsv:
        write_table(rows, options.tsv)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
