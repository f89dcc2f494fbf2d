#!/usr/bin/env python3
"""Let every call of the system fail in turn, and hold what a command makes of it against what it promises: it ends
by itself with 0 or 1, with 1 it says why, its output is absent (or the old one) or whole, and nothing else is left:
no temporary file, no open file, no process.

    failures.py PROGRAM LIBRARY [COMMAND]...   of the table below, default all; writes into the current folder

LIBRARY is tests/support/failing.so, preloaded. FAILURES=all in the environment tries every call instead of some.
"""
import concurrent.futures
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys

PROGRAM, LIBRARY = (os.path.abspath(path) for path in sys.argv[1:3])
EVERY = os.environ.get("FAILURES") == "all"
PATIENCE = 240  # seconds that a command may take on a busy machine
MOST = 3  # calls of a kind that are tried, unless all are
SLOW = {"report-kernels", "report-structure", "report-convert", "survey-plots"}  # of which there are less
ENOENT, EINTR, EIO, EAGAIN, ENOMEM, EACCES, EXDEV, EMFILE, ENOSPC, ESPIPE = 2, 4, 5, 11, 12, 13, 18, 24, 28, 29

# Kind of call, how it fails, and how many of them from there on (0: all).
WAYS = [
    ("open", EMFILE, 1), ("open", EACCES, 0), ("read", EIO, 1), ("read", "short", 1), ("write", ENOSPC, 0),
    ("write", EIO, 1), ("write", "short", 1), ("map", ENOMEM, 1), ("thread", EAGAIN, 1), ("thread", EAGAIN, 0),
    ("fork", EAGAIN, 1), ("fork", EAGAIN, 0), ("close", EIO, 1), ("rename", EACCES, 1), ("truncate", EIO, 1),
    ("system", EACCES, 1), ("system", EIO, 0), ("seek", ESPIPE, 1), ("stat", EACCES, 1), ("pipe", EMFILE, 1), ("lock", EAGAIN, 1), ("wait", EINTR, 1),
    ("memory", ENOMEM, 1), ("memory", ENOMEM, 0), ("message", EIO, 1),
]

# Name, arguments, files that are written (behind ">": the old one is there before), and what of standard output
# may differ where something failed of which the command does without.
COMMANDS = {}


def command(name, arguments, outputs="", loose=False, old=False, folder=None):
    COMMANDS[name] = (arguments.split(), outputs.split(), loose, old, folder)


for ending in "mtx npz rb mat petsc bsp.h5 mtx.gz npz.xz".split():
    command(f"write-{ending}", f"convert ../in/a.mtx out.{ending}", f"out.{ending}")
for ending in "npz rb mat petsc bsp.h5 mtx.gz npz.xz csv graph".split():
    command(f"read-{ending}", f"convert ../in/a.{ending} out.mtx", "out.mtx")
command("member", "convert ../in/a.tar.gz:a.mtx out.npz", "out.npz")
command("over", "convert ../in/a.mtx out.npz", "out.npz", old=True)
command("permutation", "convert --reorder=rcm --permutation=p.mtx ../in/a.mtx out.npz", "p.mtx out.npz")
command("gen", "gen laplace2d,n=9 -o out.mtx", "out.mtx")
for form in "text json jsonl csv markdown html".split():
    command(f"report-{form}", f"report --format={form} ../in/a.mtx ../in/a.npz", loose=True)
command("report-structure", "report --format=json --structure --reorder=rcm,amd,nd --parts=2,4 ../in/a.mtx", loose=True)
command("report-stream", "report --format=json --stream ../in/a.mtx", loose=True)
command("report-convert", "report --format=json --convert=all ../in/a.mtx", loose=True)
command("report-kernels", "report --format=json --kernels=cpu/csr-omp --limit=8M --repeat=2 --warmup=0 ../in/a.mtx", loose=True)
for form in "svg png pdf".split():
    command(f"plot-{form}", f"plot ../in/a.mtx -o out.{form}", f"out.{form}")
