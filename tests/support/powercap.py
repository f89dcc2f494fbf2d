"""Stands for RAPL: makes a folder with a processor package, whose counter goes up until this process ends.

    powercap.py FOLDER

The counter shows 20 W, begins 1 J before it wraps at 100 J, and is written every 2 ms. Each write replaces all of
its digits, so that a reader never finds a part."""

import os
import sys
import time

MICROJOULES_MAX = 100_000_000
WATTS = 20


def main():
    domain = os.path.join(sys.argv[1], "intel-rapl:0")
    os.makedirs(domain, exist_ok=True)
    with open(os.path.join(domain, "name"), "w") as file:
        file.write("package-0\n")
    with open(os.path.join(domain, "max_energy_range_uj"), "w") as file:
        file.write(f"{MICROJOULES_MAX}\n")
    parent, start = os.getppid(), time.monotonic()
    counter = os.open(os.path.join(domain, "energy_uj"), os.O_WRONLY | os.O_CREAT, 0o644)
    while os.getppid() == parent:
        joules = 99 + WATTS * (time.monotonic() - start)
        os.pwrite(counter, b"%020d\n" % (int(1e6 * joules) % MICROJOULES_MAX), 0)
        time.sleep(0.002)


main()
