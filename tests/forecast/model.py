"""The model of src/analysis/forecast/time.c, from the counts that reports have, and its constants as they stand in the sources."""
import os
import re

SECTOR = 32
# The constants of time.c, and those of each kernel (struct kernel_pace).
CONSTANTS = ("OVERLAP", "L1_SEEN", "MEMORY_SEEN", "L1_REACHED", "L2_REACHED", "DRAM_REACHED", "REDUCTIONS_REACHED", "NEXT_LAUNCHES")
PACE = ("turn", "request", "shared", "start")
# The own kernel whose counts those of a library's kernel are, as in src/kernels/cuda/cusparse.c.
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "GB/s": 1e9, "TB/s": 1e12}


def read_gpu(path):
    """The measured keys of a profile, in seconds and bytes/s."""
    gpu = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            key, _, value = line.split("#")[0].partition("=")
            number = re.match(r"\s*([0-9.]+)\s*(\S+)\s*$", value)
            if number and number.group(2) in UNITS:
                gpu[key.strip()] = float(number.group(1)) * UNITS[number.group(2)]
    return gpu


def counts_of(about, row, like):
    """What the terms are made of, or None if the report has no estimate of the kernel whose requests are counted."""
    found = row.found
    if like:
        wanted = [k for k in about["kernels"] if k["kernel"] == like and k["estimate"]]
        if row.kernel == "cusparse/sell":
            wanted = [k for k in wanted if k["params"]["sigma"] == 1]
        found = wanted[0] if wanted else None
    if found is None or not found["estimate"] or not found["predicted"]:
        return None
    estimate, steps = found["estimate"], found["estimate"]["steps"]
    state = "" if row.cold else "warm_"
    return {"loads": estimate["loads"]["sectors"],
            "misses": estimate["l2"]["misses"],
            "sectors": estimate["l2"]["sectors"],
            "reads": estimate["dram"][state + "reads"],
            "writes": estimate["dram"][state + "writes"],
            "added": estimate["reductions"]["sectors"] + estimate["atomics"]["sectors"],
            "arithmetic": 1e-6 * found["predicted"]["arithmetic_us"],
            **{key: steps[key] for key in ("launches", "longest", "longest_shared", "hottest", "requests", "shared", "turns")}}


def clamp(value):
    return min(max(value, 0.0), 1.0)


def terms_of(gpu, constant, pace, n):
    """(seconds that follow each other, the terms that overlap)."""
    turn, request, shared, start = pace
    loads = max(1.0, n["loads"])
    of_l1 = clamp(1 - n["misses"] / loads) * constant["L1_SEEN"] * (1 - gpu["L1 latency"] / gpu["L2 latency"])
    of_memory = clamp(n["reads"] / SECTOR / loads) * constant["MEMORY_SEEN"] * (gpu["memory latency"] / gpu["L2 latency"] - 1)
    latency = gpu["L2 latency"] * (1 - of_l1 + of_memory)
    of_shared = shared * gpu["shared memory latency"]
    launch = gpu["launch"] + (constant["NEXT_LAUNCHES"] * max(0, n["launches"] - 1) + start) * gpu["next launch"]
    return launch, (
        (turn * n["launches"] + request * n["longest"]) * latency + of_shared * n["longest_shared"],
        (turn * n["turns"] + request * n["requests"]) * latency + of_shared * n["shared"],
        n["loads"] * SECTOR / (constant["L1_REACHED"] * gpu["L1 bandwidth"]),
        n["sectors"] * SECTOR / (constant["L2_REACHED"] * gpu["L2 bandwidth"]),
        (n["reads"] / gpu["read bandwidth"] + n["writes"] / gpu["write bandwidth"]) / constant["DRAM_REACHED"],
        n["added"] * SECTOR / (constant["REDUCTIONS_REACHED"] * gpu["reduction bandwidth"]),
        n["hottest"] * gpu["meeting addition"],
        n["arithmetic"])


def seconds_of(gpu, constant, pace, n):
    launch, terms = terms_of(gpu, constant, pace, n)
    largest = max(terms)
    q = constant["OVERLAP"]
    return launch + largest * sum((term / largest) ** q for term in terms) ** (1 / q) if largest > 0 else launch
