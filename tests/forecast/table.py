#!/usr/bin/env python3
"""table.py RUN FOLDER...: the table of times of the reports that tests/bench/gpu_times.sh has put into folders, as data/measured/times-*.tsv
has it, to standard output. RUN is the name of its run: "first" is what constants are fitted to, all others are held out."""
import csv
import glob
import json
import os
import sys

import reports

COLUMNS = ("run", "matrix", "rows", "entries", "kernel", "parameters", "precision", "caches", "median us", "low us", "high us")


def lines_of(run, path):
    with open(path, encoding="utf-8") as file:
        about = json.load(file)["matrices"][0]
    caches = "cold" if path.endswith(".cold.json") else "warm"
    for found in about["kernels"]:
        if found["median_us"] is None:
            continue
        parameters = ",".join("%s=%s" % (name, reports.text_of(value)) for name, value in found["params"].items())
        times = ["%.4g" % found[key] for key in ("median_us", "low_us", "high_us")]
        matrix = about["path"] if about["path"].startswith("gen:") else os.path.basename(about["path"])
        yield [run, matrix, about["rows"], about["nnz"], found["kernel"], parameters, found["precision"], caches] + times


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: table.py RUN FOLDER...")
    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    writer.writerow(COLUMNS)
    for folder in sys.argv[2:]:
        for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
            writer.writerows(lines_of(sys.argv[1], path))


if __name__ == "__main__":
    main()
