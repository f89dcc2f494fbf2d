"""A sample of faults at random lines of the sources: run.sh tries them as it tries those of the lists.

    sample.py SOURCES BUILD COUNT SEED [TIMES]

prints COUNT mutants in the form of a list (README.md). Each line of code that can have a fault is as likely as any other,
but for those that a list names, and those of sources that BUILD did not compile. A fault is chosen by a hash of the
seed, the file and the text of its line: the same sources have the same sample, and a change elsewhere moves few others.
A mutant that stands in tests/mutants/equivalent has the reason from there. TIMES is a folder with what tests took in
seconds, in a file for each, with _ for /: then the quick ones come first.
"""

import collections
import hashlib
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults

FEW_UNITS = 4  # a room with fewer unit tests is reached by its commands
TESTS_OF_FAULT = int(os.environ.get("MUTANTS_TESTS", "20"))  # at most so many, and
SECONDS_OF_FAULT = 90  # so long together, but for the first
STRANGERS = 8  # unit tests of other rooms that include a file's header
TESTS_OF_FOLDER = 4  # of a file that no list names, those most often named for the files of its folder


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def files_below(root, folder, *endings):
    for path, folders, names in os.walk(os.path.join(root, folder)):
        folders.sort()
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(path, name), root)


def stanzas(text):
    """The mutants of a list: what each of its words says, several lines of one word in one text."""
    for block in re.split(r"\n\s*\n", text):
        stanza = collections.defaultdict(list)
        for line in block.split("\n"):
            if line and not line.startswith("#"):
                word, _, rest = line.partition(" ")
                stanza[word].append(rest)
        if stanza:
            yield {word: "\n".join(lines) for word, lines in stanza.items()}


def compiled(build, path):
    """Whether the build has an object of the source; a program's own objects have its name before theirs."""
    folder, name = os.path.split(path)
    stem, ending = os.path.splitext(name)
    folder = os.path.join(build, folder)
    wanted = stem + (".o" if ending == ".c" else ".cuo")
    if not os.path.isdir(folder) and not os.path.isdir(os.path.join(build, "src")):
        return True  # a build that keeps no objects
    return os.path.isdir(folder) and any(n == wanted or n.endswith("-" + wanted) for n in os.listdir(folder))


class Tests:
    """Which tests are run for a file, the likeliest first."""

    def __init__(self, root, mutants, times):
        self.times = times
        self.of_file = collections.defaultdict(collections.Counter)
        self.of_folder = collections.defaultdict(collections.Counter)
        for mutant in mutants:
            for rank, test in enumerate(mutant.get("test", "").split()):
                if rank > 0 and test.endswith(".bats"):
                    continue  # a program's test, which takes its time, only where it is the likeliest to notice
                self.of_file[mutant["file"]][test] += 2 if rank == 0 else 1
                self.of_folder[os.path.dirname(mutant["file"])][test] += 2 if rank == 0 else 1
        lists = [name for name in ("Makefile.am", "sources.am") if os.path.exists(os.path.join(root, name))]
        known = {word for name in lists for word in read(root, name).split()} if lists else None
        # A program has a main, or tests by TEST (tests/support/unit.h), whose main stands there.
        self.units = [p[:-2] for p in files_below(root, "tests", ".c") if re.search(r"\bmain\(|^TEST(_BETWEEN)?\(", read(root, p), re.M)]
        self.units = [unit for unit in self.units if known is None or unit in known]
        self.units = [unit for unit in self.units if not re.match("tests/(bench|forecast|fuzz|gpu|support)/", unit)]
        self.scripts = set(files_below(root, "tests", ".bats"))
        self.texts = {unit: read(root, unit + ".c") for unit in self.units}

    def of(self, path):
        """First those of the file, then those of its folder and room; of each the quickest first."""
        folder, name = os.path.split(path)
        rooms = folder.split("/")[1:]
        listed = [test for test, _ in self.of_file[path].most_common()]
        header = '"' + os.path.splitext(path)[0].partition("/")[2] + '.h"'
        naming = sorted((unit for unit in self.units if header in self.texts[unit]), key=self.seconds)
        of_folder = [] if listed else [test for test, _ in self.of_folder[folder].most_common(TESTS_OF_FOLDER)]
        room = [unit for unit in self.units if rooms and unit.startswith(f"tests/{rooms[0]}/")]
        strangers = [unit for unit in naming if unit not in room]
        naming = [unit for unit in naming if unit not in strangers[STRANGERS:]]
        scripts = [] if len(room) >= FEW_UNITS else self.named_scripts(rooms, name)
        # Tests called like the file or its folder, as tests/ui/pattern_moves of src/ui/pattern/moves.c.
        words = {os.path.splitext(name)[0], *rooms[1:]}
        called = [unit for unit in room if words & {os.path.basename(unit), *os.path.basename(unit).split("_")}]
        first = sorted(listed + naming, key=self.seconds) + sorted(called, key=self.seconds)
        tests = first + sorted(of_folder + room + scripts, key=self.seconds)
        return self.affordable(list(dict.fromkeys(tests))) or sorted(self.scripts)[:1]

    def affordable(self, tests):
        """The first ones, as many as a fault may cost."""
        kept, spent = [], 0
        for test in tests:
            spent += self.seconds(test)
            if not kept or (len(kept) < TESTS_OF_FAULT and spent <= SECONDS_OF_FAULT):
                kept.append(test)
        return kept

    def seconds(self, test):
        """What the test takes; before it ever ran, that programs take longer than units."""
        path = os.path.join(self.times, test.replace("/", "_"))
        return int(read(path) or 0) if self.times and os.path.exists(path) else 20 if test.endswith(".bats") else 2

    def named_scripts(self, rooms, name):
        """bats files called like the file, the beginning of its name, or a folder that it is in."""
        stem = os.path.splitext(name)[0]
        names = [stem, stem.partition("_")[0]] + rooms[::-1] + ["cli"] * (rooms in ([], ["command"]))
        scripts = [f"tests/{kind}/{name}.bats" for name in names for kind in ("commands", "screens", "ranks")]
        return [script for script in scripts if script in self.scripts]


