"""Times how the Python package hands a matrix of SciPy over to the program: handover.py [ENTRIES [REPETITIONS]].

The aim is 10^7 entries in less than 0.3 s. The script prints the best and the median of several repetitions, of the file alone and
with the program's reading of it, beside numpy's own writer of such files. It needs numpy, SciPy and the program (SPARSIGHT)."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import scipy.sparse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import sparsight
from sparsight import _handover

AIM = 0.3  # seconds
ROW = 10  # entries of each row


def matrix(entries):
    """A csr matrix with so many entries, at random columns."""
    rows = entries // ROW
    random = numpy.random.default_rng(1)
    indices = random.integers(0, rows, rows * ROW, dtype=numpy.int32)
    offsets = numpy.arange(0, rows * ROW + 1, ROW, dtype=numpy.int32)
    return scipy.sparse.csr_matrix((random.random(rows * ROW), indices, offsets), shape=(rows, rows))


def ours(a):
    with _handover.operand(a):
        return


def numpys(a):
    with tempfile.TemporaryFile(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as file:
        scipy.sparse.save_npz(file, a, compressed=False)


def read(a):
    """Hand over, and let the program start, read the matrix, and write its arrays to nowhere."""
    with _handover.operand(a) as (file, word):
        subprocess.run([sparsight.program(), "convert", "--to=npz", word, "-"], stdin=file, stdout=subprocess.DEVNULL, check=True)


def measure(what, a, repetitions):
    """The wall times and the processor times of this process and its children, in seconds."""
    walls, cpus = [], []
    for _ in range(repetitions):
        before, start = os.times(), time.perf_counter()
        what(a)
        walls.append(time.perf_counter() - start)
        after = os.times()
        cpus.append(sum(after[:4]) - sum(before[:4]))
    return walls, cpus


def main():
    entries = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    a = matrix(entries)
    load = os.getloadavg()[0]
    print(f"csr, {a.shape[0]} rows, {a.nnz} entries, {(a.data.nbytes + a.indices.nbytes + a.indptr.nbytes) / 1e6:.0f} MB")
    print(f"numpy {numpy.__version__}, {os.cpu_count()} processors, load {load:.1f}, {repetitions} repetitions; seconds")
    print(f"{'':42}{'best':>8}{'median':>8}{'processor':>11}")
    bests = {}
    for title, what in (("handed over", ours), ("scipy.sparse.save_npz, in memory", numpys), ("handed over, read and written again", read)):
        walls, cpus = measure(what, a, repetitions)
        bests[title] = min(walls)
        print(f"{title:42}{min(walls):8.3f}{statistics.median(walls):8.3f}{min(cpus):11.3f}")
    best = bests["handed over"]
    print(f"aim: {AIM} s for 10^7 entries: {'reached' if best * 1e7 / a.nnz < AIM else 'not reached'} with {best * 1e7 / a.nnz:.3f} s")


if __name__ == "__main__":
    main()
