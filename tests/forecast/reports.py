"""Measured times of kernels of a GPU, and the reports in which sparsight forecasts them on any machine.

A table of times is tab-separated, as data/measured/times-*.tsv: a line for each kernel that was timed on a matrix, with the run
that it belongs to ("first" is what constants were fitted to), the state of caches (warm or cold), and the median in microseconds.
"""
import csv
import json
import os
import subprocess
import sys

FITTED = "first"  # the run that constants were fitted to; all others are held out
# What is reported beside the default kernels: the storage that a kernel of cuSPARSE reads, in the own kernel that it is like.
KERNELS = "cuda cusparse cuda/sell:c=32,sigma=1"


class Row:
    """A kernel that was timed on a matrix, with what the report says of it."""

    def __init__(self, line):
        self.run = line["run"]
        self.fitted = self.run == FITTED
        self.matrix = line["matrix"]
        self.kernel = line["kernel"]
        self.parameters = line["parameters"]
        self.cold = line["caches"] == "cold"
        self.measured = float(line["median us"])
        self.own = not self.kernel.startswith("cusparse/")
        self.predicted = None  # in microseconds; None if there is no forecast
        self.low = self.high = None  # of its 80% interval
        self.like = None  # the own kernel through which a library's is forecast
        self.bound = None
        self.found = None  # the kernel's object in the report
        self.about = None  # the matrix's

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
    """The program's reports on matrices, which are kept in a folder and made anew once the program is newer."""

    def __init__(self, program, gpu, kept):
        self.program, self.gpu, self.kept = program, gpu, kept
        os.makedirs(kept, exist_ok=True)

    def of(self, matrix, source, cold):
        name = "".join(c if c.isalnum() or c in ".-" else "_" for c in matrix)
        path = os.path.join(self.kept, name + (".cold" if cold else ".warm") + ".json")
        newest = max(os.path.getmtime(self.program), os.path.getmtime(self.gpu))
        if not os.path.exists(path) or os.path.getmtime(path) < newest:
            self.make(path, source, cold)
        with open(path, encoding="utf-8") as file:
            return json.load(file)["matrices"][0]

    def make(self, path, source, cold):
        command = [self.program, "report", "--format=json", "--gpu=" + self.gpu, "--kernels=" + KERNELS, "--output=" + path + ".new"]
        # Kernels that cannot run here are estimated, and forecast. On a machine with a GPU they would be timed as well.
        environment = dict(os.environ, CUDA_VISIBLE_DEVICES="-1")
        done = subprocess.run(command + (["--cold"] if cold else []) + [source], env=environment, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit("%s: %s" % (source, done.stderr.strip() or "the report failed"))
        os.replace(path + ".new", path)


def text_of(value):
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def same_parameters(parameters, given):
    """Whether these parameters of the table are those of the report."""
    return parameters == ",".join("%s=%s" % (name, text_of(value)) for name, value in given.items())


def join(rows, reports, folders, progress=sys.stderr):
    """Fill in the rows. Returns the names of matrices that are not there, and the rows of other matrices that no report has,
    since their parameters are not those that the program chooses now."""
    absent, unmatched, seen = [], [], {}
    for row in rows:
        seen.setdefault((row.matrix, row.cold), []).append(row)
    for number, ((matrix, cold), some) in enumerate(seen.items()):
        source = source_of(matrix, folders)
        if source is None:
            absent.append(matrix)
            continue
        if progress and progress.isatty():
            print("\r%d of %d: %-60s" % (number + 1, len(seen), matrix[:60]), end="", file=progress, flush=True)
        about = reports.of(matrix, source, cold)
        for row in some:
            take(row, about, unmatched)
    if progress and progress.isatty():
        print("\r%-80s\r" % "", end="", file=progress, flush=True)
    return sorted(set(absent)), unmatched


def take(row, about, unmatched):
    for found in about["kernels"]:
        named = found["kernel"] == row.kernel
        if named and (found["predicted_us"] is None or same_parameters(row.parameters, found["params"])):
            break
    else:
        unmatched.append(row)
        return
    row.about, row.found, row.predicted = about, found, found["predicted_us"]
    if row.predicted is not None:
        predicted = found["predicted"]
        row.like, row.bound = predicted["like"], predicted["bound"]
        row.low, row.high = predicted["low_us"], predicted["high_us"]


def add_options(parser):
    """The arguments that all programs here take."""
    here = os.path.dirname(os.path.abspath(__file__))
    data = os.path.join(here, os.pardir, os.pardir, "data")
    parser.add_argument("program", help="sparsight")
    parser.add_argument("--table", default=os.path.join(data, "measured", "times-h200-2026-11-23.tsv"), help="what was measured")
    parser.add_argument("--gpu", default=os.path.join(data, "gpus", "h200.gpu"), help="the profile of the GPU that it was measured on")
    parser.add_argument("--matrices", default=os.path.join(here, os.pardir, os.pardir, os.pardir, "shared", "matrices"),
                        help="the folder of the table's matrices that are files, or several with : between")
    parser.add_argument("--kept", default="forecast-reports", help="the folder for reports, which serve until the program is newer")
