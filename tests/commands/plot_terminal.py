"""`sparsight plot` on a terminal of this program, which answers as it is told to.

    plot_terminal.py CHECK PROGRAM MATRIX

CHECK is one of the functions check_* at the end. Expected sizes, palettes and protocols are worked out by hand; a picture of a
known size is that of --size into a file. Python's standard library alone is used.
"""

import base64
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

BACKGROUND, CELL, FENCE = b"\x1b]11;?\x1b\\", b"\x1b[16t", b"\x1b[c"
KITTY = re.compile(rb"\x1b_Gi=31,[^\x1b]*a=q[^\x1b]*\x1b\\")
REGISTERS, LARGEST = b"\x1b[?1;1;0S", b"\x1b[?2;1;0S"
PLAIN = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
UNSET = ("NO_COLOR", "COLORTERM", "COLORFGBG", "TMUX", "STY", "COLUMNS", "LINES")
PATIENCE = 240


def check(holds, *words):
    if not holds:
        raise SystemExit("not ok: " + " ".join(map(str, words)))


class Shown:
    """What the terminal was sent, and how it was left."""

    def __init__(self, bytes_, asked, seconds, echo, lines):
        # The terminal's line discipline sends CR LF.
        self.bytes, self.asked, self.seconds, self.echo, self.lines = bytes_.replace(b"\r\n", b"\n"), asked, seconds, echo, lines


def shown(arguments, rows=40, columns=120, pixels=(0, 0), answers=b"", noise=b"", late=b"", environment=None, interrupt=False):
    """Run the program on a terminal of this size. `answers` are sent when its last question has come, after bytes of `noise`. They are
    sent byte by byte; `late` comes at once with the last one, since what comes after the program has restored echo is echoed."""
    pid, fd = pty.fork()
    if pid == 0:
        for name in UNSET:
            os.environ.pop(name, None)
        os.environ.update(PLAIN)
        os.environ.update(environment or {})
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, *pixels[::-1]))
        os.execvp(arguments[0], arguments)
    seen, asked, begin = b"", None, time.monotonic()
    while time.monotonic() - begin < PATIENCE:
        if not select.select([fd], [], [], 1)[0]:
            continue
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
        if asked is None and FENCE in seen:
            asked, seen = seen[: seen.index(FENCE) + len(FENCE)], seen[seen.index(FENCE) + len(FENCE) :]
            check(not termios.tcgetattr(fd)[3] & (termios.ECHO | termios.ICANON), "answers are echoed")
            if interrupt:
                os.kill(pid, signal.SIGTERM)
            sent = noise + answers
            for byte in sent[:-1]:
                os.write(fd, bytes([byte]))
            if sent:
                os.write(fd, sent[-1:] + late)
    local = termios.tcgetattr(fd)[3]
    _, status = os.waitpid(pid, 0)
    check(interrupt or status == 0, "status", status, seen)
    os.close(fd)
    return Shown(seen, asked, time.monotonic() - begin, bool(local & termios.ECHO), bool(local & termios.ICANON))


def filed(arguments):
    """The output into a pipe."""
    environment = {k: v for k, v in os.environ.items() if k not in UNSET} | PLAIN
    return subprocess.run(arguments, stdout=subprocess.PIPE, env=environment, check=True).stdout


def check_sizes(program, matrix):
    """A picture is as wide as the terminal; two lines stay free below it. All but square ones are at most half as high as wide."""
    quiet, dumb = ["--graphics=none", "--background=dark"], {"TERM": "dumb"}
    for figure, rows, columns, high, wide in (
        ("rows", 40, 120, 38, 120),
        ("rows", 40, 60, 30, 60),
        ("rows", 62, 120, 60, 120),
        ("rows", 63, 120, 60, 120),
        ("rows", 20, 80, 24, 80),  # a low terminal scrolls
        ("rows", 26, 80, 24, 80),
        ("rows", 27, 80, 25, 80),
        ("rows", 0, 0, 24, 80),  # a terminal that does not know its size
        ("rows", 0, 100, 24, 80),
        ("rows", 50, 0, 24, 80),
        ("pattern", 40, 60, 38, 60),
        ("pattern", 24, 80, 24, 80),
        ("pattern", 0, 0, 42, 80),
    ):
        found = shown([program, "plot", figure, matrix, *quiet], rows, columns, environment=dumb)
        check(found.asked is None, "asked", found.asked)
        expected = filed([program, "plot", figure, matrix, *quiet, f"--size={wide}x{high}"])
        check(found.bytes == expected, f"{figure} on {columns} x {rows} is not {wide} x {high}:\n", found.bytes.decode())
    for figure, high in (("rows", 24), ("pattern", 42)):
        check(filed([program, "plot", figure, matrix]) == filed([program, "plot", figure, matrix, f"--size=80x{high}"]), figure)
    # What is asked for is larger than the terminal's size.
    found = shown([program, "plot", "rows", matrix, *quiet, "--size=70x33"], 40, 120, environment=dumb)
    check(found.bytes == filed([program, "plot", "rows", matrix, "--size=70x33"]), "--size")


