#!/usr/bin/env python3
"""What a report takes beside reading its matrix: CPU seconds and elapsed seconds of `sparsight report FILE` and of
`sparsight report --only=matrix FILE`, which reads the matrix and computes nothing, by turns, medians of each.

    report.py SPARSIGHT [--matrices=FOLDER] [--repeat=N] [MATRIX...]

Without MATRIX: generated matrices of about 10^6 entries and more, one of 10^4, one of 4 x 4, and files of the folder. All are read
as Matrix Market text.
"""
import argparse
import gzip
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

GENERATED = ["gen:stencil27,n=40", "gen:random,m=150000,mean=10", "gen:powerlaw,scale=17,edge=12", "gen:random,m=1000,mean=10",
             "gen:dense,m=4,n=4"]
FILES = ["BOYD2_A.mtx.gz", "anisotropic3d7816.mtx.gz", "bcsstk33.mtx.gz", "rail_79841_A.mtx.gz", "Groebner_id2003_aug.mtx.gz",
         "008.xyz-input631G.in.mtx.gz"]


def as_text(program, matrix, folder):
    """Write the matrix as text into the folder. Returns the path."""
    name = os.path.basename(matrix).replace(".gz", "").replace("gen:", "")
    path = os.path.join(folder, name if name.endswith(".mtx") else name + ".mtx")
    if matrix.startswith("gen:"):
        subprocess.run([program, "gen", matrix[4:], "-o", path], check=True)
    else:
        with (gzip.open if matrix.endswith(".gz") else open)(matrix, "rb") as source, open(path, "wb") as copy:
            copy.write(source.read())
    return path


def take(command):
    """CPU seconds and elapsed seconds of a command."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--matrices", default="../shared/matrices")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("matrix", nargs="*")
    options = parser.parse_args()
    files = [os.path.join(options.matrices, name) for name in FILES]
    matrices = options.matrix or GENERATED + [path for path in files if os.path.exists(path)]
    print("%-34s %9s   %8s %8s %6s   %8s %8s %6s" % ("matrix", "MB", "read CPU", "report", "ratio", "elapsed", "report", "ratio"))
    with tempfile.TemporaryDirectory() as folder:
        for matrix in matrices:
            path = as_text(options.program, matrix, folder)
            commands = [[options.program, "report", "--only=matrix", path], [options.program, "report", path]]
            taken = [[], []]
            for _ in range(options.repeat):
                for k in range(2):
                    taken[k].append(take(commands[k]))
            cpu, wall = ([statistics.median(t[which] for t in taken[k]) for k in range(2)] for which in range(2))
            print("%-34s %9.2f   %7.1fm %7.1fm %6.2f   %7.1fm %7.1fm %6.2f" %
                  (os.path.basename(path)[:34], os.path.getsize(path) / 1e6, 1e3 * cpu[0], 1e3 * cpu[1], cpu[1] / cpu[0],
                   1e3 * wall[0], 1e3 * wall[1], wall[1] / wall[0]))
            sys.stdout.flush()
            os.remove(path)


if __name__ == "__main__":
    main()
