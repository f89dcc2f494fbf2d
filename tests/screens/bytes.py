#!/usr/bin/env python3
"""Count what the explorer sends to its terminal for each key: for a moved cursor and for the zoom of every screen. For
developers; needs tmux and pillow (of screenshot.py).

  bytes.py [-p PROGRAM] [-s COLSxROWS] [-t TERM] [-e NAME=VALUE]... [-n SCREENS] [-k KEYS] [MATRIX...]

For each key it prints the bytes that were sent and what they were: characters, attributes and colours (SGR), and motions
with erasures. "cells" is how many cells of the screen look different afterwards, and "floor" how many bytes their
characters alone take; a cell that is blank afterwards takes none; "whole" is that of the whole screen. The matrices are data/demo.mtx.gz and a stencil unless
others are named; PATH and gen:SPEC will do.
"""
import argparse
import os
import re
import sys
import tempfile
import time

import screenshot

SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KEYS = "Down Right Down Left Up + + + + + - - - - -"
SEQUENCE = re.compile(rb"\x1b(\[[0-9;:?]*[a-zA-Z@`]|\([B0]|\][^\x07\x1b]*(\x07|\x1b\\)|.)", re.S)


def asleep(pid):
    """True if no thread of the process runs."""
    for task in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/stat" % (pid, task)) as file:
            if file.read().rsplit(") ", 1)[1][0] in "RD":
                return False
    return True


def settle(log, pid, still=0.35, limit=60):
    """Wait until nothing is sent and the program sleeps for a while. Returns the bytes that were sent by then."""
    size, since, end = -1, 0, time.time() + limit
    while time.time() < end:
        now = os.path.getsize(log)
        if now != size or not asleep(pid):
            size, since = now, time.time()
        elif time.time() - since > still:
            break
        time.sleep(0.02)
    return size


def looks(tmux):
    """Each cell of the screen as a character and what makes a difference to the eye."""
    cells = []
    for line in screenshot.parse(tmux.screen("-e", "-N"), tmux.high, tmux.wide, True)[0]:
        for character, ink, *others in line:
            cells.append((character, None if character == " " else ink, *others))
    return cells


def count(sent):
    """How many bytes of what was sent are characters, SGR, and other sequences."""
    colours = others = 0
    for found in SEQUENCE.finditer(sent):
        if found.group().endswith(b"m") and found.group().startswith(b"\x1b["):
            colours += len(found.group())
        else:
            others += len(found.group())
    return len(sent) - colours - others, colours, others


def measure(options, matrix, screen, log):
    wide, high = map(int, options.size.split("x"))
    tmux = screenshot.Tmux(wide, high)
    open(log, "wb").close()
    command = [options.program, "--background=dark", matrix]
    try:
        tmux.start(["sh", "-c", 'echo $$ >"$0"; exec "$@"', log + ".pid"] + command, options.term,
                   options.environment)
        tmux.rest("relative to CSR")
        with open(log + ".pid") as file:
            pid = int(file.read())
        tmux("pipe-pane", "-t", "s", "cat >>" + log)
        settle(log, pid)
        tmux("send-keys", "-t", "s", screen)
        before = settle(log, pid, 1.2)
        cells = looks(tmux)
        for key in options.keys.split():
            tmux("send-keys", "-t", "s", key)
            now = settle(log, pid)
            shown = looks(tmux)
            with open(log, "rb") as file:
                file.seek(before)
                sent = file.read(now - before)
            changed = [b for a, b in zip(cells, shown) if a != b]
            floor = sum(len(c[0].encode()) for c in changed if c[0] != " ")
            full = sum(len(c[0].encode()) for c in shown if c[0] != " ")
            print("%-24s %s %-6s %6d bytes: %6d characters, %6d SGR, %6d others; %5d cells, floor %5d, whole %5d" %
                  ((os.path.basename(matrix)[:24], screen, key, len(sent)) + count(sent) +
                   (len(changed), floor, full)), flush=True)
            before, cells = now, shown
    finally:
        tmux("kill-server")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-p", "--program", default="./sparsight")
    parser.add_argument("-s", "--size", default="160x48")
    parser.add_argument("-t", "--term", default="xterm-256color")
    parser.add_argument("-e", "--environment", action="append", default=[])
    parser.add_argument("-n", "--screens", default="2", help="their keys: 123456")
    parser.add_argument("-k", "--keys", default=KEYS)
    parser.add_argument("matrices", nargs="*", default=[os.path.join(SOURCES, "data/demo.mtx.gz"), "gen:stencil27,n=40"])
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    os.environ["LANG"] = "C.UTF-8"
    os.environ.pop("NO_COLOR", None)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        for matrix in options.matrices:
            for screen in options.screens:
                measure(options, matrix, screen, os.path.join(folder, "sent"))


if __name__ == "__main__":
    sys.exit(main())
