#!/usr/bin/env python3
"""Make sheets of pictures of every screen at many sizes and in many colours, for whoever changes a screen to look at
all of it. For developers; needs tmux, pillow and a monospaced font (fonts-dejavu-core).

  sheets.py [-p PROGRAM] [-s SIZES] [-c COLOURS] [-n SCENES] FOLDER

FOLDER gets a picture SIZE-COLOURS.png of all scenes for each of the SIZES (72x20,80x23,80x24,120x36,200x60) and of the
COLOURS (dark,light,8,none,ascii); each scene stands below its name. SCENES chooses some, by the beginnings of their
names.
"""
import argparse
import os
import sys

from PIL import Image, ImageDraw, ImageFont

import screenshot

SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEMO, STENCIL, SMALL, DISSECTION = "demo.mtx.gz", "stencil27.mtx.gz", "pmpp.mtx", "dissection.mtx.gz"

# Of each scene its name, the arguments, the text to wait for at first, and the keys, as of screenshot.py; after "..." the
# text to wait for before the next key.
SCENES = [
    ("start", [], "Open", []),
    ("browser", ["."], "demo", ["End"]),
    ("browser-help", ["."], "demo", ["?"]),
    ("summary", [DEMO], "relative to CSR", []),
    ("summary-end", [DEMO], "relative to CSR", ["End"]),
    ("summary-help", [DEMO], "relative to CSR", ["?"]),
    ("pattern", [DEMO], "relative to CSR", ["2"]),
    ("pattern-near", [DEMO], "relative to CSR", ["2", "g", "1900,1900", "Enter", "+", "+", "+", "+"]),
    ("pattern-numbers", [SMALL], "relative to CSR", ["2"]),
    ("pattern-overlay", [DEMO], "relative to CSR", ["2", "o", "o", "d", "b"]),
    ("pattern-find", [DEMO], "relative to CSR", ["2", "/"]),
    ("rows", [DEMO], "relative to CSR", ["3"]),
    ("rows-log", [DEMO], "relative to CSR", ["3", "c", "s", "+", "+", ">"]),
    ("rows-entries", [DEMO], "relative to CSR", ["3", "Enter", "s"]),
    ("rows-zoom", [DEMO], "relative to CSR", ["3", "r"]),
    ("layouts", [SMALL], "relative to CSR", ["4"]),
    ("layouts-list", [DEMO], "relative to CSR", ["4", "Space"]),
    ("layouts-three", [DEMO], "relative to CSR", ["4", "Space", "Down", "Down", "Space", "Enter"]),
    ("layouts-stacked", [DEMO], "relative to CSR", ["4", "s"]),
    ("warps", [DEMO], "relative to CSR", ["5"]),
    ("warps-list", [DEMO], "relative to CSR", ["5", "Enter"]),
    ("warps-same", [STENCIL], "relative to CSR", ["5", "Right", "Right", "w"]),
    ("kernels", [DEMO], "relative to CSR", ["6"]),
    ("kernels-run", [SMALL], "relative to CSR", ["6", "Down", "Space", "Down", "Down", "Space", "r", "...memory read"]),
    ("kernels-roofline", [SMALL], "relative to CSR", ["6", "Down", "Space", "Down", "Down", "Space", "r", "...memory read", "i"]),
    ("kernels-curves", [SMALL], "relative to CSR", ["6", "/", "csr-omp", "Enter", "T", "C-u", "1-4", "Enter", "V", "...memory read"]),
    ("kernels-filter", [DEMO], "relative to CSR", ["6", "F", "jds gpu", "Enter"]),
    ("kernels-columns", [DEMO], "relative to CSR", ["6", "c"]),
    ("advice", [DEMO], "relative to CSR", ["7", "...f64, "]),
    ("advice-term", [DEMO], "relative to CSR", ["7", "...f64, ", "Down", "Right", "Right"]),
    ("advice-orders", [DISSECTION], "relative to CSR", ["e", "Enter", "7", "...rcm: "]),
    ("advice-bars", [DEMO], "relative to CSR", ["7", "...f64, ", "b", "Down"]),
    ("advice-even", [DEMO], "relative to CSR", ["7", "...f64, ", "B", "Down", "Down"]),
    ("advice-each", [DEMO], "relative to CSR", ["7", "...f64, ", "v"]),
    ("advice-roofline", [DEMO], "relative to CSR", ["7", "...f64, ", "i"]),
    ("advice-triangles", [STENCIL], "relative to CSR", ["7", "...f64, ", "T", "...SymGS step"]),
    ("advice-spgemm", [DEMO], "relative to CSR", ["7", "...f64, ", "G", "...Entries of C"]),
    ("advice-precisions", [DEMO], "relative to CSR", ["7", "...f64, ", "p", "...bf16x3"]),
    ("advice-criteria", [DEMO], "relative to CSR", ["7", "...f64, ", "c", "Down"]),
    ("advice-run", [SMALL], "relative to CSR", ["6", "Down", "Space", "Down", "Down", "Space", "r", "...memory read", "7", "b"]),
    ("advice-one", [DEMO], "relative to CSR", ["7", "...f64, ", "a", "c"]),
    ("parts", [DEMO], "relative to CSR", ["8", "...speed-up"]),
    ("parts-curves", [DEMO], "relative to CSR", ["8", "...speed-up", "c", "Down"]),
    ("parts-volume", [DEMO], "relative to CSR", ["8", "...speed-up", "c", "m"]),
    ("parts-owners", [DEMO], "relative to CSR", ["8", "...speed-up", "o"]),
    ("parts-volumes", [DEMO], "relative to CSR", ["8", "...speed-up", "v"]),
    ("kernels-quit", [SMALL], "relative to CSR", ["6", "r", "...memory read", "q"]),
]

