#!/usr/bin/env python3
"""fit.py SPARSIGHT [OPTION]...: fit the constants of src/analysis/forecast/time.c, and the paces of kernels in src/kernels/cuda, to
the first run of a table of measured times. The rows that are held out are not looked at.

What is minimised is the mean over rows of

    rho(e) = 0.6 a / (0.6 + a) + 0.05 a,  a = sqrt(e^2 + 0.05^2) - 0.05,  e = log(forecast / measured),

so that a few rows that the model does not explain do not bend it, and of PRIOR log(constant / where it starts)^2 over all constants,
which decides where rows do not; it is stronger for how a kernel's work overlaps. The descent is that of Levenberg and Marquardt (SIAM J. Appl. Math. 11, 1963), each row weighing
rho'(e) / e.
"""
import argparse
import math
import operator
import os
import random
import re
import sys

import figures
import model
import reports

START = {"overlap": 4.4, "l1_seen": 0.28, "memory_seen": 1.4, "l1_reached": 1.05, "l1_lines": 1.3, "l2_reached": 1.07, "dram_reached": 0.99,
         "reductions_reached": 0.85, "reductions_again": 0.85, "shared_pass": 1.9e-9, "next_launches": 1.45, "early_launch": 0.79,
         "alone_seen": 0.85, "alone_missed": 5.0}
AT_MOST_ONE = ("dram_reached", "early_launch", "reductions_reached")  # nothing is faster than it was measured, and no launch slower for being early
START_PACE = (2.0, 0.5, 1.5, 0.3, 1.0, 5.0, 1.0)
ROUNDS, LEAST_GAIN = 200, 1e-6
NEAR, AT_MOST, TAIL, PRIOR = 0.05, 0.6, 0.05, 5e-6
PRIOR_OVERLAP = 100 * PRIOR  # kernels overlap their work about as others do
DIFFERENCE = 1e-6  # of a logarithm, for derivatives
# Kernels whose launches the model describes too coarsely to decide its constants: those are fitted without them, and then their paces.
APART = ("cuda/csr-swept",)


def rho(error):
    size = math.sqrt(error * error + NEAR * NEAR) - NEAR
    return AT_MOST * size / (AT_MOST + size) + TAIL * size


def weight(error):
    """The derivative of rho / the error."""
    root = math.sqrt(error * error + NEAR * NEAR)
    return ((AT_MOST / (AT_MOST + root - NEAR)) ** 2 + TAIL) / root


def solve(matrix, right):
    """The solution of a symmetric positive definite system, by Cholesky's decomposition; the matrix is overwritten."""
    count = len(right)
    for j in range(count):
        row = matrix[j]
        row[j] = math.sqrt(row[j] - math.fsum(value * value for value in row[:j]))
        for other in matrix[j + 1:]:
            other[j] = (other[j] - sum(map(operator.mul, other[:j], row[:j]))) / row[j]
    out = list(right)
    for j in range(count):
        out[j] = (out[j] - sum(map(operator.mul, matrix[j][:j], out[:j]))) / matrix[j][j]
    for j in reversed(range(count)):
        out[j] = (out[j] - math.fsum(matrix[k][j] * out[k] for k in range(j + 1, count))) / matrix[j][j]
    return out


