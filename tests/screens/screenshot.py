#!/usr/bin/env python3
"""Run a command in tmux, send it keys, and render its screen as a PNG. For developers; needs tmux, pillow and
a monospaced font (fonts-dejavu-core).

  screenshot.py [-s COLSxROWS] [-k KEY]... [-w TEXT] [-t TERM] [-e NAME=VALUE]... [-l] -o OUT.png COMMAND...

Keys are sent one by one in tmux's notation ("2", "Enter", "Down"); before each the screen is waited for to
come to rest. -w waits for a text first. -l renders on a light background. OUT.txt writes the plain text.
"""
import argparse
import os
import re
import subprocess
import sys
import time

from PIL import Image, ImageDraw, ImageFont

FONTS = "/usr/share/fonts/truetype/dejavu/"
CELL_WIDE, CELL_HIGH, POINTS = 10, 20, 16
ANSI = ["1e1e1e", "cd3131", "0dbc79", "c8b020", "2472c8", "bc3fbc", "11a8cd", "d5d5d5",
        "666666", "f14c4c", "23d18b", "f5f543", "3b8eea", "d670d6", "29b8db", "ffffff"]


def rgb(text):
    return tuple(int(text[k:k + 2], 16) for k in (0, 2, 4))


def palette(index):
    if index < 16:
        return rgb(ANSI[index])
    if index >= 232:
        return (8 + 10 * (index - 232),) * 3
    steps = (0, 95, 135, 175, 215, 255)
    index -= 16
    return steps[index // 36], steps[index // 6 % 6], steps[index % 6]


class Tmux:
    servers = 0

    def __init__(self, wide, high):
        # A server of its own for each: one that is being ended would take the next screen along.
        Tmux.servers += 1
        self.base = ["tmux", "-L", "screenshot-%d-%d" % (os.getpid(), Tmux.servers), "-f", "/dev/null"]
        self.wide, self.high = wide, high

    def __call__(self, *words):
        return subprocess.run(self.base + list(words), check=True, capture_output=True, text=True).stdout

    def start(self, command, term, environment):
        words = ["env", "TERM=" + term] + environment + command
        self("new-session", "-d", "-s", "s", "-x", str(self.wide), "-y", str(self.high), "cat", ";",
             "set", "-g", "status", "off", ";", "set", "-s", "escape-time", "0", ";",
             "set", "-g", "remain-on-exit", "on", ";", "set", "-ga", "terminal-overrides", ",*:Tc")
        self("resize-window", "-t", "s", "-x", str(self.wide), "-y", str(self.high))
        self("respawn-pane", "-k", "-t", "s", *words)

    def screen(self, *options):
        return self("capture-pane", "-p", "-t", "s", *options)

    def rest(self, text=None, limit=30):
        """Wait until the screen shows `text` and does not change for a while (at most a second more)."""
        before, still, end, seen = "", 0, time.time() + limit, text is None
        while time.time() < end and (still < 4 or not seen):
            time.sleep(0.06)
            now = self.screen("-e")
            if not seen and text in now:
                seen, end = True, time.time() + 1
            still = still + 1 if now == before and now.strip() else 0
            before = now

    def press(self, key):
        """Send a key, and wait until the screen is at rest again."""
        self("send-keys", "-t", "s", key)
        self.rest()


def parse(screen, high, wide, dark):
    """Lines of (character, foreground, background, bold, underline) out of text with SGR sequences."""
    front, back = ((216, 216, 216), (18, 18, 18)) if dark else ((30, 30, 30), (255, 255, 255))
    plain = dict(fg=None, bg=None, bold=False, dim=False, reverse=False, underline=False)
    lines, state = [], dict(plain)
    for text in screen.split("\n")[:high]:
        cells = []
        for part in re.split(r"(\x1b\[[0-9;:]*m|\x1b[()].|[\x0e\x0f])", text):
            if part.startswith("\x1b["):
                codes = [int(c or 0) for c in re.split("[;:]", part[2:-1])]
                while codes:
                    apply(state, plain, codes)
            elif not part.startswith("\x1b") and part not in ("\x0e", "\x0f"):
                fg, bg = state["fg"] or front, state["bg"] or back
                if state["reverse"]:
                    fg, bg = bg, fg
                if state["dim"]:
                    fg = tuple((2 * f + b) // 3 for f, b in zip(fg, bg))
                cells += [(c, fg, bg, state["bold"], state["underline"]) for c in part]
        lines.append(cells + [(" ", front, back, False, False)] * (wide - len(cells)))
    return lines, back


def apply(state, plain, codes):
    code = codes.pop(0)
    flags = {1: ("bold", True), 2: ("dim", True), 4: ("underline", True), 7: ("reverse", True),
             24: ("underline", False), 27: ("reverse", False)}
    if code == 0:
        state.update(plain)
    elif code == 22:
        state.update(bold=False, dim=False)
    elif code in flags:
        state[flags[code][0]] = flags[code][1]
    elif code in (38, 48):
        name = "fg" if code == 38 else "bg"
        if codes.pop(0) == 5:
            state[name] = palette(codes.pop(0))
        else:
            state[name] = tuple(codes[:3])
            del codes[:3]
    elif code in (39, 49):
        state["fg" if code == 39 else "bg"] = None
    elif 30 <= code < 38 or 90 <= code < 98:
        state["fg"] = palette(code - 30 if code < 38 else code - 82)
    elif 40 <= code < 48 or 100 <= code < 108:
        state["bg"] = palette(code - 40 if code < 48 else code - 92)


def draw_shape(draw, code, x, y, fg, bg):
    """Braille, blocks and box lines as geometry, so that they meet; False for anything else."""
    w, h = CELL_WIDE, CELL_HIGH
    if 0x2800 <= code <= 0x28ff:
        rows = ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (3, 0), (3, 1))
        for bit, (row, col) in enumerate(rows):
            if code >> bit & 1:
                left, top = x + col * w / 2 + 1, y + row * h / 4 + 1
                draw.ellipse((left, top, left + 3, top + 3), fill=fg)
    elif 0x2581 <= code <= 0x2588:
        draw.rectangle((x, y + h - h * (code - 0x2580) / 8, x + w - 1, y + h - 1), fill=fg)
    elif 0x2589 <= code <= 0x258f:
        draw.rectangle((x, y, x + w * (0x2590 - code) / 8 - 1, y + h - 1), fill=fg)
    elif code == 0x2580:
        draw.rectangle((x, y, x + w - 1, y + h // 2 - 1), fill=fg)
    elif 0x2591 <= code <= 0x2593:
        share = (code - 0x2590) / 4
        mixed = tuple(int(b + (f - b) * share) for f, b in zip(fg, bg))
        draw.rectangle((x, y, x + w - 1, y + h - 1), fill=mixed)
    elif code in BOX:
        middle = (x + w // 2, y + h // 2)
        ends = {"l": (x, middle[1]), "r": (x + w - 1, middle[1]), "u": (middle[0], y), "d": (middle[0], y + h - 1)}
        for way in BOX[code]:
            draw.line((middle, ends[way]), fill=fg)
    else:
        return False
    return True


BOX = {0x2500: "lr", 0x2502: "ud", 0x250c: "rd", 0x2510: "ld", 0x2514: "ru", 0x2518: "lu", 0x251c: "udr",
       0x2524: "udl", 0x252c: "lrd", 0x2534: "lru", 0x253c: "lrud"}


def draw(lines, back, wide):
    """The picture of lines of cells."""
    fonts = [ImageFont.truetype(FONTS + name, POINTS) for name in ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")]
    image = Image.new("RGB", (wide * CELL_WIDE, len(lines) * CELL_HIGH), back)
    canvas = ImageDraw.Draw(image)
    for row, cells in enumerate(lines):
        for column, (character, fg, bg, bold, underline) in enumerate(cells[:wide]):
            x, y = column * CELL_WIDE, row * CELL_HIGH
            canvas.rectangle((x, y, x + CELL_WIDE - 1, y + CELL_HIGH - 1), fill=bg)
            if character != " " and not draw_shape(canvas, ord(character), x, y, fg, bg):
                canvas.text((x, y), character, font=fonts[bold], fill=fg)
            if underline:
                canvas.line((x, y + CELL_HIGH - 2, x + CELL_WIDE - 1, y + CELL_HIGH - 2), fill=fg)
    return image


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-s", "--size", default="80x24")
    parser.add_argument("-k", "--key", action="append", default=[])
    parser.add_argument("-w", "--wait")
    parser.add_argument("-t", "--term", default="tmux-256color")
    parser.add_argument("-e", "--env", action="append", default=[])
    parser.add_argument("-l", "--light", action="store_true")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    wide, high = map(int, options.size.split("x"))
    os.environ["LANG"] = "C.UTF-8"
    tmux = Tmux(wide, high)
    tmux.start(options.command, options.term, options.env)
    try:
        tmux.rest(options.wait)
        for key in options.key:
            tmux.press(key)
        if options.output.endswith(".txt"):
            with open(options.output, "w") as out:
                out.write(tmux.screen())
        else:
            lines, back = parse(tmux.screen("-e", "-N"), high, wide, not options.light)
            draw(lines, back, wide).save(options.output, optimize=True)
    finally:
        tmux("kill-server")


if __name__ == "__main__":
    sys.exit(main())
