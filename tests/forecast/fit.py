#!/usr/bin/env python3
"""fit.py SPARSIGHT [OPTION]...: fit the constants of src/analysis/forecast/time.c, and the paces of kernels in src/kernels/cuda, to
the first run of a table of measured times. The rows that are held out are not looked at.

What is minimised is the mean over rows of min(e, 0.6) + 0.05 e, where e = |log(forecast / measured)|, so that a few rows that the
model does not explain do not bend it, and a thousandth of the mean square of log(constant / where it starts), which decides where
rows do not. The descent goes along one constant after the other, with a step of its own that grows with success and shrinks without.
"""
import argparse
import math
import os
import random
import re
import sys

import figures
import model
import reports

START = {"overlap": 2.8, "l1_seen": 0.47, "memory_seen": 1.4, "l1_reached": 0.85, "l2_reached": 1.1, "dram_reached": 1.1,
         "reductions_reached": 0.57, "shared_pass": 1e-9,
         "next_launches": 1.3}
START_PACE = (2.0, 0.5, 1.5, 0.3, 1.0)
ROUNDS, LEAST_STEP = 80, 5e-3
AT_MOST, TAIL, PRIOR = 0.6, 0.05, 1e-3


class Fit:
    """The constants as logarithms, so that they stay positive; that of overlap - 1, so that it stays above 1."""

    def __init__(self, gpu, rows):
        self.gpu, self.kernels, self.of_kernel = gpu, sorted({row.kernel for row in rows}), {}
        for row in rows:
            self.of_kernel.setdefault(row.kernel, []).append((row.counts, 1e-6 * row.measured))
        self.count = len(rows)
        self.names = [(None, name) for name in model.CONSTANTS]
        self.names += [(kernel, k) for kernel in self.kernels for k in range(len(model.PACE))]
        self.start = [self.inside(name, START[name] if not kernel else START_PACE[name]) for kernel, name in self.names]
        self.point = list(self.start)
        # What a kernel moves is counted where it is replayed itself.
        self.fixed = {k for k, (kernel, name) in enumerate(self.names)
                      if kernel and model.PACE[name] == "moved" and not kernel.startswith("cusparse/")}
        self.costs = {kernel: self.cost(kernel) for kernel in self.kernels}

    @staticmethod
    def inside(name, value):
        return math.log(value - 1 if name == "overlap" else value)

    def constants(self):
        values = {name: math.exp(self.point[k]) for k, name in enumerate(model.CONSTANTS)}
        values["overlap"] += 1
        return values

    def pace(self, kernel):
        first = len(model.CONSTANTS) + len(model.PACE) * self.kernels.index(kernel)
        return tuple(math.exp(value) for value in self.point[first:first + len(model.PACE)])

    def cost(self, kernel):
        of_gpu, pace, total = model.Model(self.gpu, self.constants().values()), self.pace(kernel), 0.0
        for counts, measured in self.of_kernel[kernel]:
            error = abs(math.log(of_gpu.seconds(pace, counts) / measured))
            total += min(error, AT_MOST) + TAIL * error
        return total

    def sum(self, costs):
        prior = sum((value - start) ** 2 for value, start in zip(self.point, self.start)) / len(self.point)
        return sum(costs.values()) / self.count + PRIOR * prior

    def move(self, k, by, best):
        """Move along one constant if that helps. Returns what is minimised, then."""
        kernel, before = self.names[k][0], self.point[k]
        self.point[k] += by
        costs = dict(self.costs)
        for name in [kernel] if kernel else self.kernels:
            costs[name] = self.cost(name)
        now = self.sum(costs)
        if now < best - 1e-9:
            self.costs = costs
            return now
        self.point[k] = before
        return best

    def descend(self):
        best, steps = self.sum(self.costs), [0.3] * len(self.point)
        for _ in range(ROUNDS):
            for k, step in enumerate(steps):
                if k in self.fixed:
                    continue
                if abs(step) < LEAST_STEP:
                    continue
                for by in (step, -step):
                    now = self.move(k, by, best)
                    if now < best:
                        best, steps[k] = now, 1.3 * by
                        break
                else:
                    steps[k] *= 0.6
            if max(abs(step) for k, step in enumerate(steps) if k not in self.fixed) < LEAST_STEP:
                break
        return best

    def predict(self, row):
        return 1e6 * model.Model(self.gpu, self.constants().values()).seconds(self.pace(row.kernel), row.counts)


