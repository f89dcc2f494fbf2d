#!/usr/bin/env python3
"""Forecasts for processors beside measured times.

processors.py SPARSIGHT --measure --tsv=FILE: measure the times on this machine, which has to be at rest, with the profile that is
kept for it or that SPARSIGHT_PROCESSOR names. The result is a table for intervals.py, with the columns of evaluate.py's and the
number of threads.

processors.py PROCESSOR_FORECASTS --table=FILE --profile=FILE [--tsv=FILE]: forecast the rows of a kept table again, by the profile of
the machine on which it was measured, and print the errors. This needs seconds, and times nothing.

Errors are printed for the rows `fitted`, which may be looked at while the model is changed, and for those `held out`, which may
not: a matrix is in one of the sets with all its rows.
"""
import argparse
import collections
import concurrent.futures
import csv
import datetime
import json
import os
import platform
import subprocess
import sys

import figures

FITTED = ("laplace2d,n=300", "stencil27,n=24", "random,m=40000,mean=8,spread=8", "powerlaw,scale=13,edge=10", "blocks,n=9000,size=6,mean=5",
          "banded,n=3000,lower=16,upper=8,fill=0.4", "dissection,n=63", "laplace3d,n=90", "random,m=400000,mean=8,spread=8",
          "random,m=120000,mean=8,spread=8", "random,m=1600000,mean=8,spread=8")
HELD_OUT = ("laplace3d,n=40", "stencil27,n=36", "random,m=100000,mean=6,spread=4", "powerlaw,scale=12,edge=16", "blocks,n=20000,size=4,mean=4",
            "dissection,n=200", "banded,n=20000,lower=40,upper=40,fill=0.3", "laplace2d,n=900", "powerlaw,scale=15,edge=10")
FILES = ("bcsstk33", "bayer10", "foundation_K", "rail_79841_A", "luxembourg", "wiki-Vote")  # held out, if they are there
# Of these the DIA and ELL formats are padded a hundredfold, and flushing the caches takes long.
SOME = ",".join("cpu/" + name for name in ("csr-omp", "csr-balanced", "csr-seq", "sell-omp", "jds-omp", "csc-omp", "csc-seq", "sell-compact",
                                           "csr-compact", "coo-omp"))
LARGE = ("random,m=1600000,mean=8,spread=8", "random,m=120000,mean=8,spread=8")
FLUSHED = ("laplace2d,n=300", "laplace3d,n=90", "random,m=400000,mean=8,spread=8", "stencil27,n=36", "random,m=100000,mean=6,spread=4",
           "rail_79841_A")
COLUMNS = ("set", "matrix", "rows", "entries", "caches", "kernel", "threads", "measured us", "median us", "forecast us", "error", "bound",
           "like")


def read_table(path):
    """The comments and the rows of a table."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.readlines()
    comments = [line for line in lines if line.startswith("#")]
    return comments, list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))


def write_table(path, comments, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.writelines(comments)
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: "%.5g" % row[key] if isinstance(row[key], float) else row[key] for key in COLUMNS})


def path_of(options, name):
    """The argument for a matrix of the table: a generator's, or a file of the folders. None if it is not there."""
    if name.startswith("gen:"):
        return name
    for folder in options.matrices.split(":"):
        for ending in (".mtx.gz", ".tar.gz", ".mtx"):
            path = os.path.join(folder, name + ending)
            if os.path.exists(path):
                return path
    return None


def rows_of(options, kind, name, flushed):
    path = path_of(options, name)
    if not path:
        print("Left out, not there: %s." % name, file=sys.stderr)
        return
    some = SOME if flushed or name[4:] in LARGE else "cpu"
    command = [options.program, "report", "--format=json", "--kernels=" + (options.kernels or some), "--threads=" + options.threads,
               "--repeat=%d" % options.repeat] + (["--cold"] if flushed else []) + [path]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    about = json.loads(done.stdout)["matrices"][0]
    for kernel in about["kernels"]:
        predicted = kernel["predicted"]
        if kernel["min_us"] is None or predicted is None:
            continue
        yield {"set": kind, "matrix": name, "rows": about["rows"], "entries": about["nnz"], "caches": "flushed" if flushed else "warm",
               "kernel": kernel["kernel"], "threads": kernel["threads"], "measured us": kernel["min_us"], "median us": kernel["median_us"],
               "forecast us": kernel["predicted_us"], "error": kernel["predicted_us"] / kernel["min_us"] - 1, "bound": predicted["bound"],
               "like": predicted["like"] or ""}


def about_machine(options):
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    return "# %s, %d processors, threads %s, shortest and median of at least %d samples, %s, %s%s\n" % (
        model, os.cpu_count(), options.threads, options.repeat, version, datetime.date.today().isoformat(), options.note and "; " + options.note)


