"""Measured times of kernels of a GPU, and the reports in which sparsight forecasts them on any machine.

A table of times is tab-separated, as data/measured/times-*.tsv: a line for each kernel that was timed on a matrix, with the run
that it belongs to ("first" is what constants were fitted to), the state of caches (warm or cold), and the median in microseconds.
"""
import csv
import hashlib
import json
import os
import subprocess
import sys

FITTED = "first"  # the run that constants were fitted to; all others are held out
# The behaviour of kernels before they had a parameter that a table does not name.
BEFORE = {"cuda/csr-balanced": {"values": "full"}, "cuda/sell": {"values": "full"}}


class Row:
    """A kernel that was timed on a matrix, with what the report says of it."""

    def __init__(self, line):
        self.run = line["run"]
        self.fitted = self.run == FITTED
        self.matrix = line["matrix"]
        self.entries = int(line["entries"])
        self.kernel = line["kernel"]
        self.parameters = line["parameters"]
        self.precision = line["precision"]
        self.cold = line["caches"] == "cold"
        self.measured = float(line["median us"])
        self.own = not self.kernel.startswith("cusparse/")
        self.predicted = None  # in microseconds; None if there is no forecast
        self.low = self.high = None  # of its 80% interval
        self.like = None  # the own kernel through which a library's is forecast
        self.bound = None
        self.counts = None  # what the terms of the forecast are made of (model.py)
        self.found = None  # the kernel's object in the report
        self.about = None  # the matrix's

    @property
    def choice(self):
        """The kernel with the parameters that it was timed with, as the program takes them."""
        given = [self.parameters] if self.parameters else []
        given += ["%s=%s" % item for item in BEFORE.get(self.kernel, {}).items() if item[0] + "=" not in self.parameters]
        return ":".join([self.kernel] + ([",".join(given)] if given else []))

    @property
    def state(self):
        return "cold" if self.cold else "warm"

    @property
    def inside(self):
        """Whether what was measured lies in the interval of the forecast."""
        return self.low <= self.measured <= self.high

    @property
    def error(self):
        """The forecast / what was measured - 1."""
        return self.predicted / self.measured - 1


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [Row(line) for line in csv.DictReader(file, delimiter="\t")]


def source_of(matrix, folders):
    """What the program is given for a matrix of the table: a generator's specification, or a file in one of the folders, which :
    separates; None if it is not there."""
    if matrix.startswith("gen:"):
        return matrix
    paths = [os.path.join(folder, matrix) for folder in folders.split(":")]
    return next((path for path in paths if os.path.exists(path)), None)


class Reports:
    """The program's reports on matrices, which are kept in a folder of each profile and made anew once the program is newer."""

    def __init__(self, program, gpu, kept):
        with open(gpu, "rb") as file:
            profile = hashlib.sha256(file.read()).hexdigest()[:8]
        self.program, self.gpu, self.kept = program, gpu, os.path.join(kept, profile)
        os.makedirs(self.kept, exist_ok=True)

    def of(self, matrix, source, cold, choices, precision="f64"):
        """The matrix's object, with the kernels of these choices."""
        kernels = " ".join(choices + ([precision] if precision != "f64" else []))
        path = self.path(matrix, ".%s.%s.json" % ("cold" if cold else "warm", hashlib.sha256(kernels.encode()).hexdigest()[:8]))
        if self.is_old(path):
            self.make(path, source, cold, " ".join(choices), precision)
        with open(path, encoding="utf-8") as file:
            return json.load(file)["matrices"][0]

    def path(self, matrix, ending):
        return os.path.join(self.kept, "".join(c if c.isalnum() or c in ".-" else "_" for c in matrix) + ending)

    def is_old(self, path):
        return not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(self.program)

    def make(self, path, source, cold, kernels, precision):
        command = [self.program, "report", "--format=json", "--gpu=" + self.gpu, "--precision=" + precision, "--kernels=" + kernels,
                   "--output=" + path + ".new"]
        run(command + (["--cold"] if cold else []) + [source])
        os.replace(path + ".new", path)

    def library_counts(self, matrix, source):
        """What is counted of the kernels that stand for cuSPARSE's, which reports do not have: of each, with warm caches and with
        flushed ones."""
        path = self.path(matrix, ".counts.json")
        if self.is_old(path):
            counts = os.path.join(os.path.dirname(self.program), "tests", "forecast", "counts")
            with open(path + ".new", "w", encoding="utf-8") as file:
                file.write(run([counts, self.gpu, source]))
            os.replace(path + ".new", path)
        with open(path, encoding="utf-8") as file:
            return json.load(file)


    def by_excerpt(self, program, entries, matrix, source, choices):
        """The forecasts of these choices by an excerpt: for each one the time, the ends of its interval and the bound with warm caches
        and with flushed ones, or null."""
        name = hashlib.sha256(" ".join(choices).encode()).hexdigest()[:8]
        path = self.path(matrix, ".excerpt%d.%s.json" % (entries, name))
        if self.is_old(path):
            with open(path + ".new", "w", encoding="utf-8") as file:
                file.write(run([program, self.gpu, str(entries), source] + choices))
            os.replace(path + ".new", path)
        with open(path, encoding="utf-8") as file:
            return json.load(file)["forecasts"]