def digest(*words):
    return hashlib.sha256("\0".join(map(str, words)).encode()).hexdigest()


def lines_named(text, mutants):
    """The numbers of the lines that a list names."""
    named = set()
    for mutant in mutants:
        begin = text.find(mutant["old"])
        if begin >= 0:
            first = text.count("\n", 0, begin) + 1
            named |= set(range(first, first + mutant["old"].count("\n") + 1))
    return named


def candidates(root, build, mutants, seed):
    """(key, file, line) of each line of code that no list names, in the order of their keys."""
    by_file = collections.defaultdict(list)
    for mutant in mutants:
        by_file[mutant["file"]].append(mutant)
    found = []
    for path in files_below(root, "src", ".c", ".cu"):
        if not compiled(build, path):
            continue
        text = read(root, path)
        if "writes this file" in text[:300]:  # a table that a fit wrote: there is no other source of its numbers
            continue
        source = faults.Source(text, {})
        lines = {source.line_of(t.begin) for t, region in zip(source.tokens, source.region) if region}
        seen, shown = collections.Counter(), text.split("\n")
        for line in sorted(lines - lines_named(text, by_file[path])):
            words = shown[line - 1].strip()
            seen[words] += 1
            found.append((digest(seed, path, words, seen[words]), path, line))
    return sorted(found)


def chosen(source, line, key):
    """One of the line's faults, each kind as likely as the others; None if it can have none."""
    kinds = collections.defaultdict(list)
    for fault in source.faults_of(line):
        kinds[fault.kind].append(fault)
    if not kinds:
        return None
    kind = min(kinds, key=lambda name: digest(key, name))
    begin = source.lines[line - 1]
    return min(kinds[kind], key=lambda f: digest(key, source.text[f.begin : f.end], f.text, f.begin - begin))


def stanza_of(source, fault):
    """The whole lines of the fault, and as many before them as make the text unique: (old, new)."""
    text = source.text
    begin = text.rfind("\n", 0, fault.begin) + 1
    end = text.find("\n", fault.end)
    while text.count(text[begin:end]) > 1 and begin > 0:
        begin = text.rfind("\n", 0, begin - 1) + 1
    old = text[begin:end]
    bare = old.lstrip(" ")
    if text.count(bare) == 1:
        begin, old = begin + len(old) - len(bare), bare
    return old, text[begin : fault.begin] + fault.text + text[fault.end : end]


def mutated(text, old, new):
    return text.replace(old, new, 1) if text.count(old) == 1 else None


def name_of(path, line, kind, taken):
    name = re.sub(r"[^a-z0-9]+", "-", f"{os.path.splitext(path)[0].partition('/')[2]}-{line}-{kind}".lower())
    taken[name] += 1
    return name if taken[name] == 1 else f"{name}-{taken[name]}"


def main(root, build, count, seed, times=""):
    folder = os.path.join(root, "tests", "mutants")
    names = sorted(n for n in os.listdir(folder) if n.endswith(".list") and n != "sample.list")
    mutants = [m for n in names for m in stanzas(read(folder, n)) if "file" in m and "old" in m]
    equivalent = []
    if os.path.exists(os.path.join(folder, "equivalent")):
        equivalent = [m for m in stanzas(read(folder, "equivalent")) if "survives" in m]
    tests = Tests(root, mutants, times)
    shared = faults.structures_of(read(root, path) for path in files_below(root, "src", ".h"))
    sources, taken, made = {}, collections.Counter(), 0
    for key, path, line in candidates(root, build, mutants, seed):
        if made == count:
            break
        if path not in sources:
            text = read(root, path)
            sources[path] = faults.Source(text, {**shared, **faults.structures_of([text])})
        source = sources[path]
        fault = chosen(source, line, key)
        if fault is None:
            continue
        made += 1
        old, new = stanza_of(source, fault)
        print(f"mutant {name_of(path, line, fault.kind, taken)}\nfile {path}")
        for word, lines in (("old", old), ("new", new)):
            for text in lines.split("\n"):
                print(word, text)
        print("test", *tests.of(path))
        result = mutated(source.text, old, new)
        for known in equivalent:
            if known["file"] == path and mutated(source.text, known["old"], known.get("new", "")) == result:
                print("survives", known["survives"])
                break
        print()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