def measure(options):
    jobs = [("fitted", "gen:" + spec) for spec in FITTED] + [("held out", "gen:" + spec) for spec in HELD_OUT]
    jobs += [("held out", name) for name in FILES]
    jobs = [(kind, name, False) for kind, name in jobs[:options.most]] + [
        (kind, name, True) for kind, name in jobs[:options.most] if name in FLUSHED or name[4:] in FLUSHED]
    rows = []
    for number, (kind, name, flushed) in enumerate(jobs):
        print("%d of %d: %s" % (number + 1, len(jobs), name), file=sys.stderr)
        rows += rows_of(options, kind, name, flushed)
        write_table(options.tsv, [about_machine(options)], rows)
    return rows


def forecast(options, rows):
    """Replace the forecasts of the rows; those without one are left out."""
    threads = sorted({row["threads"] for row in rows}, key=int)

    def forecasts_of(name):
        path = path_of(options, name)
        if not path:
            return name, {}
        done = subprocess.run([options.program, options.profile, path, *threads], stdout=subprocess.PIPE, text=True, check=True)
        return name, {(one["kernel"], str(one["threads"]), one["caches"]): one for one in json.loads(done.stdout)}

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = dict(pool.map(forecasts_of, sorted({row["matrix"] for row in rows})))
    kept = []
    for row in rows:
        one = found[row["matrix"]].get((row["kernel"], row["threads"], row["caches"]))
        if not one:
            continue
        measured = float(row["measured us"])
        kept.append({**row, "measured us": measured, "median us": float(row["median us"]), "forecast us": one["forecast us"],
                     "error": one["forecast us"] / measured - 1, "bound": one["bound"], "like": row.get("like") or "",
                     "inside": one["low us"] <= measured <= one["high us"]})
    absent = sorted({row["matrix"] for row in rows} - {row["matrix"] for row in kept})
    if absent:
        print("Left out, not there: %s." % ", ".join(absent))
    return kept


def reached_of(rows):
    """For each matrix, state of the caches and number of threads: best measured / measured of the kernel with the shortest forecast."""
    together = collections.defaultdict(list)
    for row in rows:
        together[row["matrix"], row["caches"], row["threads"]].append(row)
    return [min(row["measured us"] for row in some) / min(some, key=lambda row: row["forecast us"])["measured us"]
            for some in together.values()]


def print_figures(rows):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["set"], "", ""].append(row)
        groups[row["set"], "", str(row["threads"])].append(row)
        groups[row["set"], row["caches"], str(row["threads"])].append(row)
    print("%-9s %-8s %7s %5s  %6s %5s %5s %6s  %6s  %7s %5s" % ("set", "caches", "threads", "rows", "error:", "p90", "p95", "bias", "inside", "reached", "worst"))
    for (kind, caches, threads), some in sorted(groups.items()):
        errors, off, reached = [abs(row["error"]) for row in some], [row["error"] for row in some], reached_of(some)
        inside = "%5.0f%%" % (100 * sum(row["inside"] for row in some) / len(some)) if "inside" in some[0] else ""
        print("%-9s %-8s %7s %5d  %5.1f%% %4.0f%% %4.0f%% %+5.0f%%  %6s  %7.3f %5.2f" % (
            kind, caches or "all", threads or "all", len(some), *(100 * figures.quantile(errors, q) for q in (0.5, 0.9, 0.95)),
            100 * figures.quantile(off, 0.5), inside, figures.geometric_mean(reached), min(reached)))


def main():
    parser = argparse.ArgumentParser(description="Forecasts for processors beside measured times.")
    parser.add_argument("program", help="sparsight to measure, else processor_forecasts")
    parser.add_argument("--measure", action="store_true", help="time kernels on this machine")
    parser.add_argument("--tsv", help="the table to write")
    parser.add_argument("--table", help="the table whose rows are forecast")
    parser.add_argument("--profile", help="the profile of its machine")
    parser.add_argument("--matrices", default="", help="folders of matrices that are files, separated by :")
    parser.add_argument("--kernels", help="the kernels to time; default all, and on the slowest matrices some")
    parser.add_argument("--threads", default="1,%d" % os.cpu_count(), help="numbers of threads")
    parser.add_argument("--repeat", type=int, default=30, help="samples of each kernel at least")
    parser.add_argument("--note", default="", help="further facts on the machine")
    parser.add_argument("--most", type=int, default=None, help="take this number of the matrices")
    options = parser.parse_args()
    if options.measure:
        if not options.tsv:
            parser.error("--measure needs --tsv")
        rows = measure(options)
    else:
        if not options.table or not options.profile:
            parser.error("a table is forecast with --table and --profile")
        comments, rows = read_table(options.table)
        rows = forecast(options, rows)
        if options.tsv:
            write_table(options.tsv, comments, rows)
    print_figures(rows)


if __name__ == "__main__":
    main()