def run(command):
    """Kernels that cannot run here are estimated, and forecast. On a machine with a GPU they would be timed as well."""
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="-1")
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("%s: %s" % (" ".join(command), done.stderr.strip()))
    return done.stdout


def text_of(value):
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def same_parameters(row, given):
    """Whether these parameters of a report are those of the table's row; those that it does not name are what they were then."""
    wanted = dict(item.split("=", 1) for item in row.parameters.split(",") if item)
    before = BEFORE.get(row.kernel, {})
    return {**before, **wanted} == {name: text_of(value) for name, value in given.items()}


def join(rows, reports, folders, progress=sys.stderr):
    """Fill in the rows. Returns the names of matrices that are not there, and the rows of other matrices that no report has,
    since the program does not take their parameters any more."""
    absent, unmatched, seen = [], [], {}
    for row in rows:
        seen.setdefault((row.matrix, row.cold, row.precision), []).append(row)
    for number, ((matrix, cold, precision), some) in enumerate(seen.items()):
        source = source_of(matrix, folders)
        if source is None:
            absent.append(matrix)
            continue
        if progress and progress.isatty():
            print("\r%d of %d: %-60s" % (number + 1, len(seen), matrix[:60]), end="", file=progress, flush=True)
        about = reports.of(matrix, source, cold, [row.choice for row in some], precision)
        for row in some:
            row.source = source
            take(row, about, unmatched)
    if progress and progress.isatty():
        print("\r%-80s\r" % "", end="", file=progress, flush=True)
    return sorted(set(absent)), unmatched


def take(row, about, unmatched):
    for found in about["kernels"]:
        named = found["kernel"] == row.kernel
        if named and (found["predicted_us"] is None or same_parameters(row, found["params"])):
            break
    else:
        unmatched.append(row)
        return
    row.about, row.found, row.predicted = about, found, found["predicted_us"]
    if row.predicted is not None:
        predicted = found["predicted"]
        row.like, row.bound = predicted["like"], predicted["bound"]
        row.low, row.high = predicted["low_us"], predicted["high_us"]


def by_excerpts(rows, reports, program, entries):
    """Replace the forecasts of rows that are filled in by those that the program makes from excerpts."""
    seen = {}
    for row in rows:
        if row.found:
            seen.setdefault(row.matrix, []).append(row)
    for matrix, some in seen.items():
        choices = sorted({row.choice for row in some})
        found = dict(zip(choices, reports.by_excerpt(program, entries, matrix, some[0].source, choices)))
        for row in some:
            forecast = found[row.choice][row.cold]
            row.predicted, row.low, row.high, row.bound = forecast or (None, None, None, None)


def add_options(parser):
    """The arguments that all programs here take."""
    here = os.path.dirname(os.path.abspath(__file__))
    data = os.path.join(here, os.pardir, os.pardir, "data")
    parser.add_argument("program", help="sparsight")
    parser.add_argument("--table", default=os.path.join(data, "measured", "times-h200-2026-11-29.tsv"), help="what was measured")
    parser.add_argument("--gpu", default=os.path.join(data, "gpus", "h200.gpu"), help="the profile of the GPU that it was measured on")
    parser.add_argument("--matrices", default=os.path.join(here, os.pardir, os.pardir, os.pardir, "shared", "matrices"),
                        help="the folder of the table's matrices that are files, or several with : between")
    parser.add_argument("--kept", default="forecast-reports", help="the folder for reports, which serve until the program is newer")
