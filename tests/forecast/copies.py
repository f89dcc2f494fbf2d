#!/usr/bin/env python3
"""copies.py SPARSIGHT [OPTION]...: fit the pace of the loop of cuda/bsr that copies into shared memory (src/kernels/cuda/bsr.c) to the rows
`first` of a table of its times, at the constants of src/analysis/forecast/time.c, and print the errors of the program's forecasts. Also
print the measured best / the kernel with the fastest forecast for each matrix and precision."""
import argparse
import math
import os
import re

import figures
import fit
import model
import reports

LOOP = "copies=1"
KERNEL = "cuda/bsr"


def constants_of(here):
    """The constants of time.c, as points of fit.Fit."""
    with open(os.path.join(here, os.pardir, os.pardir, "src", "analysis", "forecast", "time.c"), encoding="utf-8") as file:
        text = file.read()
    return [fit.Fit.inside(name, float(re.search(r"(?m)^    \.%s = (\S+),$" % name, text).group(1))) for name in model.CONSTANTS]


def fit_pace(gpu, rows, here):
    """As `make fit-forecast` fits a pace, with the constants kept."""
    of_loop = fit.Fit(gpu, rows)
    for k, value in enumerate(constants_of(here)):
        of_loop.point[k] = of_loop.start[k] = value
        of_loop.fixed.add(k)
    of_loop.free = [k for k in range(len(of_loop.names)) if k not in of_loop.fixed]
    of_loop.descend()
    return of_loop


def print_errors(name, rows, predicted):
    errors = [abs(p / row.measured - 1) for row, p in zip(rows, predicted)]
    bias = figures.geometric_mean([p / row.measured for row, p in zip(rows, predicted)])
    print("%-22s %3d rows  median %5.1f%%  p90 %5.1f%%  worst %6.1f%%  forecast / measured %.2f" % (
        name, len(rows), *(100 * figures.quantile(errors, q) for q in (0.5, 0.9, 1)), bias))


def print_choices(rows):
    """The choice among all kernels of the table, cuSPARSE's included."""
    seen = {}
    for row in rows:
        if row.predicted is not None:
            seen.setdefault((row.run, row.matrix, row.precision, row.state), []).append(row)
    for (run, matrix, precision, state), some in seen.items():
        chosen, best = min(some, key=lambda row: row.predicted), min(some, key=lambda row: row.measured)
        print("%-8s %-35s %s %s  chosen %-60s best / chosen %.2f (%s)" % (
            run, matrix, precision, state, chosen.choice, best.measured / chosen.measured, best.choice))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="Fit the pace of BSR by copies.")
    reports.add_options(parser)
    parser.set_defaults(table=os.path.join(here, os.pardir, os.pardir, "data", "measured", "bsr-copies-h200-2026-11-30.tsv"))
    parser.add_argument("--loop-only", action="store_true", help="only the kernel's rows, without the choice among kernels")
    parser.add_argument("--tsv", help="write each row with its forecast to this file")
    options = parser.parse_args()
    rows = [row for row in reports.read_table(options.table) if not options.loop_only or LOOP in row.parameters]
    absent, _ = reports.join(rows, reports.Reports(options.program, options.gpu, options.kept), options.matrices)
    if absent:
        print("Left out, %d matrices that are not there: %s." % (len(absent), ", ".join(absent)))
    some = fit.count_rows([row for row in rows if row.kernel == KERNEL and LOOP in row.parameters], None)
    fitted, held = [row for row in some if row.fitted], [row for row in some if not row.fitted]
    of_loop = fit_pace(model.read_gpu(options.gpu), fitted, here)
    print(".pace = " + fit.pace_text(of_loop, KERNEL))
    for name, part in (("fitted", fitted), ("held out", held)):
        print_errors(name + ", by this fit", part, [of_loop.predict(row) for row in part])
        print_errors(name + ", the program", part, [row.predicted for row in part])
        for precision in ("f64", "f32"):
            those = [row for row in part if row.precision == precision]
            print_errors("%s, %s" % (name, precision), those, [row.predicted for row in those])
    if options.tsv:
        with open(options.tsv, "w", encoding="utf-8") as file:
            for row in some:
                file.write("\t".join(map(str, (row.run, row.matrix, row.precision, row.state, row.choice, row.measured, row.predicted,
                                               round(of_loop.predict(row), 2), row.bound))) + "\n")
    if not options.loop_only:
        print_choices(rows)


if __name__ == "__main__":
    main()
