#!/usr/bin/env python3
"""Measure the memory of the explorer, screen by screen.

  memory.py [-p PROGRAM] [-s COLSxROWS] [-n SCREENS] [-t SECONDS] [MATRIX...]

The program runs in a terminal of its own. It first loads the matrix and shows its first screen, then each screen of
SCREENS in turn, until the background work has ended, for at most SECONDS a screen. For each screen the output has two
sizes in MiB and as multiples of the CSR arrays with values in double precision (8 (m + 1) + 12 nnz bytes, as `sparsight
report` counts m and nnz): the peak since the screen was opened (VmHWM of Linux, which is reset in between), and what is
resident in the end. The aim is 1.3 for the peak.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

from frames import Screen

AIM = 1.3
NAMES = {"1": "Summary", "2": "Pattern", "3": "Rows", "4": "Layouts", "5": "Warps", "6": "Kernels", "7": "Advice",
         "8": "Parts"}


def sizes(pid):
    """The peak and the present bytes of a process."""
    with open("/proc/%d/status" % pid) as file:
        lines = dict(line.split(":", 1) for line in file)
    return tuple(1024 * int(lines[key].split()[0]) for key in ("VmHWM", "VmRSS"))


def forget_peak(pid):
    with open("/proc/%d/clear_refs" % pid, "w") as file:
        file.write("5")


def arrays_bytes(program, matrix):
    """The bytes of a matrix's CSR arrays in memory, from its report."""
    report = subprocess.run([program, "report", "--format=json", "--only=matrix", "--kernels=none",
                             matrix], check=True, capture_output=True)
    entry = json.loads(report.stdout)["matrices"][0]
    return 8 * (entry["rows"] + 1) + 12 * entry["nnz"]


def tell(what, pid, arrays):
    peak, rest = sizes(pid)
    print("  %-10s peak %7.0f MiB %5.2f   in the end %7.0f MiB %5.2f%s" %
          (what, peak / 2**20, peak / arrays, rest / 2**20, rest / arrays, "   beyond the aim" if peak > AIM * arrays else ""),
          flush=True)
    forget_peak(pid)


def measure(options, matrix, wide, high):
    arrays = arrays_bytes(options.program, matrix)
    print("%s: CSR arrays %.0f MiB" % (matrix, arrays / 2**20), flush=True)
    screen = Screen([options.program, "--background=dark", "--no-config", matrix], wide, high)
    screen.settle(options.seconds)
    tell("loaded", screen.pid, arrays)
    for name in options.screens:
        screen.key(name)
        screen.settle(options.seconds)
        tell(NAMES[name], screen.pid, arrays)
    screen.end("q")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-p", "--program", default="./sparsight")
    parser.add_argument("-s", "--size", default="120x40")
    parser.add_argument("-n", "--screens", default="12345678", help="their keys")
    parser.add_argument("-t", "--seconds", type=float, default=600, help="at most, for a screen")
    parser.add_argument("matrices", nargs="*", default=["gen:stencil27,n=110", "gen:powerlaw,scale=20,edge=16"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_STATE_HOME=folder)
        for name in ("NO_COLOR", "TMUX", "STY", "COLORFGBG"):
            os.environ.pop(name, None)
        wide, high = map(int, options.size.split("x"))
        for matrix in options.matrices:
            measure(options, matrix, wide, high)


if __name__ == "__main__":
    sys.exit(main())