# Of each way to colour the screen the terminal's kind, the environment, the options and whether it is drawn on black.
COLOURS = {
    "dark": ("tmux-256color", [], ["--background=dark"], True),
    "light": ("tmux-256color", [], ["--background=light"], False),
    "8": ("screen", [], ["--background=dark"], True),
    "none": ("tmux-256color", ["NO_COLOR=1"], [], True),
    "ascii": ("tmux-256color", [], ["--ascii", "--background=dark"], True),
}


def picture(program, scene, size, colours):
    """The picture of a scene."""
    _, arguments, text, keys = scene
    term, environment, options, dark = COLOURS[colours]
    wide, high = map(int, size.split("x"))
    screen = screenshot.Tmux(wide, high)
    screen.start([program] + options + arguments, term, environment)
    try:
        screen.rest(text)
        for key in keys:
            if key.startswith("..."):
                screen.rest(key[3:])
            else:
                screen.press(key)
        lines, back = screenshot.parse(screen.screen("-e", "-N"), high, wide, dark)
    finally:
        screen("kill-server")
    return screenshot.draw(lines, back, wide)


def sheet(pictures, across):
    """One picture of all, `across` beside each other, each below its name."""
    gap, head = 12, 30
    wide, high = pictures[0][1].size
    down = -(-len(pictures) // across)
    image = Image.new("RGB", (across * (wide + gap), down * (high + head)), (110, 110, 130))
    font = ImageFont.truetype(screenshot.FONTS + "DejaVuSansMono-Bold.ttf", 20)
    for k, (name, one) in enumerate(pictures):
        x, y = k % across * (wide + gap), k // across * (high + head)
        ImageDraw.Draw(image).text((x + 4, y + 3), name, font=font, fill=(255, 255, 255))
        image.paste(one, (x, y + head))
    return image


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-p", "--program", default="./sparsight")
    parser.add_argument("-s", "--sizes", default="72x20,80x23,80x24,120x36,200x60")
    parser.add_argument("-c", "--colours", default=",".join(COLOURS))
    parser.add_argument("-n", "--scenes", default="")
    parser.add_argument("folder")
    options = parser.parse_args()
    program, folder = os.path.abspath(options.program), os.path.abspath(options.folder)
    os.makedirs(folder, exist_ok=True)
    os.chdir(os.path.join(SOURCES, "data"))
    os.environ["LANG"] = "C.UTF-8"
    os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
    os.environ.pop("NO_COLOR", None)
    scenes = [s for s in SCENES if any(s[0].startswith(n) for n in options.scenes.split(","))]
    for size in options.sizes.split(","):
        across = 3 if int(size.split("x")[0]) < 100 else 2
        for colours in options.colours.split(","):
            pictures = [(scene[0], picture(program, scene, size, colours)) for scene in scenes]
            path = os.path.join(folder, "%s-%s.png" % (size, colours))
            sheet(pictures, across).save(path, optimize=True)
            print(path, flush=True)


if __name__ == "__main__":
    sys.exit(main())
