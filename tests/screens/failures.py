#!/usr/bin/env python3
"""Let calls of the system fail in turn while the explorer is used, on a terminal of our own: it ends when it is told to
or before that, with 0 or 1, and the terminal is left as it was.

    failures.py PROGRAM LIBRARY     writes into the current folder

LIBRARY is tests/support/failing.so, preloaded. FAILURES=all in the environment tries every call instead of some.
"""
import concurrent.futures
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

PROGRAM, LIBRARY = (os.path.abspath(path) for path in sys.argv[1:3])
EVERY = os.environ.get("FAILURES") == "all"
MOST = 40 if EVERY else 2
QUIET = 0.15  # seconds without output after which the next key is pressed
PATIENCE = 240  # seconds that a run may take on a busy machine; one that hangs takes as long
ENOENT, EINTR, EIO, EAGAIN, ENOMEM, EACCES, EMFILE, ESPIPE = 2, 4, 5, 11, 12, 13, 24, 29
SESSIONS = {"matrix": (["in/a.mtx"], "2 3 4 5 6 7 8 1 ? q q"), "browser": ([], "j j \r 3 q q")}
WAYS = [("open", EMFILE, 1), ("open", EACCES, 0), ("read", EIO, 1), ("write", EIO, 1), ("write", "short", 1), ("map", ENOMEM, 1),
        ("thread", EAGAIN, 1), ("thread", EAGAIN, 0), ("fork", EAGAIN, 0), ("pipe", EMFILE, 0), ("close", EIO, 1),
        ("seek", ESPIPE, 1), ("stat", EACCES, 1), ("wait", EINTR, 1), ("terminal", EIO, 1), ("system", EIO, 1),
        ("memory", ENOMEM, 1), ("memory", ENOMEM, 0)]
# The modes that are switched on and off, as xterm has them: alternate screen, cursor (off and on), mouse.
MODES = {b"1049": b"l", b"25": b"h", b"1000": b"l", b"1002": b"l", b"1006": b"l"}


class Run:
    def __init__(self, session, kind, how, times, number):
        arguments, keys = SESSIONS[session]
        self.what = f"{session}: {kind} {how} {number}" + ("" if times else "-")
        self.kind = kind
        self.folder = re.sub(r"\W+", "-", self.what)
        os.makedirs(self.folder)
        shutil.copytree("in", os.path.join(self.folder, "in"))
        log = os.path.abspath(self.folder + ".log")
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, FAILING_CALLS=kind, FAILING_HOW=str(how), FAILING_TIMES=str(times),
                           FAILING_AT=str(number), FAILING_LOG=log, OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive",
                           TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_STATE_HOME=os.path.abspath(self.folder + "/in"))
        if kind == "room":
            environment.update(FAILING_CALLS="", FAILING_ROOM=str(number))
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 40, 120, 0, 0))
        before = termios.tcgetattr(slave)
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, env=environment, stdin=slave, stdout=slave, stderr=slave,
                                   start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.out = self.use(process, master, [key.encode() for key in keys.split(" ")])
        self.status = process.poll()
        if self.status is None:
            self.status = "hangs"
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.same = termios.tcgetattr(slave)[:4] == before[:4]
        os.close(master)
        os.close(slave)
        with open(log, encoding="utf-8", errors="replace") as file:
            self.log = file.read().splitlines()
        shutil.rmtree(self.folder)
        os.remove(log)

    @staticmethod
    def use(process, master, keys):
        """Press each key when nothing has come for a while; return what has come."""
        out, start, last = b"", time.monotonic(), time.monotonic()
        while time.monotonic() - start < PATIENCE:
            if select.select([master], [], [], QUIET / 3)[0]:
                out += os.read(master, 65536)
                last = time.monotonic()
            elif process.poll() is not None:
                return out
            elif time.monotonic() - last > QUIET:
                os.write(master, keys.pop(0) if keys else b"q")
                last = time.monotonic()
        return out

    def counts(self):
        return {line.split()[1]: int(line.split()[2]) for line in self.log if line.startswith("count")}

    def faults(self):
        words = re.sub(rb"\x1b[^a-zA-Z]*[a-zA-Z]", b" ", self.out[-1500:]).decode("utf-8", "replace")
        if self.status not in (0, 1):
            yield f"status {self.status}: {words[-300:]!r}"
        if not self.same:
            yield "other modes of the terminal"
        # If writing fails, the sequences that switch these off may be missing.
        for mode, usual in MODES.items() if self.kind != "write" else ():
            seen = re.findall(rb"\x1b\[\?[0-9;]*" + mode + rb"[0-9;]*([hl])", self.out)
            if seen and seen[-1] != usual:
                yield f"mode {mode.decode()} is left {seen[-1].decode()}"
        for line in self.log:
            if line.startswith("left") and "/dev/" not in line and "/proc/" not in line and "/sys/" not in line:
                yield line


def numbers(count):
    if count <= MOST:
        return list(range(1, count + 1))
    return sorted({1 + round(k * (count - 1) / (MOST - 1)) for k in range(MOST)})


def main():
    os.makedirs("in")
    subprocess.run([PROGRAM, "gen", "laplace2d,n=9", "-o", "in/a.mtx"], check=True)
    runs = wrong = 0
    tasks = []
    for session in SESSIONS:
        usual = Run(session, "message", 0, 1, 0)
        faults = list(usual.faults())
        if faults or usual.status != 0:
            print(f"{session}, without any failure: {usual.status} {faults}")
            wrong += 1
        counts = usual.counts()
        tasks += [(session, "room", 0, 1, room) for room in range(4)]
        tasks += [(session, *way, number) for way in WAYS for number in numbers(counts.get(way[0], 0))]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for run in pool.map(lambda task: Run(*task), tasks):
            runs += 1
            faults = list(run.faults())
            wrong += bool(faults)
            for fault in faults:
                print(f"{run.what}: {fault}", flush=True)
    print(f"{runs} runs, {wrong} with faults")
    sys.exit(wrong > 0)


main()
