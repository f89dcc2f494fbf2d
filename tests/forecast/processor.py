"""How right the forecast of times on this machine's processors is: forecast and measured times of all kernels of the
host on matrices that nothing was fitted to (no constant of that forecast is fitted), with all threads.

    processor.py SPARSIGHT [--folder=FOLDER]... [--matrix=MATRIX]... [--generated] [--rounds=N] [--repeat=N] [--threads=N] [--tsv=FILE]

Each matrix is reported on N times, in rounds over all matrices, so that other work falls on all alike, and the fastest
sample of each kernel counts: other work only makes slower. It prints, and fails only where no report can be made."""
import argparse
import glob
import json
import math
import os
import platform
import statistics
import subprocess
import sys

GENERATED = [
    "gen:laplace2d,n=60", "gen:laplace2d,n=400", "gen:stencil27,n=20", "gen:stencil27,n=40",
    "gen:random,m=20000,mean=12,spread=10", "gen:random,m=300000,mean=8,spread=4", "gen:powerlaw,scale=12,edge=8",
    "gen:powerlaw,scale=16,edge=8", "gen:banded,n=20000,lower=16,upper=16,fill=0.5", "gen:blocks,m=3000,size=3,mean=6",
]
ENDINGS = (".mtx", ".mtx.gz", ".tar.gz")


def report(arguments, matrix, seed):
    """The rows of one report on a matrix; None if there is none."""
    command = [arguments.program, "report", "--format=json", "--kernels=cpu/*", "--repeat=%d" % arguments.repeat,
               "--seed=%d" % seed, "--gpu=h200"]
    if arguments.threads:
        command.append("--threads=%d" % arguments.threads)
    done = subprocess.run(command + [matrix], capture_output=True, text=True, check=False)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        print("%s: %s" % (matrix, done.stderr.strip()[-200:]), file=sys.stderr)
        return None
    return document["matrices"][0] if document["matrices"] else None


def measure(arguments, matrices):
    """For each matrix its kernels: {label: [forecast us, fastest us]}."""
    found = {}
    for round_ in range(arguments.rounds):
        for matrix in matrices:
            made = report(arguments, matrix, round_ + 1)
            if not made:
                continue
            kernels = found.setdefault(matrix, {})
            for row in made["kernels"]:
                if row["unavailable"] or not row["min_us"] or not row["predicted_us"]:
                    continue
                known = kernels.setdefault(row["label"], [row["predicted_us"], math.inf])
                known[0] = row["predicted_us"]
                known[1] = min(known[1], row["min_us"])
    return {matrix: kernels for matrix, kernels in found.items() if len(kernels) > 2}


def quantile(numbers, share):
    numbers = sorted(numbers)
    return numbers[min(len(numbers) - 1, int(share * len(numbers)))]


def ranks(numbers):
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    place = [0] * len(numbers)
    for rank, k in enumerate(order):
        place[k] = rank
    return place


def correlation(a, b):
    """Spearman's, without ties."""
    n = len(a)
    distance = sum((x - y) ** 2 for x, y in zip(ranks(a), ranks(b)))
    return 1 - 6 * distance / (n * (n * n - 1))


def name_of(matrix):
    return matrix if matrix.startswith("gen:") else os.path.basename(matrix)


def evaluate(found, tsv):
    errors, reached, correlations, by_kernel = [], [], [], {}
    print("%-44s %7s %7s %7s %7s  %s" % ("matrix", "median", "p95", "rank", "reached", "chosen, best"))
    for matrix, kernels in found.items():
        own = []
        for label, (forecast, measured) in kernels.items():
            error = forecast / measured - 1
            own.append(abs(error))
            by_kernel.setdefault(label, []).append(error)
            if tsv:
                print("%s\t%s\t%.6g\t%.6g" % (name_of(matrix), label, forecast, measured), file=tsv)
        chosen = min(kernels, key=lambda label: kernels[label][0])
        best = min(kernels, key=lambda label: kernels[label][1])
        reached.append(kernels[best][1] / kernels[chosen][1])
        correlations.append(correlation(*zip(*kernels.values())))
        errors += own
        print("%-44.44s %6.0f%% %6.0f%% %7.2f %7.2f  %s, %s" % (name_of(matrix), 100 * statistics.median(own),
              100 * quantile(own, 0.95), correlations[-1], reached[-1], chosen, best))
    print("\n%-44s %7s %7s %7s" % ("kernel", "median", "bias", "p95"))
    for label in sorted(by_kernel):
        own = by_kernel[label]
        print("%-44.44s %6.0f%% %+6.0f%% %6.0f%%" % (label, 100 * statistics.median(map(abs, own)),
              100 * statistics.median(own), 100 * quantile([abs(e) for e in own], 0.95)))
    print("\n%d forecasts on %d matrices: error %.1f%% in the median (aim 12%%), %.0f%% at the 95th percentile" % (
        len(errors), len(found), 100 * statistics.median(errors), 100 * quantile(errors, 0.95)))
    print("chosen / best measured %.3f in geometric mean (aim 0.95), %.2f at worst; rank correlation %.2f in the mean" % (
        math.exp(statistics.fmean(map(math.log, reached))), min(reached), statistics.fmean(correlations)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--folder", action="append", default=[])
    parser.add_argument("--generated", action="store_true")
    parser.add_argument("--matrix", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--most", type=int, default=10 ** 6, help="bytes of a file at most")
    parser.add_argument("--tsv")
    arguments = parser.parse_args()
    matrices = list(arguments.matrix)
    if arguments.generated or not (arguments.folder or arguments.matrix):
        matrices += GENERATED
    for folder in arguments.folder:
        matrices += sorted(path for path in glob.glob(os.path.join(folder, "*"))
                           if path.endswith(ENDINGS) and os.path.getsize(path) <= arguments.most)
    load = open("/proc/loadavg", encoding="ascii").read().split()[0] if os.path.exists("/proc/loadavg") else "unknown"
    print("%s, %d processors, load of the last minute %s, %d rounds of %d samples, the fastest counts\n" % (
        platform.processor() or platform.machine(), os.cpu_count(), load, arguments.rounds, arguments.repeat))
    found = measure(arguments, matrices)
    if not found:
        sys.exit("no matrix could be reported on")
    if arguments.tsv:
        with open(arguments.tsv, "w", encoding="utf-8") as tsv:
            print("matrix\tkernel\tforecast_us\tmin_us", file=tsv)
            evaluate(found, tsv)
    else:
        evaluate(found, None)


main()
