#!/usr/bin/env python3
"""Time the explorer's frames: from a key until the screen has answered it.

  frames.py [-p PROGRAM] [-s COLSxROWS] [-r ROUNDS] [-n SCREENS] [MATRIX...]

The program runs in a terminal of its own. On each screen, once its background work has ended, keys that move, zoom and
choose are sent one after the other, each after the answer to the key before. An answer begins with the first byte after
the key, and ends before GAP_MS without another byte. For each matrix and screen the output has the number of answers, the
median and 99th percentile of their elapsed time, and of the processor time of the drawing thread until then. The
aim is 16 ms at the 99th percentile, for 10^8 entries. "echo" is the elapsed time for the terminal's own echo of a key by
cat, at the same pace: what waking a process costs on this machine. Keys without an answer count as silent. The first round
of keys of a screen is not counted, and the keys follow each other without a pause, since some virtual machines take 0.1 ms
for each page that was not used for a second. Python's standard library alone is used; Linux alone tells processor times so
exactly.
"""
import argparse
import fcntl
import os
import pty
import select
import struct
import sys
import tempfile
import termios
import time

AIM_MS = 16
GAP_MS = 6
STILL = 0.06
KEYS = {
    "1": ["j", "j", "k", "\x1b[B", "\x1b[A"],
    "2": ["\x1b[B", "\x1b[C", "+", "\x1b[D", "+", "\x1b[A", "-", "-", "0", "]", "["],
    "3": [".", ".", ",", "\x1b[B", "+", "+", "-", "0", "s", "s", "c", "c"],
    "4": ["\x1b[B", "\x1b[B", "\x1b[C", "\x1b[A", "+", "-", "n", "p"],
    "5": [".", ",", "\x1b[B", "\x1b[C", "\x1b[A", "w", "w"],
    "6": ["\x1b[B", "\x1b[B", "\x1b[A", "\x1b[C", "\x1b[D"],
    "7": ["\x1b[B", "\x1b[B", "\x1b[A", "]", "["],
    "8": ["\x1b[B", "\x1b[A", "+", "-"],
}


class Screen:
    def __init__(self, command, wide, high):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", high, wide, 0, 0))
            os.execvp(command[0], command)

    def said(self, seconds):
        """Take what is sent within that time. Returns False if that is nothing."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            return len(os.read(self.fd, 1 << 16)) > 0
        except OSError:
            return False

    def processor(self):
        """Milliseconds of processor time of the thread that draws, the first one."""
        with open("/proc/%d/task/%d/schedstat" % (self.pid, self.pid)) as file:
            return int(file.read().split()[0]) / 1e6

    def key(self, key):
        """Send a key. Returns the milliseconds until the end of the answer, elapsed and of the processor; None if there
        was no answer."""
        spent, start, answer = self.processor(), time.perf_counter(), None
        os.write(self.fd, key.encode())
        wait = STILL
        while self.said(wait):
            answer = 1000 * (time.perf_counter() - start)
            wait = GAP_MS / 1000
        return answer and (answer, self.processor() - spent)

    def asleep(self):
        for task in os.listdir("/proc/%d/task" % self.pid):
            try:
                with open("/proc/%d/task/%s/stat" % (self.pid, task)) as file:
                    if file.read().rsplit(") ", 1)[1][0] in "RD":
                        return False
            except (FileNotFoundError, ProcessLookupError):
                pass  # a thread that has just ended
        return True

    def settle(self, limit=600):
        """Wait until the background work has ended: nothing is sent, and all threads sleep, for a second."""
        calm, end = time.time(), time.time() + limit
        while time.time() - calm < 1 and time.time() < end:
            if self.said(0.05) or not self.asleep():
                calm = time.time()

    def end(self, key):
        os.write(self.fd, key.encode())
        while self.said(1):
            pass
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def rank(times, share):
    """The smallest time that this share of the times does not exceed."""
    return sorted(times)[max(0, -int(-share * len(times) // 1) - 1)]


def summary(times):
    return "median %6.2f, p99 %6.2f ms" % (rank(times, 0.5), rank(times, 0.99))


def measure_echo(wide, high):
    screen = Screen(["cat"], wide, high)
    screen.said(0.2)
    times = [took[0] for took in (screen.key("j") for _ in range(50)) if took]
    screen.end("\x03")
    print("%-28s echo %4d answers: elapsed %s" % ("", len(times), summary(times)), flush=True)


def measure(options, matrix, wide, high):
    screen = Screen([options.program, "--background=dark", "--no-config", matrix], wide, high)
    screen.settle()
    for name in options.screens:
        screen.key(name)
        screen.settle()
        times, silent = [], 0
        for turn in range(options.rounds + 1):
            for key in KEYS[name]:
                took = screen.key(key)
                if turn == 0:
                    continue
                if took:
                    times.append(took + (repr(key),))
                else:
                    silent += 1
        screen.settle()
        if times:
            elapsed, own = [t[0] for t in times], [t[1] for t in times]
            print("%-28s %s    %4d answers: elapsed %s; processor %s, longest %.2f by %s; %d silent%s" %
                  (os.path.basename(matrix)[:28], name, len(times), summary(elapsed), summary(own),
                   *max((t[1:] for t in times)), silent,
                   "  (beyond the aim)" if rank(own, 0.99) > AIM_MS else ""), flush=True)
    screen.end("q")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-p", "--program", default="./sparsight")
    parser.add_argument("-s", "--size", default="160x48")
    parser.add_argument("-r", "--rounds", type=int, default=20)
    parser.add_argument("-n", "--screens", default="12345678", help="their keys")
    parser.add_argument("matrices", nargs="*", default=["gen:stencil27,n=155", "gen:powerlaw,scale=22,edge=25"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_STATE_HOME=folder)
        for name in ("NO_COLOR", "TMUX", "STY", "COLORFGBG"):
            os.environ.pop(name, None)
        wide, high = map(int, options.size.split("x"))
        for matrix in options.matrices:
            measure_echo(wide, high)
            measure(options, matrix, wide, high)


if __name__ == "__main__":
    sys.exit(main())
