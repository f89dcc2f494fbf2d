#!/usr/bin/env python3
"""Make the README's pictures from the screens as they are now: pictures.py PROGRAM FOLDER [NAME]... For developers; needs
tmux, pillow and a monospaced font (fonts-dejavu-core). That of the kernels wants a machine with nothing else to do."""
import os
import subprocess
import sys
import tempfile

import screenshot

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "data")

# Of each picture its name, the size of the terminal, the arguments, the keys, after "..." the text to wait for before the
# next key, and the last text to wait for.
PICTURES = [
    ("sparsight", "120x36", ["demo.mtx.gz"], ["...Take ", "2"], "Legend"),
    ("layouts", "120x36", ["pmpp.mtx"], ["4", "Space", "/", "j", "d", "s", "Enter", "Space", "/", "h", "e", "i", "g",
                                         "h", "t", "=", "8", "Enter", "Space", "Enter", "Down", "Down", "Right"],
     "CMRS"),
    ("warps", "110x42", ["stencil27.mtx.gz"], ["5", "...x typical", "b", "p", "C-u", *"ell-padded", "Enter", "b", "...x typical",
                                                     "t"], "a typical warp"),
    ("kernels", "120x36", ["stencil27.mtx.gz"], ["6", "R"], "run #1"),
    ("advice", "120x44", ["powerlaw.mtx.gz"], ["7", "m"], "NVIDIA"),
    ("parts", "160x48", ["gen:stencil27,n=48"], ["8", "o", "...Fastest: ", ","], "entries, 8 parts"),
]

# Forecasts beside measured times are those of this machine; others are the same everywhere.
MEASURED = ("kernels",)


def profile(program, name, state):
    """Environment variables for the profile of the processor."""
    if name not in MEASURED:
        return ["SPARSIGHT_PROCESSOR=assumed"]
    environment = dict(os.environ, XDG_CACHE_HOME=state)
    environment.pop("SPARSIGHT_PROCESSOR", None)
    subprocess.run([program, "kernels", "--calibrate"], env=environment, stdout=subprocess.DEVNULL, check=True)
    return ["XDG_CACHE_HOME=" + state]


def main():
    program, folder = map(os.path.abspath, sys.argv[1:3])
    os.chdir(DATA)
    os.environ["LANG"] = "C.UTF-8"
    os.environ.pop("NO_COLOR", None)
    for name, size, arguments, keys, text in PICTURES:
        if sys.argv[3:] and name not in sys.argv[3:]:
            continue
        wide, high = map(int, size.split("x"))
        screen = screenshot.Tmux(wide, high)
        with tempfile.TemporaryDirectory() as state:
            screen.start([program, "--background=dark"] + arguments, "tmux-256color", ["XDG_STATE_HOME=" + state] + profile(program, name, state))
            try:
                screen.rest("relative to CSR")
                for key in keys:
                    if key.startswith("..."):
                        screen.rest(key[3:], limit=300)
                    else:
                        screen.press(key)
                screen.rest(text, limit=300)
                lines, back = screenshot.parse(screen.screen("-e", "-N"), high, wide, True)
            finally:
                screen("kill-server")
        screenshot.draw(lines, back, wide).save(os.path.join(folder, name + ".png"), optimize=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main())
