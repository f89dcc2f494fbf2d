"""What solved.py and petsc_solves.py share: the solves of `sparsight report --solve`, and their comparison with another program's."""
import json
import os
import subprocess
import sys
import tarfile

import numpy as np
import scipy.io
import scipy.sparse as sp

PROGRAM = sys.argv[1]
TOLERANCE, RESTART, BLOCK = 1e-8, 30, 8


def most_iterations(a):
    return 2000 if a.shape[0] < 3000 else 400


def matrix(name):
    """A file that the program reads, and the matrix."""
    path = name
    if name.startswith("gen:"):
        path = "generated.mtx"
        subprocess.run([PROGRAM, "gen", "-o", path, name[4:]], check=True)
    if name.endswith(".tar.gz"):
        path = os.path.basename(name)[:-7] + ".mtx"
        with tarfile.open(name) as archive:
            member = next((m for m in archive.getmembers() if m.name.endswith("/" + path)), None)
            if member:
                with open(path, "wb") as file:
                    file.write(archive.extractfile(member).read())
        if not member:  # Rutherford-Boeing, of which SciPy reads not all
            subprocess.run([PROGRAM, "convert", name, path], check=True)
    a = scipy.io.mmread(path)
    a = sp.csr_array(a.astype(complex if a.dtype.kind == "c" else float))
    a.sum_duplicates()
    a.sort_indices()
    return path, a


def solves(path, a):
    """The program's solves of A x = A times ones."""
    text = f"tol={TOLERANCE},max={most_iterations(a)},restart={RESTART},block={BLOCK},x=ones"
    output = subprocess.run([PROGRAM, "report", "--only=matrix", "--format=json", f"--solve={text}", path], check=True,
                            capture_output=True).stdout
    return json.loads(output)["matrices"][0]["solve"]


class Comparison:
    """The solves of one matrix beside those of the program `other`."""

    def __init__(self, name, other):
        self.name, self.other = name, other
        self.compared, self.near, self.worst, self.faults = 0, 0, 0, []

    def fault(self, run, text):
        self.faults.append(f"{run['method']} {run['preconditioner']}: {text}")

    def judge(self, run, expected):
        """`expected` has the iterations and the true residual of the other program, which both end below the tolerance."""
        count, residual = expected
        rounded = run["method"] == "bicgstab"
        self.compared += 1
        self.near += abs(run["iterations"] - count) <= 1
        self.worst = max(self.worst, abs(run["iterations"] - count))
        # Both stop at the first residual below the tolerance: these are of one size, unless a step decreases it a lot.
        if not rounded and run["end"] == "converged" and run["true_residual"] > 30 * max(residual, TOLERANCE / 30):
            self.fault(run, f"residual {run['true_residual']}, {self.other} {residual}")
        # The recurrences of bicgstab amplify rounding: its counts differ by more, and by most in long solves.
        share = 0.03 if not rounded else 0.25 if count <= 150 else 0.5
        if abs(run["iterations"] - count) > max(3, share * count):
            self.fault(run, f"{run['iterations']} iterations, {self.other} {count}")

    def tell(self):
        print(f"{'not ok' if self.faults else 'ok'} {self.name}: {self.compared} solves compared, {self.near} within an iteration, "
              f"at most {self.worst} apart", flush=True)
        for fault in self.faults:
            print("   ", fault)
        return self


def compare_all(compare):
    """Compare the matrices of the command line, and exit with 1 if one has a fault."""
    results = [compare(name).tell() for name in sys.argv[2:]]
    print(f"{len(results)} matrices, {sum(one.compared for one in results)} solves, {sum(one.near for one in results)} within an iteration")
    sys.exit(any(one.faults for one in results))
