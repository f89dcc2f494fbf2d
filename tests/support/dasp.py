#!/usr/bin/env python3
"""Store a Matrix Market file in DASP by the definitions (src/formats/dasp.h), one grid of 8 x 4 slots after
another, and print the arrays, indices from 0.

    dasp.py MATRIX.mtx [LONG [THRESHOLD]]

prints `slots`, `irregular`, `padding`, `integers` and `bytes` (values of 8 bytes, indices of 4), and then each
array on a line of its own; a slot of padding has the value *. The matrix is general and real, or a pattern."""
import sys


def read(path):
    """Return the rows as sorted lists of (column, value)."""
    lines = [line for line in open(path, encoding="ascii") if line.strip()]
    symmetric = "symmetric" in lines[0]
    lines = [line.split() for line in lines if not line.startswith("%")]
    rows, entries = [[] for _ in range(int(lines[0][0]))], {}
    for line in lines[1:]:
        i, j = int(line[0]) - 1, int(line[1]) - 1
        value = float(line[2]) if len(line) > 2 else 1.0
        for place in {(i, j), (j, i)} if symmetric else {(i, j)}:
            entries[place] = entries.get(place, 0) + value
    for (i, j), value in sorted(entries.items()):
        rows[i].append((j, value))
    return rows


def line(row, wide, last=None):
    """Return a row of a grid: the entries, and then padding with the column of the row's last entry."""
    column = last if last is not None else row[-1][0] if row else 0
    return row + [(column, "*")] * (wide - len(row))


def whole(lines):
    """Return lines of four slots as whole grids of eight lines."""
    return lines + [line([], 4)] * (-len(lines) % 8)


def store(rows, above, threshold):
    order = sorted(range(len(rows)), key=lambda i: (-len(rows[i]), i))
    blocks, block_ptr, irregular, irreg_ptr = [], [], [], []

    medium = [i for i in order if 4 < len(rows[i]) <= above]
    for i in order:
        if len(rows[i]) > above:
            block_ptr.append(len(blocks))
            blocks += line(rows[i], -(-len(rows[i]) // 64) * 64)
    for b in range(0, len(medium), 8):
        eight, rest = [rows[i] for i in medium[b : b + 8]], None
        block_ptr.append(len(blocks))
        for j in range(0, above + 4, 4):
            grid = [row[j : j + 4] for row in eight]
            filled = sum(map(len, grid))
            if filled == 0 or filled / 32 < threshold:
                rest = j
                break
            for row, piece in zip(eight, grid):
                blocks += line(piece, 4, row[-1][0])
            blocks += line([], 4) * (8 - len(eight))
        for row in eight:
            irreg_ptr.append(len(irregular))
            irregular += row[rest:]
    irreg_ptr.append(len(irregular))
    block_ptr.append(len(blocks))

    of = {n: [rows[i] for i in order if len(rows[i]) == n] for n in (1, 2, 3, 4)}
    pairs = min(len(of[1]), len(of[3]))
    alone, threes = of[3][: len(of[3]) - pairs], of[3][len(of[3]) - pairs :]
    sections = [
        [line(row, 4) for row in of[4] + alone],
        [one + three for one, three in zip(of[1], threes)],
        [line(of[2][k], 2) + line(of[2][k + 1] if k + 1 < len(of[2]) else [], 2) for k in range(0, len(of[2]), 2)],
    ]
    for section in sections:
        for slots in whole(section):
            blocks += slots
    for row in of[1][pairs:]:
        blocks += row
    return order, block_ptr, blocks, irreg_ptr, irregular


def main(path, above="256", threshold="0.75"):
    order, block_ptr, blocks, irreg_ptr, irregular = store(read(path), int(above), float(threshold))
    arrays = {
        "perm": order,
        "block_ptr": block_ptr,
        "col": [column for column, _ in blocks],
        "val": [value for _, value in blocks],
    }
    if irregular:
        arrays["irreg_ptr"] = irreg_ptr
        arrays["irreg_col"] = [column for column, _ in irregular]
        arrays["irreg_val"] = [value for _, value in irregular]
    integers = sum(len(array) for name, array in arrays.items() if not name.endswith("val"))
    slots = len(blocks) + len(irregular)
    print("slots", slots)
    print("irregular", len(irregular))
    print("padding", sum(value == "*" for _, value in blocks))
    print("integers", integers)
    print("bytes", 4 * integers + 8 * slots)
    for name, array in arrays.items():
        print(name, *(f"{element:g}" if isinstance(element, float) else element for element in array))


if __name__ == "__main__":
    main(*sys.argv[1:])