command("plot-owners", "plot pattern --by=owner --parts=2 ../in/a.mtx -o out.svg", "out.svg")
command("compare", "compare ../in/r.json ../in/r.json")
command("survey", "survey --jobs=2 -o s.jsonl ../in/a.mtx ../in/a.npz ../in/a.rb", "s.jsonl", loose=True)
command("survey-plots", "survey --plots=. -o s.jsonl --kernels=cpu/csr-seq --limit=8M --repeat=2 ../in/a.mtx ../in/a.npz", "s.jsonl", loose=True, folder=r".*\.svg")
command("survey-again", "survey --resume -o s.jsonl ../in/a.mtx ../in/a.npz", "s.jsonl", loose=True, folder=None)
command("kernels", "kernels", loose=True)
command("manual", "manual ../in/a.graph", loose=True)
command("schema", "schema")
command("completion", "completion bash")
command("help", "report --help", loose=True)


class Run:
    """One run of a command in a fresh folder, whose n-th call of a kind fails."""

    def __init__(self, name, kind, how, times, number):
        arguments, self.outputs, self.loose, old, self.extra = COMMANDS[name]
        self.what = f"{name}: {kind} {how} {number}" + ("" if times else "-")
        self.number = number
        self.folder = f"{name}-{kind}-{how}-{times}-{number}"
        os.makedirs(self.folder + ".tmp")
        os.makedirs(self.folder)
        if old:
            for output in self.outputs:
                self.put(output, b"old\n")
        if name == "survey-again":
            shutil.copy("in/s.jsonl", self.folder)
        self.before = self.files()
        log = os.path.abspath(self.folder + ".log")
        environment = dict(
            os.environ, LD_PRELOAD=LIBRARY, FAILING_CALLS=kind, FAILING_HOW=str(how), FAILING_TIMES=str(times),
            FAILING_AT=str(number), FAILING_LOG=log, TMPDIR=os.path.abspath(self.folder + ".tmp"),
            OMP_NUM_THREADS="2", LC_ALL="C.UTF-8")
        if kind == "room":
            environment.update(FAILING_CALLS="", FAILING_ROOM=str(number), OMP_NUM_THREADS="5")
        environment.pop("FAILURES", None)
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            self.out, self.err = process.communicate(timeout=PATIENCE)
            self.status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            self.out, self.err = process.communicate()
            self.status = "hangs"
        try:
            os.killpg(process.pid, 0)
            self.orphans = True
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            self.orphans = False
        with open(log, encoding="utf-8", errors="replace") as file:
            self.log = file.read().splitlines() if os.path.exists(log) else []
        self.left = os.listdir(self.folder + ".tmp")
        self.after = self.files()
        for path in self.folder, self.folder + ".tmp":
            shutil.rmtree(path)
        os.remove(log)

    def put(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)

    def files(self):
        found = {}
        for name in os.listdir(self.folder):
            with open(os.path.join(self.folder, name), "rb") as file:
                found[name] = file.read()
        return found

    def is_whole(self, name, content, whole):
        """Pictures may have other fonts, and tell when they were made; a survey is whole lines."""
        if name.endswith(".jsonl"):
            return not content or content.endswith(b"\n") and all(json.loads(line) for line in content.splitlines())
        if name.endswith(".png"):
            return content.startswith(b"\x89PNG") and content.endswith(b"IEND\xaeB`\x82")
        if name.endswith(".pdf"):
            return content.startswith(b"%PDF") and content.endswith(b"%%EOF\n")
        return content == whole

    def counts(self):
        return {line.split()[1]: int(line.split()[2]) for line in self.log if line.startswith("count")}

    def faults(self, usual):
        """What this run did that it should not have done, beside the run in which nothing fails."""
        message = self.err.decode("utf-8", "replace")
        message = re.sub(r"(?m)^(Fontconfig error|write cache): .*\n", "", message)
        if self.status not in (0, 2 if self.what.startswith("compare") else 1):
            yield f"status {self.status}: {message[-300:]}"
        # The tables of a survey name failed inputs, too.
        if self.status != 0 and not message.strip() and b" failed" not in self.out and ": message" not in self.what:
            yield "fails without a word"
        if re.search(r"Assertion|HDF5-DIAG|terminate|\(null\)|: Success\b", message):
            yield f"says {message!r}"
        if "libgomp" in message and "--threads=N" not in message:
            yield f"says no remedy: {message!r}"
        if self.status == 0 and not self.loose and self.out != usual.out:
            yield f"another standard output: {self.out[:200]!r}"
        for name in self.outputs:
            if self.status == 0 and name not in self.after:
                yield f"no {name}"
                continue
            if name not in self.after:
                continue
            content, whole = self.after[name], usual.after[name]
            if not self.is_whole(name, content, whole) and (self.status == 0 or content != self.before.get(name)):
                yield f"{name} is neither absent nor whole: {len(content)} bytes of {len(whole)}; {message!r}"
        for name in set(self.after) - set(self.outputs):
            if not (self.extra and re.fullmatch(self.extra, name)):
                yield f"leaves {name}"
        for name in self.left:
            yield f"leaves {name} in TMPDIR"
        if ": room " in self.what and self.status != 0 and (self.number or "annot start a thread" not in message):
            yield f"does not do with {self.number} threads: {message!r}"
        for line in self.log:
            # Files about the system that libraries do not close are theirs.
            if line.startswith("left") and " /proc/" not in line and " /sys/" not in line:
                yield line
        if self.orphans:
            yield "leaves a process behind"


