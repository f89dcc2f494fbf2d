#!/usr/bin/env python3
"""A survey of many small matrices beside reading them: matrices a second, CPU and elapsed seconds of `sparsight survey FOLDER`, of the
same without forecasts (--only=structure,lengths,values,formats), and of processes of `sparsight report --only=matrix` that divide the same
files, read them and compute nothing, by turns, medians of each.

    survey.py SPARSIGHT [--count=N] [--seed=N] [--gz] [--jobs=N] [--repeat=N] [--keep=FOLDER] [--list]

The matrices are generated from the seed, as Matrix Market text or compressed. Their entries are log-uniform from 10^2 to 10^6, and their
kinds are mixed as in the SuiteSparse collection: grids in two and three dimensions, bands, blocks of finite elements, graphs with a
power law, rectangular random ones as of linear programs, arrows. 1,000 of them take 2.4 GB of disk, which --keep keeps for the next run.
"""
import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ENTRIES = (1e2, 1e6)


def laplace2d(entries, draw):
    n = max(3, round((entries / 5) ** 0.5))
    return "laplace2d,n=%d" % n


def dissection(entries, draw):
    return "dissection,n=%d" % max(3, round((entries / 5) ** 0.5))


def laplace3d(entries, draw):
    return "laplace3d,n=%d" % max(2, round((entries / 7) ** (1 / 3)))


def stencil27(entries, draw):
    return "stencil27,n=%d" % max(2, round((entries / 23) ** (1 / 3)))


def banded(entries, draw):
    lower, upper, fill = draw.randint(2, 60), draw.randint(2, 60), draw.choice((1, 0.5, 0.1))
    n = max(8, round(entries / (1 + fill * (lower + upper))))
    return "banded,n=%d,lower=%d,upper=%d,fill=%g" % (n, min(lower, n - 1), min(upper, n - 1), fill)


def blocks(entries, draw):
    size, mean = draw.choice((2, 3, 3, 4, 6)), draw.randint(3, 9)
    return "blocks,n=%d,size=%d,mean=%d" % (max(size * mean, round(entries / (size * mean))), size, mean)


def powerlaw(entries, draw):
    edge = draw.choice((3, 5, 8, 14))
    return "powerlaw,scale=%d,edge=%d" % (max(4, round(entries / edge).bit_length() - 1), edge)


def rectangular(entries, draw):
    mean = draw.choice((2, 3, 5, 9))
    m = max(8, round(entries / mean))
    n = max(8, mean + 1, round(m * draw.choice((0.3, 0.5, 1, 2, 4))))
    return "random,m=%d,n=%d,mean=%d,spread=%d" % (m, n, mean, draw.choice((0, mean - 1)))


def arrow(entries, draw):
    return "arrow,n=%d" % max(34, round(entries / 3))


# How often of 20: the collection's problems in two and three dimensions, of structures, of graphs, of optimisation.
KINDS = [laplace2d] * 2 + [dissection] + [laplace3d] * 2 + [stencil27] * 2 + [banded] * 3 + [blocks] * 3 + [powerlaw] * 3 + \
    [rectangular] * 3 + [arrow]


def specifications(count, seed):
    draw = random.Random(seed)
    for _ in range(count):
        entries = ENTRIES[0] * (ENTRIES[1] / ENTRIES[0]) ** draw.random()
        yield draw.choice(KINDS)(entries, draw)


def generate(program, specification, number, folder, ending):
    path = os.path.join(folder, "%04d-%s%s" % (number, specification.replace("=", ""), ending))
    if not os.path.exists(path):
        subprocess.run([program, "gen", specification, "-o", path], check=True)


def take(commands):
    """CPU seconds and elapsed seconds of commands that run at once."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    if any([process.wait() for process in running]):
        sys.exit("%s failed" % " ".join(commands[0][:4]))
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def survey(options, folder, only=""):
    with tempfile.TemporaryDirectory() as kept:
        record = os.path.join(kept, "survey.jsonl")
        chosen = ["--only=" + only] if only else []
        return take([[options.program, "survey", "--jobs=%d" % options.jobs] + chosen + ["-o", record, folder]])


def describe(options, folder):
    return survey(options, folder, "structure,lengths,values,formats")


def read(options, folder):
    files = sorted(entry.path for entry in os.scandir(folder))
    each = max(1, os.cpu_count() // options.jobs)
    return take([[options.program, "report", "--only=matrix", "--format=jsonl", "--threads=%d" % each] + files[k::options.jobs]
                 for k in range(options.jobs) if files[k::options.jobs]])


def run(options, folder):
    ending = ".mtx.gz" if options.gz else ".mtx"
    for number, specification in enumerate(specifications(options.count, options.seed)):
        generate(options.program, specification, number, folder, ending)
    size = sum(entry.stat().st_size for entry in os.scandir(folder))
    print("%d matrices, %.1f MB, seed %d, %d jobs" % (options.count, size / 1e6, options.seed, options.jobs))
    works = (("reading", read), ("without forecasts", describe), ("survey", survey))
    taken = [[] for _ in works]
    for _ in range(options.repeat):
        for k, (_, work) in enumerate(works):
            taken[k].append(work(options, folder))
    medians = [[statistics.median(t[which] for t in some) for which in range(2)] for some in taken]
    print("%-18s %8s %12s %6s %10s %12s %6s" % ("", "CPU s", "a CPU second", "ratio", "elapsed s", "matrices/s", "ratio"))
    for (words, _), (cpu, wall) in zip(works, medians):
        print("%-18s %8.2f %12.1f %6.2f %10.2f %12.1f %6.2f" % (words, cpu, options.count / cpu, cpu / medians[0][0], wall,
                                                               options.count / wall, wall / medians[0][1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gz", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--keep", help="the folder for the matrices, which are kept")
    parser.add_argument("--list", action="store_true", help="print the generators' specifications, and run nothing")
    options = parser.parse_args()
    if options.list:
        print("\n".join(specifications(options.count, options.seed)))
    elif options.keep:
        os.makedirs(options.keep, exist_ok=True)
        run(options, options.keep)
    else:
        with tempfile.TemporaryDirectory() as folder:
            run(options, folder)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
