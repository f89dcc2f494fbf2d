#!/usr/bin/env python3
"""processors.py SPARSIGHT --tsv=FILE: forecasts for the processors of this machine beside what they take, which is measured now. The
machine has to be at rest. What comes out is a table for intervals.py, with the columns of evaluate.py's and the number of threads.
"""
import argparse
import csv
import datetime
import json
import os
import platform
import subprocess
import sys

import figures

# Generated, so that every machine has them; the set says whether intervals are fitted to a matrix or held against it. A forecast
# for processors has no constants that are fitted.
MATRICES = (
    ("fitted", "laplace2d,n=300"), ("held out", "laplace3d,n=40"), ("fitted", "stencil27,n=24"), ("held out", "stencil27,n=36"),
    ("fitted", "random,m=40000,mean=8,spread=8"), ("held out", "random,m=100000,mean=6,spread=4"), ("fitted", "powerlaw,scale=13,edge=10"),
    ("held out", "powerlaw,scale=12,edge=16"), ("fitted", "blocks,n=9000,size=6,mean=5"), ("held out", "blocks,n=20000,size=4,mean=4"),
    ("fitted", "banded,n=3000,lower=16,upper=8,fill=0.4"), ("held out", "dissection,n=200"), ("fitted", "dissection,n=63"),
    ("held out", "banded,n=20000,lower=40,upper=40,fill=0.3"), ("fitted", "laplace3d,n=90"), ("held out", "laplace2d,n=900"),
    ("fitted", "random,m=400000,mean=8,spread=8"), ("held out", "powerlaw,scale=16,edge=10"))


def rows_of(options, kind, spec):
    command = [options.program, "report", "--format=json", "--kernels=" + options.kernels, "--threads=" + options.threads,
               "--repeat=%d" % options.repeat, "gen:" + spec]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    about = json.loads(done.stdout)["matrices"][0]
    for kernel in about["kernels"]:
        predicted = kernel["predicted"]
        measured = kernel["min_us" if options.shortest else "median_us"]
        if measured is None or predicted is None:
            continue
        yield {"set": kind, "matrix": "gen:" + spec, "rows": about["rows"], "entries": about["nnz"], "caches": "warm",
               "kernel": kernel["kernel"], "threads": kernel["threads"], "measured us": measured,
               "forecast us": kernel["predicted_us"], "error": kernel["predicted_us"] / measured - 1,
               "bound": predicted["bound"], "like": predicted["like"] or ""}


def write(options, rows):
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    with open(options.tsv, "w", newline="", encoding="utf-8") as file:
        file.write("# %s, %d processors, threads %s, %s of at least %d samples, %s, %s%s\n" % (
            model, os.cpu_count(), options.threads, "shortest" if options.shortest else "median", options.repeat, version,
            datetime.date.today().isoformat(), options.note and "; " + options.note))
        writer = csv.DictWriter(file, list(rows[0]), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: "%.4g" % value if isinstance(value, float) else value for key, value in row.items()})


def main():
    parser = argparse.ArgumentParser(description="Forecasts for processors beside measured times.")
    parser.add_argument("program", help="sparsight")
    parser.add_argument("--tsv", required=True, help="the file to write")
    parser.add_argument("--kernels", default="cpu", help="the kernels to time")
    parser.add_argument("--threads", default="1,%d" % os.cpu_count(), help="numbers of threads")
    parser.add_argument("--repeat", type=int, default=30, help="samples of each kernel at least")
    parser.add_argument("--shortest", action="store_true",
                        help="take the shortest sample in place of the median, on a machine that is not at rest")
    parser.add_argument("--note", default="", help="what else is to be said of the machine")
    parser.add_argument("--most", type=int, default=len(MATRICES), help="take so many of the matrices")
    options = parser.parse_args()
    rows = []
    for number, (kind, spec) in enumerate(MATRICES[:options.most]):
        print("%d of %d: %s" % (number + 1, len(MATRICES), spec), file=sys.stderr)
        rows += rows_of(options, kind, spec)
        write(options, rows)
    for kind in ("fitted", "held out"):
        some = [abs(row["error"]) for row in rows if row["set"] == kind]
        print("%-9s %4d rows, error: median %.1f%%, p90 %.1f%%, p95 %.1f%%" % (
            kind, len(some), *(100 * figures.quantile(some, q) for q in (0.5, 0.9, 0.95))))


if __name__ == "__main__":
    main()