def check_palettes(program, matrix):
    """Colours are as many as the terminal has."""
    arguments = [program, "plot", "rows", matrix, "--graphics=none", "--background=dark"]
    for environment, palette in (
        ({"TERM": "dumb"}, "none"),
        ({"NO_COLOR": "1"}, "none"),
        ({"NO_COLOR": "1", "COLORTERM": "truecolor"}, "none"),
        ({"NO_COLOR": ""}, "256"),
        ({"TERM": "xterm"}, "8"),
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "xterm-kitty"}, "256"),
        ({"TERM": "foot"}, "256"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "direct"),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "direct"),
        ({"TERM": "xterm", "COLORTERM": "yes"}, "8"),
    ):
        found = shown(arguments, environment=environment)
        kind = (
            "none" if b"\x1b" not in found.bytes
            else "direct" if b";2;" in found.bytes
            else "256" if b";5;" in found.bytes
            else "8"
        )
        check(kind == palette, environment, "has", kind, "colours instead of", palette)
    check(b"\x1b" not in filed(arguments), "colours in a pipe")


def check_backgrounds(program, matrix):
    """The background is as it is given, else as the terminal answers, else as the environment says; else dark."""
    direct = {"COLORTERM": "truecolor"}
    arguments = [program, "plot", "rows", matrix, "--graphics=none"]
    dark, light = (shown([*arguments, f"--background={b}"], environment=direct).bytes for b in ("dark", "light"))
    check(dark != light, "light is dark")
    white, black, fence = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", b"\x1b]11;rgb:0000/0000/0000\x07", b"\x1b[?62;22c"
    for answers, late, variable, expected in (
        (fence, b"", None, dark),
        (fence, b"", "15;0", dark),
        (fence, b"", "0;15", light),
        (white + fence, b"", None, light),
        (white + fence, b"", "15;0", light),
        (black + fence, b"", "0;15", dark),
        (white + fence, black, None, light),  # the fence is the last answer that is read
    ):
        found = shown(arguments, answers=answers, late=late, environment=direct | ({"COLORFGBG": variable} if variable else {}))
        check(found.asked and BACKGROUND in found.asked, "not asked")
        check(found.bytes == expected, answers, variable)
        check(found.echo and found.lines, "the terminal's modes are changed")
    found = shown([*arguments, "--background=dark"], answers=white + fence, environment=direct | {"COLORFGBG": "0;15"})
    check(found.asked is None and found.bytes == dark, "--background=dark")
    # Keys that are pressed meanwhile, and an answer cut short, do not matter.
    found = shown(arguments, answers=white + fence, noise=b"q\x1b[A\x1b]x", environment=direct)
    check(found.bytes == light, "keys")


def kitty_picture(seen):
    """Width and height of kitty's picture, which is a PNG file."""
    data = b"".join(base64.b64decode(part) for part in re.findall(rb"\x1b_G(?:a=t,|m=)[^;\x1b]*;([^\x1b]*)\x1b\\", seen))
    check(data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG", seen[:200])
    return struct.unpack(">II", data[16:24])


def sixel_picture(seen):
    found = re.search(rb"\x1bP[\d;]*q\"1;1;(\d+);(\d+)", seen)
    check(found, "no size of a sixel picture", seen[:200])
    return int(found[1]), int(found[2])


def check_protocols(program, matrix):
    """Pixels are sent by the protocol that the terminal knows, kitty's before sixels, in its size of a character."""
    kitty, sixels, none = b"\x1b_Gi=31;OK\x1b\\", b"\x1b[?62;4c", b"\x1b[?62;22c"
    size, registers = b"\x1b[6;16;8t", b"\x1b[?1;0;16S"
    for words, answers, pixels, options, environment, protocol, cell in (
        ("kitty", kitty + size + none, (0, 0), {}, {}, "kitty", (16, 8)),
        ("sixels", size + registers + sixels, (0, 0), {}, {}, "sixel", (16, 8)),
        ("both", kitty + size + sixels, (0, 0), {}, {}, "kitty", (16, 8)),
        ("none", none, (0, 0), {}, {}, "", None),
        ("an error", b"\x1b_Gi=31;EINVAL:no\x1b\\" + none, (0, 0), {}, {}, "", None),
        ("pixels of the terminal", kitty + none, (40 * 18, 120 * 9), {}, {}, "kitty", (18, 9)),
        ("the answer before them", kitty + size + none, (40 * 18, 120 * 9), {}, {}, "kitty", (16, 8)),
        ("a tiny size", kitty + none, (40 * 3, 120 * 9), {}, {}, "kitty", (20, 10)),
        ("a narrow size", kitty + none, (40 * 18, 120), {}, {}, "kitty", (20, 10)),
        ("the smallest size", kitty + none, (40 * 4, 120 * 2), {}, {}, "kitty", (4, 2)),
        ("one side alone", kitty + none, (40 * 18, 0), {}, {}, "kitty", (20, 10)),
        ("asked for", b"", (0, 0), ["--graphics=kitty", "--background=dark"], {}, "kitty", (20, 10)),
        ("asked for sixels", none, (0, 0), ["--graphics=sixel"], {}, "sixel", (20, 10)),
        ("ASCII", b"", (0, 0), ["--ascii"], {}, "", None),
        ("ASCII and kitty", b"", (0, 0), ["--ascii", "--graphics=kitty", "--background=dark"], {}, "", None),
        ("no colours", b"", (0, 0), [], {"TERM": "dumb"}, "", None),
        ("in tmux", sixels, (0, 0), [], {"TMUX": "/tmp/x"}, "sixel", (20, 10)),
        ("in screen", none, (0, 0), [], {"STY": "1.x"}, "", None),
        ("by its name", none, (0, 0), [], {"TERM": "tmux-256color"}, "", None),
        ("by screen's name", none, (0, 0), [], {"TERM": "screen-256color"}, "", None),
    ):
        found = shown([program, "plot", "pattern", matrix, *options], 40, 120, pixels, answers, environment=environment)
        check((found.asked is None) == (answers == b""), words, "asked", found.asked)
        if found.asked:
            check(all(q in found.asked for q in (CELL, REGISTERS, LARGEST)), words, "is not asked all")
            check(bool(KITTY.search(found.asked)) == (not environment), words, "and kitty's question:", found.asked)
        sent = "kitty" if b"\x1b_G" in found.bytes else "sixel" if b"\x1bP" in found.bytes else ""
        check(sent == protocol, words, "is sent", sent or "no pixels", found.bytes[:300])
        if not protocol:
            check(b"\xe2\xa3\xbf" in found.bytes or "--ascii" in options, words, "has no dots")
            continue
        wide, high = kitty_picture(found.bytes) if protocol == "kitty" else sixel_picture(found.bytes)
        check(wide == 120 * cell[1], words, "is", wide, "pixels wide, and not", 120 * cell[1])
        # The picture begins as many lines above the cursor as were written, which its lowest dots need.
        before, up = re.match(rb"(.*)\x1b7\x1b\[(\d+)A\r", found.bytes, re.S).groups()
        check(before.count(b"\n") == int(up) <= 38, words, "has", before.count(b"\n"), "lines, but goes up by", up)
        check(high == int(up) * cell[0], words, "is", high, "pixels high, in", up, "lines")
        check(found.bytes.endswith(b"\x1b8"), words, "leaves the cursor elsewhere")


def check_silence(program, matrix):
    """A terminal that answers nothing costs half a second, and a signal meanwhile leaves its modes as they were."""
    arguments = [program, "plot", "rows", matrix]
    quick = shown([*arguments, "--graphics=none", "--background=dark"])
    found = shown(arguments)
    check(found.asked and found.seconds > 0.5, "it did not wait:", found.seconds)
    check(found.bytes == quick.bytes, "silence is not a dark terminal without pixels")
    check(found.echo and found.lines, "the terminal's modes are changed")
    found = shown(arguments, interrupt=True)
    check(found.echo and found.lines, "the terminal's modes are changed by a signal")


globals()["check_" + sys.argv[1]](*sys.argv[2:])
