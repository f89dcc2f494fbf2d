#!/usr/bin/env python3
"""Hold a picture of a pattern against the matrix, counted by brute force.

  plot_counts.py MATRIX.mtx PICTURE.svg [PICTURE.png]
  plot_counts.py N,LOWER,UPPER PICTURE.svg [PICTURE.png]   of a full band, whose entries need no file

The image in the SVG file must have a pixel a dot, left out where the dot has no entries, and else of the level
that src/drawing/shade.h defines for its density. The colours of the levels must differ in lightness, and in one
direction. The PNG file must have the same colours at the place that the SVG file says, each as often as it says.
Nothing but Python's own library is used; PNG is read as ISO/IEC 15948 has it."""
import base64
import math
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib

DENSITY = 12  # the number of the first level's colour in the palette (enum colour)
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


def read_png(data):
    """Return width, height, bytes a pixel, rows, and the palette with what is transparent in it."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, palette, clear = 8, b"", [], b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            wide, high, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = [tuple(body[k:k + 3]) for k in range(0, length, 3)]
        elif kind == b"tRNS":
            clear = body
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    each = {2: 3, 3: 1, 6: 4}[colour]
    assert depth == 8 and interlace == 0
    raw, rows, before = zlib.decompress(packed), [], bytes(wide * each)
    for y in range(high):
        start = y * (wide * each + 1)
        way, row = raw[start], bytearray(raw[start + 1:start + 1 + wide * each])
        for k in range(len(row) if way else 0):
            left = row[k - each] if k >= each else 0
            up, corner = before[k], before[k - each] if k >= each else 0
            guess = left + up - corner
            if way == 4:
                left = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[k] = (row[k] + (up if way == 2 else (left + up) // 2 if way == 3 else left)) & 255
        rows.append(bytes(row))
        before = row
    return wide, high, each, rows, palette, clear


def read_matrix(path):
    lines = [line for line in open(path) if not line.startswith("%")]
    rows, cols, _ = map(int, lines[0].split())
    return rows, cols, {tuple(map(int, line.split()[:2])) for line in lines[1:]}


def counts_of(entries, dot):
    counts = {}
    for i, j in entries:
        place = (i - 1) // dot[0], (j - 1) // dot[1]
        counts[place] = counts.get(place, 0) + 1
    return counts


def counts_of_band(n, lower, upper, dot):
    """The same for all positions (i, j) with -lower <= j - i <= upper, row by row."""
    counts = {}
    for i in range(n):
        first, last = max(0, i - lower), min(n - 1, i + upper)
        for x in range(first // dot[1], last // dot[1] + 1):
            within = min(last, x * dot[1] + dot[1] - 1) - max(first, x * dot[1]) + 1
            counts[i // dot[0], x] = counts.get((i // dot[0], x), 0) + within
    return counts


def lightness(rgb):
    """CIE L* of sRGB."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in rgb)]
    y = sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear))
    return 116 * (y ** (1 / 3) if y > 216 / 24389 else (24389 / 27 * y + 16) / 116) - 16


def main():
    band = re.fullmatch(r"(\d+),(\d+),(\d+)", sys.argv[1])
    if band:
        rows = cols = int(band.group(1))
    else:
        rows, cols, entries = read_matrix(sys.argv[1])
    tree = ElementTree.parse(sys.argv[2]).getroot()
    image = tree.find(SVG + "image")
    words = " ".join(text.text for text in tree.iter(SVG + "text"))
    said = re.search(r"a dot is ([\d,]+) x ([\d,]+) positions", words)
    dot = [int(part.replace(",", "")) for part in said.groups()] if said else [1, 1]
    assert said or "a dot is one position" in words, words
    wide, high, _, pixels, palette, clear = read_png(base64.b64decode(image.get(LINK).split(",")[1]))
    assert [high, wide] == [-(-rows // dot[0]), -(-cols // dot[1])], (high, wide, dot)
    assert clear[0] == 0

    counts = counts_of_band(*map(int, band.groups()), dot) if band else counts_of(entries, dot)
    densities = {place: count / (dot[0] * dot[1]) for place, count in counts.items()}
    top = math.ceil(math.log2(max(densities.values())) - 1e-9)
    low = min(math.floor(math.log2(min(densities.values())) + 1e-9), top - 4)
    wanted = [bytearray(wide) for _ in range(high)]
    for (y, x), density in densities.items():
        level = 15 * (math.log2(density) - low) / (top - low)
        near = abs(level % 1 - 0.5) < 1e-6
        wanted[y][x] = pixels[y][x] if near and pixels[y][x] else DENSITY + round(level)
    for y in range(high):
        for x in range(wide) if pixels[y] != wanted[y] else ():
            assert pixels[y][x] == wanted[y][x], (y, x, counts.get((y, x)), pixels[y][x], wanted[y][x])

    ladder = [lightness(palette[DENSITY + level]) for level in range(16)]
    steps = [b - a for a, b in zip(ladder, ladder[1:])]
    assert all(s > 0.5 for s in steps) or all(s < -0.5 for s in steps), ladder

    if len(sys.argv) > 3:
        across, down, each, shown, _, _ = read_png(open(sys.argv[3], "rb").read())
        assert [across, down] == [int(tree.get("width")), int(tree.get("height"))]
        left, first = int(image.get("x")), int(image.get("y"))
        large = int(image.get("height")) // high, int(image.get("width")) // wide
        assert large[0] * high == int(image.get("height")) and large[1] * wide == int(image.get("width"))
        background = tuple(bytes.fromhex(tree.find(SVG + "rect").get("fill")[1:]))
        colours = [bytes(palette[k]) if k else bytes(background) for k in range(len(palette))]
        for y in range(high):
            row = b"".join(colours[colour] * large[1] for colour in pixels[y])
            for below in range(first + y * large[0], first + (y + 1) * large[0]):
                got = shown[below][left * each:(left + wide * large[1]) * each]
                if each == 4:
                    got = b"".join(got[k:k + 3] for k in range(0, len(got), 4))
                assert got == row, (y, below, bytes(got))
    print(f"{len(counts)} dots of {dot[0]} x {dot[1]}, {sum(counts.values())} entries")


main()
