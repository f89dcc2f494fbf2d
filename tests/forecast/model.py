"""The model of src/analysis/forecast/time.c, from the counts that reports have."""
import math
import re

SECTOR = 32
VALUE_BYTES = 8  # of the rows that are fitted
FUSED = 64 * 1.5e9  # multiplications and additions of a multiprocessor in a second, as gpu_arithmetic has them for H200
# The members of struct time_constants in time.c, and those of each kernel (struct kernel_pace).
CONSTANTS = ("overlap", "l1_seen", "memory_seen", "l1_reached", "l1_lines", "l2_reached", "dram_reached", "reductions_reached",
             "reductions_again", "shared_pass", "next_launches", "early_launch", "alone_seen", "alone_missed")
PACE = ("turn", "request", "shared", "start", "moved", "handover", "overlap")
WAVE_FULL = 0.2  # as in time.c
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "GB/s": 1e9, "TB/s": 1e12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def read_gpu(path):
    """The measured keys of a profile, in seconds and bytes/s."""
    gpu = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            key, _, value = line.split("#")[0].partition("=")
            number = re.match(r"\s*([0-9.]+)\s*(\S+)\s*$", value)
            if key.strip() == "multiprocessors":
                gpu["multiprocessors"] = int(value)
            if number and number.group(2) in UNITS:
                gpu[key.strip()] = float(number.group(1)) * UNITS[number.group(2)]
    return gpu


COUNTS = ("loads", "misses", "sectors", "reads", "writes", "added", "slots", "launches", "longest", "longest_shared", "hottest",
          "requests", "shared", "turns", "passes", "early", "lines", "atomics", "again", "longest_hits",
          "longest_missed", "served")


def counts_of(row, reports):
    """What the terms are made of, in the order of COUNTS; None if the row has no forecast."""
    if not row.own:
        return row.predicted and tuple(reports.library_counts(row.matrix, row.source)[row.kernel][row.cold])
    if not row.found["estimate"] or not row.found["predicted"]:
        return None
    estimate, steps = row.found["estimate"], row.found["estimate"]["steps"]
    state = "" if row.cold else "warm_"
    return (estimate["loads"]["sectors"], estimate["l2"]["misses"], estimate["l2"]["sectors"],
            estimate["dram"][state + "reads"], estimate["dram"][state + "writes"],
            estimate["reductions"]["sectors"] + estimate["atomics"]["sectors"], value_slots(estimate),
            *(steps[key] for key in COUNTS[7:14]),
            estimate["operands"]["shared"]["requests"] + estimate["bank_conflicts"],
            int(row.found["params"].get("early", 0) and steps["launches"] > 0 and not row.cold), estimate["loads"]["lines"],
            estimate["atomics"]["requests"], sum(again_of(estimate[key]) for key in ("reductions", "atomics")),
            *(steps[key] for key in ("longest_hits", "longest_missed")), estimate["l2"]["served"])


def again_of(added):
    """The sectors that are added to x the share of lanes that meet others in an element."""
    return added["sectors"] * added["conflicts"] * VALUE_BYTES / max(1, added["bytes"])


def value_slots(estimate):
    return estimate["operands"]["values"]["bytes"] / VALUE_BYTES


def clamp(value):
    return min(max(value, 0.0), 1.0)


class Model:
    """The model for a GPU with some constants, in the order of CONSTANTS."""

    def __init__(self, gpu, constants):
        (self.q, l1_seen, memory_seen, l1_reached, l1_lines, l2_reached, dram_reached, reductions_reached, self.again,
         shared_pass, next_launches, early_launch, alone_seen, alone_missed) = constants
        self.l2_latency, self.shared_latency = gpu["L2 latency"], gpu["shared memory latency"]
        self.saved = l1_seen * (gpu["L2 latency"] - gpu["L1 latency"])
        self.saved_alone = alone_seen * (gpu["L2 latency"] - gpu["L1 latency"])
        self.added = memory_seen * (gpu["memory latency"] - gpu["L2 latency"])
        self.l1, self.l2 = SECTOR / (l1_reached * gpu["L1 bandwidth"]), SECTOR / (l2_reached * gpu["L2 bandwidth"])
        self.lines = SECTOR / (l1_lines * gpu["L1 bandwidth"])
        self.read = 1 / (gpu["read bandwidth"] * dram_reached)
        self.write = 1 / (gpu["write bandwidth"] * dram_reached)
        self.sector_alone = alone_missed * SECTOR * gpu["multiprocessors"] / gpu["L2 bandwidth"]
        self.reductions = SECTOR / (reductions_reached * gpu["reduction bandwidth"])
        self.meeting, self.launch, self.next = gpu["meeting addition"], gpu["launch"], gpu["next launch"]
        self.arithmetic = FUSED * gpu["multiprocessors"]
        self.shared_pass = shared_pass / gpu["multiprocessors"]
        self.further = next_launches * gpu["next launch"]
        self.early = min(gpu["launch"], gpu.get("early launch", early_launch * gpu["launch"]))

    def of_longest(self, latency, memory, longest, hits, missed, requests, turns):
        """The latency that the longest warp sees: that of all while others are as long, and then that of its own requests."""
        if not longest or not turns > 0:
            return latency
        among, hits = min(1.0, requests / turns / longest), hits / longest
        alone = self.l2_latency - hits * self.saved_alone + (1 - hits) * memory + self.sector_alone * missed / longest
        return among * latency + (1 - among) * alone

    def seconds(self, pace, counts):
        (loads, misses, sectors, reads, writes, added, slots, launches, longest, longest_shared, hottest, requests, shared,
         turns, passes, early, lines, atomics, again, hits, missed, served) = counts
        turn, request, of_shared, start, moved, handover, overlap = pace
        memory = clamp(reads / SECTOR / max(1.0, misses)) * self.added
        latency = self.l2_latency - served * self.saved + (1 - served) * memory
        of_shared *= self.shared_latency
        handover *= self.l2_latency if atomics else 0
        chain = (turn * launches + request * longest) * self.of_longest(latency, memory, longest, hits, missed, requests, turns) + of_shared * longest_shared + handover
        waiting = (turn * turns + request * requests) * latency + of_shared * shared
        if launches == 1 and turns > 0:
            whole = math.floor(turns)
            waiting = max(1, whole + min(1, (turns - whole) / WAVE_FULL)) * (waiting / turns + handover)
        q = 1 + (self.q - 1) * overlap
        launch = (self.early if early else self.launch) + self.further * max(0, launches - 1) + start * self.next
        return launch + (chain ** q + waiting ** q + (moved * (loads * self.l1 + lines * self.lines)) ** q +
                         (moved * sectors * self.l2) ** q + (reads * self.read + writes * self.write) ** q +
                         ((added + self.again * again) * self.reductions) ** q + (hottest * self.meeting) ** q +
                         (slots / self.arithmetic + passes * self.shared_pass) ** q) ** (1 / q)
