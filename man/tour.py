#!/usr/bin/env python3
"""Make the tour of sparsight's screens, man/tour.txt, or play it. Needs Python's standard library, and tmux to make it.

  tour.py [-p PROGRAM] -o FILE    run the program through the scenario below, and write what is seen
  tour.py --play [FILE]           play it in a terminal of 120 columns and 36 lines, or larger; Ctrl-C ends it

The file is a recording in the second version of asciinema's format: a line with a header, then lines [seconds, "o",
text for the terminal] and [seconds, "m", name of the part that begins]. It is of a shell and the program in a terminal
of 120 x 35, and has below that a line which says what is shown and which keys were pressed.

A recording does not depend on how fast the machine is: each step of the scenario waits until the screen shows what it
is to show and stands still, and only then gets the scenario's own time. Two recordings differ in what is timed alone.
A step that does not show what it should ends the script with its screen, so that a tour that no longer fits the program
is not written.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

WIDE, HIGH = 120, 35
SECONDS = 60
PATIENCE = 25
FILES = ["demo.mtx.gz", "pmpp.mtx", "stencil27.mtx.gz"]

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(os.path.dirname(HERE), "data")

# How keys are called in the line below the screen, where tmux's name is not what stands on them.
KEYCAPS = {"BSpace": "Backspace", "NPage": "PgDn", "PPage": "PgUp"}


def part(name, caption):
    """A part of the tour begins, or goes on with another caption if it has no name."""
    return {"do": "part", "name": name, "caption": caption}


def press(keys, hold, see=None, gone=None, still=True):
    """Press keys (tmux's names, apart by spaces), wait until the screen shows `see` and no more `gone` (regular
    expressions) and stands still, unless it is not to, and leave it so for `hold` seconds."""
    return {"do": "press", "keys": keys.split(), "hold": hold, "see": see, "gone": gone, "still": still}


def write(text, hold, pause=0.05):
    """Type a text, with a pause after each letter."""
    return {"do": "write", "text": text, "hold": hold, "pause": pause}


SCENARIO = [
    part("Start", "sparsight shows sparse matrices. Without a name it offers those of the folder, examples and generators."),
    write("sparsight", 0.5),
    press("Enter", 1.6, "Open a matrix.*demo.mtx.gz.*gen:laplace2d"),
    part("Browser", "A folder or an archive with several matrices: each with its size, kind and pattern."),
    press("q", 0.4, r"\$\s*$"),
    write("sparsight .", 0.4),
    press("Enter", 2.4, "demo.mtx.gz.*pmpp.mtx.*stencil27.*68,324 stored"),
    part("Summary", "Summary: the kernels to take, what is peculiar about the matrix, and the bytes of each format."),
    press("Enter", 2.6, r"Take cpu.*ELL needs.*relative to CSR.*coo .* [KM]iB", r"\.\.\.\s"),
    press("End", 1.6, "Hermitian, positive diagonal: "),
    part("Pattern", "Pattern: where the entries are. Each dot is an exact count, at every zoom."),
    press("2", 2.08, "Pattern: 1 dot = .*Legend"),
    part(None, "Go to a row and a column, and zoom in by 2 ..."),
    press("g", 0.3, r"Go to row"),
    write("1900,1900", 0.2, 0.04),
    press("Enter", 0.4, r"row 1,900 +column 1,900"),
    press("+", 0.4, "Pattern: "),
    press("+", 0.4, "Pattern: "),
    press("+", 0.4, "Pattern: "),
    press("+", 0.4, "Pattern: "),
    part(None, "... down to the numbers themselves."),
    press("+", 0.4, "Pattern: "),
    press("+", 0.4, "Pattern: "),
    press("+", 1.6, "Pattern: numbers"),
    part(None, "Find the longest row, a hole in the diagonal, the largest |a|, an entry without a mirror image."),
    press("0", 0.5, "Pattern: 1 dot = "),
    press("/", 0.3, "Find:"),
    write("longest", 0.3, 0.04),
    press("Enter", 1.2, r"row 2,995"),
    part("Rows", "Rows: how long the rows are, and what HYB would cut off beyond K."),
    press("3", 1.9, "Rows by length.*Cut at K"),
    press("r", 1.6, "K = [0-9,]+: the fewest bytes of HYB"),
    part("Layouts", "Layouts: the arrays of formats side by side. The next matrix of the folder has 4 rows."),
    press("4", 0.8, "CSR +csr"),
    press(")", 1.4, "pmpp +4 x 4.*CSR +csr"),
    part(None, "Any formats may be chosen: CSR, ELLPACK transposed, jagged diagonals, CMRS."),
    press("Space", 0.6, "Formats.*jds"),
    press("/ j d s Enter Space", 0.5, r"\[.\] jds "),
    press("/ h e i g h t = 8 Enter Space", 0.5, r"\[.\] cmrs:height=8"),
    press("Enter", 1.4, "JDS +jds.*CMRS +cmrs"),
    part(None, "The entry under the cursor is lit in every array that holds it or leads to it."),
    press("Down", 0.5, "row 2"),
    press("Down", 0.7, "row 3"),
    press("Right", 0.7, "row 3"),
    press("Right", 1.5, "row 3"),
    part("Warps", "Warps: what 32 lanes of a GPU ask for in a step, and the sectors of memory that this touches."),
    press(")", 0.1, "stencil27 +1,728 x 1,728"),
    press("5", 1.7, "csr-scalar.*product: .*sectors", r"\.\.\.\s"),
    press("Right", 0.6, "step"),
    press("w", 1.5, "the longest warp"),
    part(None, "Beside it is the best kernel for this matrix: fewer sectors, and the forecast of its time."),
    press("b", 1.8, "product: .*fewer"),
    part("Kernels", "Kernels: every kernel a row. R times those of the CPU; what GPU kernels ask of memory is estimated."),
    press("6", 1.6, r"No GPU found\. [0-9]+ of [0-9]+ kernels are estimated"),
    press("R", 1.5, r" running .* x cancels.*cpu/[^ ]+ +[0-9]+ +[0-9.]+ [num]?s", still=False),
    press("", 1.5, "memory read .*GB/s", " running "),
    part(None, "The roofline: how fast the memory lets each kernel be."),
    press("i", 2.1, "GFLOP/s over FLOP/byte"),
    press("S", 0.6, "Save runs in"),
    press("Enter", 0.8, "saved"),
    part("Advice", "Advice: which format and kernel to take here and on a GPU, for how many products, and why."),
    press("7", 2.0, "this processor.*NVIDIA H200.*On this processor, take cpu/"),
    press("b", 1.4, "forecast.*measured"),
    press("c", 1.1, "accessible"),
    part("Parts", "Parts: the rows divided among processes, who owns what, and who receives how much from whom."),
    press("8", 1.2, r"8 parts +volume "),
    press("o", 1.2, "half or more remote"),
    press("v", 1.2, r"receives [0-9,]+ elements from"),
    part("Reports", "The same numbers for scripts: text, Markdown, JSON, CSV."),
    press("q", 0.5, "Matrices of"),
    press("q", 0.4, r"\$\s*$"),
    write("sparsight report --format=jsonl *.mtx.gz | jq -r '[.name, .nnz, .row_lengths.max] | @tsv'", 0.3, 0.02),
    press("Enter", 2.6, r"demo\s+68324.*stencil27\s+39304"),
]


class Terminal:
    """A shell in a tmux of its own, in a folder with some matrices."""

    def __init__(self, program, folder):
        self.base = ["tmux", "-u", "-L", "tour-%d" % os.getpid(), "-f", "/dev/null"]
        for name in FILES:
            shutil.copy(os.path.join(DATA, name), folder)
        path = os.path.dirname(os.path.abspath(program)) + ":" + os.environ.get("PATH", "")
        words = ["env", "-i", "PATH=" + path, "HOME=/nonexistent", "LANG=C.UTF-8", "TERM=tmux-256color", "PS1=$ ",
                 "CUDA_VISIBLE_DEVICES=", "bash", "--norc", "--noprofile", "--noediting"]
        self("new-session", "-d", "-s", "s", "-x", str(WIDE), "-y", str(HIGH), "cat", ";",
             "set", "-g", "status", "off", ";", "set", "-s", "escape-time", "0", ";",
             "set", "-g", "remain-on-exit", "on")
        self("resize-window", "-t", "s", "-x", str(WIDE), "-y", str(HIGH))
        self("respawn-pane", "-k", "-c", folder, "-t", "s", *words)

    def __call__(self, *words):
        return subprocess.run(self.base + list(words), check=True, capture_output=True, text=True).stdout

    def end(self):
        self("kill-server")

    def press(self, key):
        self("send-keys", "-t", "s", key)

    def type(self, text):
        self("send-keys", "-t", "s", "-l", text)

    def settle(self, see=None, gone=None, stands=4):
        """Wait until the screen is the same `stands` times in a row, shows `see` and does not show `gone`."""
        before, still, end = None, 0, time.time() + PATIENCE
        while still < stands:
            time.sleep(0.05)
            now = self("capture-pane", "-e", "-p", "-t", "s")
            text = self("capture-pane", "-p", "-t", "s")
            right = (not see or re.search(see, text, re.S)) and not (gone and re.search(gone, text))
            still = (still + 1 if now == before else 1) if right else 0
            before = now
            if time.time() > end:
                sys.exit("the screen never showed %s without %s:\n%s" % (see, gone, text))

    def screen(self):
        """The lines as runs of (style, text), and where the cursor is: column, line, whether it is seen."""
        lines = runs(self("capture-pane", "-e", "-N", "-p", "-t", "s").split("\n")[:HIGH])
        cursor = self("display-message", "-p", "-t", "s", "#{cursor_x} #{cursor_y} #{cursor_flag}")
        return lines, tuple(map(int, cursor.split()))


PLAIN = ("", "", ())


def restyle(style, codes):
    """The style (foreground, background, attributes) after the codes of a sequence that selects graphics."""
    front, back, attributes = style
    while codes:
        code = codes.pop(0)
        if code == "0":
            front, back, attributes = PLAIN
        elif code in ("38", "48"):
            length = 2 if codes[0] == "5" else 4
            colour = ";".join([code] + codes[:length])
            del codes[:length]
            front, back = (colour, back) if code == "38" else (front, colour)
        elif code == "39" or code[0] in "39" and len(code) == 2:
            front = "" if code == "39" else code
        elif code == "49" or code[0] in "41" and len(code) > 1:
            back = "" if code == "49" else code
        elif len(code) == 1:
            attributes += (code,)
        else:
            sys.exit("tmux wrote the code %s, which is not known here" % code)
    return front, back, attributes


def runs(lines):
    """tmux goes on in a line with the style of the one before: the same lines as runs of (style, text)."""
    style, result = PLAIN, []
    for line in lines:
        parts = re.split("\033\\[([0-9;]*)m", line)
        row = [(style, parts[0])]
        for codes, text in zip(parts[1::2], parts[2::2]):
            style = restyle(style, (codes or "0").split(";"))
            row.append((style, text))
        result.append([run for run in row if run[1]])
    return result


def drawn(number, row):
    """What a terminal is sent to show a line."""
    if row and row[-1][0] == PLAIN:
        row = row[:-1] + [(PLAIN, row[-1][1].rstrip(" "))]
    text, before = "", PLAIN
    for style, part_of_line in row:
        if style != before:
            text += "\033[%sm" % ";".join(["0"] + [code for code in style[:2] if code] + list(style[2]))
        text, before = text + part_of_line, style
    return "\033[%d;1H\033[0m\033[K%s" % (number + 1, text)


class Recording:
    """What a player is to show, and when."""

    def __init__(self):
        self.clock, self.events = 0.0, []
        self.lines, self.caption, self.keys = [None] * HIGH, "", ""
        self.emit("\033[2J")

    def emit(self, text, kind="o"):
        self.events.append([round(self.clock, 3), kind, text])

    def shoot(self, terminal):
        """Write down what has changed."""
        lines, (column, line, seen) = terminal.screen()
        text = "\033[?25l"
        for number, (row, before) in enumerate(zip(lines, self.lines)):
            if row != before:
                text += drawn(number, row)
        room = WIDE - 3 - len(self.keys)
        text += "\033[%d;1H\033[0;30;46m %-*s \033[1m%s " % (HIGH + 1, room, self.caption[:room], self.keys)
        text += "\033[0m\033[%d;%dH" % (line + 1, column + 1) + ("\033[?25h" if seen else "")
        self.lines = lines
        self.emit(text)

    def save(self, path):
        header = {"version": 2, "width": WIDE, "height": HIGH + 1, "duration": SECONDS, "title": "A tour of sparsight",
                  "env": {"TERM": "xterm-256color", "SHELL": "/bin/bash"}}
        with open(path + ".new", "w", encoding="utf-8") as out:
            for line in [header] + self.events:
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
        os.replace(path + ".new", path)


def length():
    """Seconds that the scenario takes."""
    return sum(step["hold"] + step.get("pause", 0) * len(step.get("text", "")) for step in SCENARIO if "hold" in step)


def make(program, path):
    if abs(length() - SECONDS) > 0.001:
        sys.exit("the scenario takes %.2f seconds, not %d" % (length(), SECONDS))
    with tempfile.TemporaryDirectory() as folder:
        terminal, recording = Terminal(program, folder), Recording()
        try:
            terminal.settle(r"\$\s*$")
            for step in SCENARIO:
                take(step, terminal, recording)
        finally:
            terminal.end()
    recording.emit("\033[0m")
    recording.save(path)


def take(step, terminal, recording):
    """One step of the scenario."""
    if step["do"] == "part":
        recording.caption, recording.keys = step["caption"], ""
        if step["name"]:
            recording.emit(step["name"], "m")
        recording.shoot(terminal)
    elif step["do"] == "write":
        recording.keys = ""
        for letter in step["text"]:
            terminal.type(letter)
            terminal.settle()
            recording.shoot(terminal)
            recording.clock += step["pause"]
        recording.clock += step["hold"]
    else:
        recording.keys = " ".join(KEYCAPS.get(key, key) for key in step["keys"])
        for key in step["keys"]:
            terminal.press(key)
            terminal.settle(stands=4 if step["still"] else 1)
        terminal.settle(step["see"], step["gone"], stands=4 if step["still"] else 1)
        recording.shoot(terminal)
        recording.clock += step["hold"]


def play(path):
    size = shutil.get_terminal_size()
    if size.columns < WIDE or size.lines < HIGH + 1:
        sys.exit("the tour needs a terminal of %d x %d; this one has %d x %d"
                 % (WIDE, HIGH + 1, size.columns, size.lines))
    try:
        with open(path, encoding="utf-8") as lines:
            next(lines)
            began = time.monotonic()
            for seconds, kind, text in map(json.loads, lines):
                time.sleep(max(0, began + seconds - time.monotonic()))
                if kind == "o":
                    print(text, end="", flush=True)
        time.sleep(2)
    except KeyboardInterrupt:
        pass
    print("\033[0m\033[?25h\033[2J\033[H", end="", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-p", "--program", default="./sparsight")
    parser.add_argument("-o", "--output")
    parser.add_argument("--play", nargs="?", const=os.path.join(HERE, "tour.txt"), metavar="FILE")
    options = parser.parse_args()
    if options.play:
        play(options.play)
    elif options.output:
        make(options.program, options.output)
    else:
        parser.error("name the FILE to write with -o, or say --play")


if __name__ == "__main__":
    sys.exit(main())