class Fit:
    """The constants as logarithms, so that they stay positive; that of overlap - 1, so that it stays above 1."""

    def __init__(self, gpu, rows):
        self.gpu, self.kernels, self.of_kernel = gpu, sorted({row.kernel for row in rows}), {}
        self.rows = [(self.kernels.index(row.kernel), row.counts, math.log(1e-6 * row.measured)) for row in rows]
        for row in rows:
            self.of_kernel.setdefault(row.kernel, []).append((row.counts, 1e-6 * row.measured))
        self.names = [(None, name) for name in model.CONSTANTS]
        self.names += [(kernel, k) for kernel in self.kernels for k in range(len(model.PACE))]
        self.start = [self.inside(name, START[name] if not kernel else START_PACE[name]) for kernel, name in self.names]
        self.point = list(self.start)
        self.fixed = {k for k, (kernel, name) in enumerate(self.names) if kernel and self.is_fixed(kernel, model.PACE[name])}
        for k in self.fixed:
            self.point[k] = self.start[k] = -math.inf if model.PACE[self.names[k][1]] == "handover" else 0.0
        self.free = [k for k in range(len(self.names)) if k not in self.fixed]

    def keep_constants(self, other):
        """Fit the paces alone, at the constants of another fit."""
        for k, (kernel, _) in enumerate(self.names):
            if not kernel:
                self.point[k] = self.start[k] = other.point[k]
                self.fixed.add(k)
        self.free = [k for k in range(len(self.names)) if k not in self.fixed]

    def begin_at(self, other):
        """Descend from where a fit to more rows has ended."""
        there = dict(zip(other.names, other.point))
        self.point = [value if k in self.fixed else there[name] for k, (name, value) in enumerate(zip(self.names, self.point))]

    def is_fixed(self, kernel, name):
        """What a kernel moves is counted: a profiler shows that a library's asks for about the sectors of the kernel that stands
        for it. Only own kernels are known to hand sums over."""
        library = kernel.startswith("cusparse/")
        if name == "handover":
            return library or not any(counts[model.COUNTS.index("atomics")] for counts, _ in self.of_kernel[kernel])
        return name == "moved"

    @staticmethod
    def inside(name, value):
        return math.log(value - 1 if name == "overlap" else value)

    def constants(self, point=None):
        values = {name: math.exp((point or self.point)[k]) for k, name in enumerate(model.CONSTANTS)}
        values["overlap"] += 1
        return values

    def pace(self, kernel, point=None):
        first = len(model.CONSTANTS) + len(model.PACE) * self.kernels.index(kernel)
        return tuple(math.exp(value) for value in (point or self.point)[first:first + len(model.PACE)])

    def errors(self, point):
        of_gpu = model.Model(self.gpu, self.constants(point).values())
        paces = [self.pace(kernel, point) for kernel in self.kernels]
        return [math.log(of_gpu.seconds(paces[kernel], counts)) - measured for kernel, counts, measured in self.rows]

    def prior_of(self, k):
        kernel, name = self.names[k]
        return PRIOR_OVERLAP if kernel and model.PACE[name] == "overlap" else PRIOR

    def prior(self, point):
        return math.fsum(self.prior_of(k) * (point[k] - self.start[k]) ** 2 for k in self.free)

    def cost(self, point, errors):
        return math.fsum(map(rho, errors)) / len(errors) + self.prior(point)

    def derivatives(self, point, errors):
        """Of each row, (constant, derivative of its error) for those that it depends on. A member of the paces is moved in those of
        all kernels at once."""
        members, found = len(model.PACE), [[] for _ in errors]
        first = len(model.CONSTANTS)
        for number in range(first + members):
            moved = [number] if number < first else [k for k in range(number, len(point), members) if k not in self.fixed]
            there = list(point)
            for k in moved:
                there[k] += DIFFERENCE
            for row, entries, before, now in zip(self.rows, found, errors, self.errors(there)):
                k = number if number < first else number + members * row[0]
                if k not in self.fixed and now != before:
                    entries.append((k, (now - before) / DIFFERENCE))
        return found

    def system(self, point, errors):
        """The normal equations: the matrix, and minus the gradient, of the constants that are free."""
        place = {k: i for i, k in enumerate(self.free)}
        matrix = [[0.0] * len(self.free) for _ in self.free]
        right = [2 * self.prior_of(k) * (self.start[k] - point[k]) for k in self.free]
        for error, entries in zip(errors, self.derivatives(point, errors)):
            much = weight(error) / len(errors)
            for k, value in entries:
                row = matrix[place[k]]
                right[place[k]] -= much * error * value
                for other, more in entries:
                    row[place[other]] += much * value * more
        for i, k in enumerate(self.free):
            matrix[i][i] += 2 * self.prior_of(k)
        return matrix, right

    def step(self, point, matrix, right, damping):
        damped = [list(row) for row in matrix]
        for i, row in enumerate(damped):
            row[i] *= 1 + damping
        there = list(point)
        for k, by in zip(self.free, solve(damped, right)):
            there[k] += max(-1.0, min(1.0, by))
            if self.names[k][1] in AT_MOST_ONE:
                there[k] = min(there[k], 0.0)
        return there

    def descend(self):
        errors, damping = self.errors(self.point), 1e-2
        best = self.cost(self.point, errors)
        for _ in range(ROUNDS):
            matrix, right = self.system(self.point, errors)
            gained = 0.0
            while damping < 1e6 and not gained:
                there = self.step(self.point, matrix, right, damping)
                found = self.errors(there)
                now = self.cost(there, found)
                if now < best:
                    gained, best, self.point, errors = best - now, now, there, found
                    damping /= 5
                else:
                    damping *= 4
            if gained < LEAST_GAIN * best:
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
    """Fit to all but a part of the matrices, in turn, and forecast those: what chooses between models without the held-out rows. With 0
    folds, each matrix is a part."""
    whole = Fit(gpu, rows)
    whole.descend()
    matrices = sorted({row.matrix for row in rows})
    random.Random(1).shuffle(matrices)
    folds = folds or len(matrices)
    left_out, predicted = [], []
    for fold in range(folds):
        outside = set(matrices[fold::folds])
        fit = Fit(gpu, [row for row in rows if row.matrix not in outside])
        fit.begin_at(whole)
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
    """As .pace has it; requests of shared memory are left out where the kernel makes none, and what is not fitted."""
    pace = dict(zip(model.PACE, fit.pace(kernel)))
    if not any(counts[model.COUNTS.index("longest_shared")] for counts, _ in fit.of_kernel[kernel]):
        del pace["shared"]
    for name in ("moved", "handover"):
        if fit.is_fixed(kernel, name):
            del pace[name]
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
            if kernel in left and ".pace =" in part:
                parts[k] = re.sub(r"\.pace =\s*\{[^}]*\}", ".pace = " + pace_text(fit, kernel), part)
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
    apart, rows = [row for row in rows if row.kernel in APART], [row for row in rows if row.kernel not in APART]
    fit = Fit(gpu, rows)
    fit.descend()
    fits = [fit]
    if apart:
        fits.append(Fit(gpu, apart))
        fits[1].keep_constants(fit)
        fits[1].descend()
    for name, value in fit.constants().items():
        print(".%s = %s," % (name, short(value)))
    for some in fits:
        for kernel in some.kernels:
            print("%-20s .pace = %s" % (kernel, pace_text(some, kernel)))
    print_errors("fitted", rows, [fit.predict(row) for row in rows])
    if apart:
        print_errors("apart", apart, [fits[1].predict(row) for row in apart])
    if options.folds:
        cross_validate(gpu, rows, options.folds)
    if options.write:
        write_constants(os.path.join(here, os.pardir, os.pardir), fit)
        for some in fits:
            write_paces(os.path.join(here, os.pardir, os.pardir), some)


if __name__ == "__main__":
    main()
