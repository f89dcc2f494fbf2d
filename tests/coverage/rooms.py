"""Add up what gcov counted, a line for each room of src.

    rooms.py SOURCES BUILD UNCOVERED.txt

Asks gcov about all objects of the build, prints the table, and writes what was not executed: a line for each file, with runs of
lines, the files with the most such lines first. A source that is compiled several times, as loops are for several instruction
sets, counts once: a line is executed if it is in one of the objects.
"""
import collections
import concurrent.futures
import json
import os
import subprocess
import sys


def documents_of(names, folder):
    """Yield what gcov says of these notes (.gcno), a document each."""
    said = subprocess.run(["gcov", "--json-format", "--stdout", *names], cwd=folder, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in said.stdout.splitlines():
        if line.strip():
            yield json.loads(line)


def counts_of(sources, build):
    """Return {file below src: {line number: executions}}."""
    names = []
    for folder, _, files in os.walk(build):
        names += [os.path.join(folder, name) for name in files if name.endswith(".gcno")]
    names.sort()
    batches = [names[k:k + 40] for k in range(0, len(names), 40)]
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for documents in pool.map(lambda batch: list(documents_of(batch, build)), batches):
            for document in documents:
                for file in document["files"]:
                    path = os.path.realpath(os.path.join(document["current_working_directory"], file["file"]))
                    path = os.path.relpath(path, sources)
                    if not path.startswith("src/"):
                        continue
                    for line in file["lines"]:
                        counts[path][line["line_number"]] += line["count"]
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


def show(name, total, done):
    """Print a line of the table."""
    print(f"{name:<14}{total:>8}{done:>10}{100 * done / max(total, 1):>8.1f}%")


def main():
    sources, build, uncovered = sys.argv[1:]
    files = counts_of(os.path.realpath(sources), os.path.realpath(build))
    rooms = {}
    for path, counts in files.items():
        room = rooms.setdefault(room_of(path), [0, 0])
        room[0] += len(counts)
        room[1] += sum(1 for count in counts.values() if count)
    if not rooms:
        sys.exit(f"nothing was counted in {build}")
    print(f"{'room':<14}{'lines':>8}{'executed':>10}{'share':>9}")
    for name in sorted(rooms):
        show(name, *rooms[name])
    show("outside ui", *(sum(room[k] for name, room in rooms.items() if name != "ui") for k in (0, 1)))
    show("ui", *rooms.get("ui", [0, 0]))
    with open(uncovered, "w", encoding="utf-8") as stream:
        missing = {path: sum(1 for count in counts.values() if not count) for path, counts in files.items()}
        for path in sorted(missing, key=lambda p: (-missing[p], p)):
            if missing[path]:
                stream.write(f"{path} ({missing[path]} of {len(files[path])}): {runs_of(files[path])}\n")


if __name__ == "__main__":
    main()