def numbers(name, count):
    """Which calls of so many are to fail."""
    most = 400 if EVERY else 2 if name in SLOW else MOST
    if count <= most:
        return list(range(1, count + 1))
    return sorted({1 + round(k * (count - 1) / (most - 1)) for k in range(most)})


def inputs():
    os.makedirs("in")
    def run(*words, out=None):
        subprocess.run([PROGRAM, *words], cwd="in", check=True, stdout=out)
    run("gen", "laplace2d,n=9", "-o", "a.mtx")
    for ending in "npz rb mat petsc bsp.h5 mtx.gz npz.xz".split():
        run("convert", "a.mtx", f"a.{ending}")
    with open("in/a.csv", "w") as file:
        file.write("row,col,value\n" + "".join(f"{k},{k * 7 % 40},{k / 4}\n" for k in range(40)))
    with open("in/a.graph", "w") as file:
        file.write("4 4\n2 4\n1 3\n2 4\n3 1\n")
    os.makedirs("in/b")
    shutil.copy("in/a.mtx", "in/b")
    subprocess.run(["tar", "-czf", "a.tar.gz", "a.mtx", "b/a.mtx"], cwd="in", check=True)
    with open("in/r.json", "wb") as file:
        run("report", "--format=json", "--limit=8M", "--kernels=cpu/csr-seq", "--repeat=2", "a.mtx", out=file)
    run("survey", "-o", "s.jsonl", "a.mtx", out=subprocess.DEVNULL)


def try_one(task):
    name, way, number, usual = task
    run = Run(name, *way, number)
    return run, list(run.faults(usual))


def main():
    chosen = sys.argv[3:] or list(COMMANDS)
    bad = runs = 0
    inputs()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        usuals = dict(zip(chosen, pool.map(lambda name: Run(name, "message", 0, 1, 0), chosen)))
        tasks = []
        for name, usual in usuals.items():
            faults = list(usual.faults(usual))
            if usual.status == 1 and re.search(rb"this build (does not read|writes no)|was configured without", usual.err):
                continue  # this build has no such command
            if faults or usual.status != 0:
                print(f"{name}: without any failure: {usual.status} {faults} {usual.err}")
                bad += 1
            counts = usual.counts()
            tasks += [(name, ("room", 0, 1), room, usual) for room in range(6)]
            tasks += [(name, way, number, usual) for way in WAYS for number in numbers(name, counts[way[0]])]
        for run, faults in pool.map(try_one, tasks):
            runs += 1
            bad += bool(faults)
            for fault in faults:
                print(f"{run.what}: {fault}", flush=True)
    print(f"{runs} runs, {bad} with faults")
    sys.exit(bad > 0)


main()
