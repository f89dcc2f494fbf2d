"""Add up what gcovr counted, a line for each room of src.

    rooms.py LINES.json UNCOVERED.txt

Reads gcovr's JSON, prints the table, and writes what was not executed: a line for each file, with runs of lines, the files
with the most such lines first.
"""
import json
import sys


def counts_of(file):
    """Return {line number: executions}, of a file whose object was compiled several times the sum."""
    counts = {}
    for line in file["lines"]:
        if not line.get("gcovr/noncode"):
            number = line["line_number"]
            counts[number] = counts.get(number, 0) + line["count"]
    return counts


def runs_of(counts):
    """Return the lines that were not executed as text: "12-15 20". Lines without code do not end a run."""
    runs, open_run = [], None
    for number in sorted(counts):
        if counts[number]:
            open_run = None
        elif open_run:
            open_run[1] = number
        else:
            open_run = [number, number]
            runs.append(open_run)
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def room_of(path):
    """Return the folder below src, or "." of the programs' own files."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else "."


def main():
    lines, uncovered = sys.argv[1:]
    with open(lines, encoding="utf-8") as stream:
        files = {file["file"]: counts_of(file) for file in json.load(stream)["files"]}
    rooms = {}
    for path, counts in files.items():
        room = rooms.setdefault(room_of(path), [0, 0])
        room[0] += len(counts)
        room[1] += sum(1 for count in counts.values() if count)
    print(f"{'room':<14}{'lines':>8}{'executed':>10}{'share':>9}")
    def row(name, total, done):
        print(f"{name:<14}{total:>8}{done:>10}{100 * done / max(total, 1):>8.1f}%")
    for name in sorted(rooms):
        row(name, *rooms[name])
    outside = [sum(v) for v in zip(*(v for k, v in rooms.items() if k != "ui"))]
    row("outside ui", *(outside or [0, 0]))
    row("ui", *rooms.get("ui", [0, 0]))
    with open(uncovered, "w", encoding="utf-8") as stream:
        ranked = sorted(files, key=lambda p: (-sum(1 for c in files[p].values() if not c), p))
        for path in ranked:
            missing = sum(1 for count in files[path].values() if not count)
            if missing:
                stream.write(f"{path} ({missing} of {len(files[path])}): {runs_of(files[path])}\n")


if __name__ == "__main__":
    main()