def count_rows(rows, reports_of):
    """The rows that can be fitted, with their counts."""
    some = []
    for row in rows:
        row.counts = model.counts_of(row, reports_of) if row.found and row.predicted is not None else None
        if row.counts:
            some.append(row)
    return some


def print_errors(name, rows, predicted):
    for state in ("warm", "cold"):
        for own in (True, False):
            some = [abs(p / row.measured - 1) for row, p in zip(rows, predicted) if (row.state, row.own) == (state, own)]
            print("%-18s %-5s %-9s %5d rows  median %5.1f%%  p90 %5.1f%%  p95 %5.1f%%" % (
                name, state, "own" if own else "cuSPARSE", len(some), *(100 * figures.quantile(some, q) for q in (0.5, 0.9, 0.95))))


def cross_validate(gpu, rows, folds):
    """Fit to all but a part of the matrices, in turn, and forecast those: what chooses between models without the held-out rows."""
    matrices = sorted({row.matrix for row in rows})
    random.Random(1).shuffle(matrices)
    left_out, predicted = [], []
    for fold in range(folds):
        outside = set(matrices[fold::folds])
        fit = Fit(gpu, [row for row in rows if row.matrix not in outside])
        fit.descend()
        for row in rows:
            if row.matrix in outside and row.kernel in fit.kernels:
                left_out.append(row)
                predicted.append(fit.predict(row))
    print_errors("%d parts, left out" % folds, left_out, predicted)
    return left_out, predicted


def short(value):
    return "%.3g" % value


def write_constants(folder, fit):
    path = os.path.join(folder, "src", "analysis", "forecast", "time.c")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, value in fit.constants().items():
        text, count = re.subn(r"(?m)^    \.%s = \S+,$" % name, "    .%s = %s," % (name, short(value)), text)
        if count != 1:
            sys.exit("%s: there is no line '.%s = NUMBER,'" % (path, name))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def pace_text(fit, kernel):
    """As .pace has it; requests of shared memory are left out where the kernel makes none, and what own kernels move."""
    pace = dict(zip(model.PACE, fit.pace(kernel)))
    if not any(counts[model.COUNTS.index("longest_shared")] for counts, _ in fit.of_kernel[kernel]):
        del pace["shared"]
    if not kernel.startswith("cusparse/"):
        del pace["moved"]
    return "{%s}" % ", ".join(".%s = %s" % (name, short(value)) for name, value in pace.items())


def write_paces(folder, fit):
    left = set(fit.kernels)
    of_kernels = os.path.join(folder, "src", "kernels", "cuda")
    for name in sorted(os.listdir(of_kernels)):
        path = os.path.join(of_kernels, name)
        if not name.endswith(".c"):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        parts = re.split(r"(?m)^(?=const struct kernel kernel_)", text)
        for k, part in enumerate(parts):
            found = re.search(r'(?s)\.name = "([^"]+)".*?\.backend = &backend_(\w+)', part)
            kernel = found and "%s/%s" % (found.group(2), found.group(1))
            if kernel in left and ".pace = " in part:
                parts[k] = re.sub(r"\.pace = \{[^}]*\}", ".pace = " + pace_text(fit, kernel), part)
                left.remove(kernel)
        if "".join(parts) != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join(parts))
    if left:
        sys.exit("%s: there is no pace of %s" % (of_kernels, ", ".join(sorted(left))))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="Fit the constants of the forecast of times.")
    reports.add_options(parser)
    parser.add_argument("--folds", type=int, default=0, help="also fit to all but each of so many parts of the matrices")
    parser.add_argument("--write", action="store_true", help="write the constants into the sources")
    options = parser.parse_args()
    rows = [row for row in reports.read_table(options.table) if row.fitted]
    found = reports.Reports(options.program, options.gpu, options.kept)
    absent, _ = reports.join(rows, found, options.matrices)
    if absent:
        print("Left out, %d matrices that are not there: %s." % (len(absent), ", ".join(absent)))
    rows, gpu = count_rows(rows, found), model.read_gpu(options.gpu)
    fit = Fit(gpu, rows)
    fit.descend()
    for name, value in fit.constants().items():
        print(".%s = %s," % (name, short(value)))
    for kernel in fit.kernels:
        print("%-20s .pace = %s" % (kernel, pace_text(fit, kernel)))
    print_errors("fitted", rows, [fit.predict(row) for row in rows])
    if options.folds:
        cross_validate(gpu, rows, options.folds)
    if options.write:
        write_constants(os.path.join(here, os.pardir, os.pardir), fit)
        write_paces(os.path.join(here, os.pardir, os.pardir), fit)


if __name__ == "__main__":
    main()
