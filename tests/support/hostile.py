"""What is written is safe, whatever names, titles and messages have: the program of argv[1] writes every format of every command
from files with hostile names, headers, members and saved reports, in the empty folder where this runs. One line for each fault;
the exit status is their number.

Expected values are Unicode's and the formats': a character's category, Python's parsers of XML, HTML, CSV and JSON. The structure of a page
must be that of the same page with a harmless name, so that no name is a mark."""

import csv
import html.parser
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import unicodedata
import xml.etree.ElementTree as xml
import zipfile

program, source = sys.argv[1:3]
faults = 0

HOSTILE = [
    b"esc\x1b]0;owned\x07\x1b[31m\x1b[2J",
    b"c1 as UTF-8 \xc2\x9b31m\xc2\x90q\xc2\x9c\xc2\x85",
    b"c1 as bytes \x9b31m\x90q\x9c\x85",
    b"not UTF-8 \xff\xfe\xc3(\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xe2\x82",
    b"line\nend\r\n\ttab\x0b\x0c\x7f\x08\x08\x08",
    b"=cmd|' C'!A0",
    b"+1+cmd",
    b"-2+3+cmd",
    b"@SUM(1)",
    b"\t=1+1",
    b"<script>alert(1)<b a=\"'>&amp;]]>--><!--",
    b"\" onload=\"x' &#27;&lt;",
    b"|`*_[x](y) $HOME ${x} \\e[31m # ~ ,;\"\"",
    b"lines \xe2\x80\xa8\xe2\x80\xa9 turned \xe2\x80\xae\xe2\x81\xa6 none \xef\xbf\xbe\xef\xbf\xbf\xf0\x9f\xbf\xbf",
    b"cut " + b"\xe2\x82\xac" * 60,
]
# Words with all of that, as one that stays within a line of errors and one that does not.
ALL = [b"=x\x1b[31m \xc2\x9b31m \x9b\xff\xc3( <b a=\"'>&|`* \xe2\x80\xa8\xe2\x80\xae\xef\xbf\xbe\r\n\ty", b"@" + b"\x9b\xc2\x9b\x1b\xe2\x82" * 9]
HOSTILE += ALL
HARMLESS = [b"plain %d" % k for k in range(len(HOSTILE))]


def fault(what, where):
    global faults
    faults += 1
    print(f"{where!r}: {what}")


def run(*arguments, status=None, stdin=None):
    arguments = [a if isinstance(a, bytes) else os.fsencode(str(a)) for a in arguments]

    done = subprocess.run([os.fsencode(program), *arguments], input=stdin, capture_output=True, timeout=600,
                          env={**os.environ, "OMP_NUM_THREADS": "2"})
    clean(done.stderr, (arguments, "standard error"))
    if done.returncode < 0 or (status is not None and done.returncode != status):
        fault(f"exit status {done.returncode}: {done.stderr[:300]!r}", arguments)
    return done.stdout


def clean(data, where):
    """UTF-8 without control characters but ends of lines and tabs, and without what redirects lines."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        fault(f"no UTF-8: {wrong}: {data[max(0, wrong.start - 20):wrong.start + 20]!r}", where)
        return ""
    for at, character in enumerate(text):
        if character in "\n\t":
            continue
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp", "Cn") and not "\u0378" <= character < "\ufdd0" \
                or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
            fault(f"U+{ord(character):04X} in {text[max(0, at - 20):at + 20]!r}", where)
            break
    return text


class Marks(html.parser.HTMLParser):
    """The tags of a page with their attributes' names, in order."""

    def __init__(self, page):
        super().__init__()
        self.marks = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.marks.append((tag, [name for name, _ in attributes]))

    def handle_endtag(self, tag):
        self.marks.append("/" + tag)

    def handle_comment(self, data):
        self.marks.append("comment")


def table(data, where, width=None):
    """Rows as many fields wide as the first, and no field that a spreadsheet computes."""
    rows = list(csv.reader(io.StringIO(clean(data, where), newline=""), strict=True))
    for row in rows:
        if len(row) != len(rows[0]):
            fault(f"{len(row)} fields, not {len(rows[0])}: {row!r}", where)
        for field in row:
            if len(field) < 2 or field[0] not in "=+-@\t\r":
                continue
            try:
                float(field)
            except ValueError:
                fault(f"a formula: {field!r}", where)
    return rows


def parsed(data, where):
    """JSON, of which only its own escapes have control characters."""
    try:
        return json.loads(clean(data, where))
    except ValueError as wrong:
        fault(f"no JSON: {wrong}", where)
        return None


def picture(data, where):
    try:
        xml.fromstring(data)
    except xml.ParseError as wrong:
        fault(f"no XML: {wrong}", where)
    clean(data, where)


def shown(name):
    """What JSON has of these bytes: each that begins no character is U+FFFD."""
    return "".join("\ufffd" if 0xdc80 <= ord(c) <= 0xdcff else c for c in name.decode("utf-8", "surrogateescape"))


def lines_of(data):
    return [line for line in data.split(b"\n") if line]


# Kernels that take little time.
# The limit keeps the buffer small with which each run measures the memory's bandwidth.
FAST = ("--kernels=csr-seq hyb-seq", "--repeat=1", "--warmup=0", "--threads=1", "--limit=64M")


def write_files(folder, names):
    os.mkdir(folder)
    matrix = open(os.path.join(source, "data/pmpp.mtx"), "rb").read()
    paths = []
    for name in names:
        path = os.path.join(os.fsencode(folder), name + b".mtx")
        with open(path, "wb") as out:
            out.write(matrix)
        paths.append(path)
    return paths


def reports():
    """report, in every format, of files with hostile and with harmless names."""
    hostile, harmless = write_files("hostile", HOSTILE), write_files("harmless", HARMLESS)
    for name in ("text", "markdown"):
        ours, theirs = (clean(run("report", f"--format={name}", *paths, status=0), name) for paths in (hostile, harmless))
        if name == "text" and ours.count("\n===") != theirs.count("\n==="):
            fault("a name is a line of its own", name)
    ours, theirs = (clean(run("report", "--format=html", *paths, status=0), "html") for paths in (hostile, harmless))
    if Marks(ours).marks != Marks(theirs).marks:
        fault("a name is a mark of HTML", "html")
    rows = table(run("report", "--format=csv", *hostile, status=0), "csv")
    found = []
    for row in rows[1:]:
        if row[0] not in found:
            found.append(row[0])
    if len(found) != len(HOSTILE):
        fault(f"{len(found)} names of {len(HOSTILE)}", "csv")
    table(run("report", "--format=csv", *FAST, hostile[-1], status=0), "csv of kernels")
    report = parsed(run("report", "--format=json", *hostile, status=0), "json")
    for name, matrix in zip(HOSTILE, report["matrices"]):
        if matrix["path"] != "hostile/" + shown(name) + ".mtx":
            fault(f"path {matrix['path']!r} in JSON", name)
    for line in lines_of(run("report", "--format=jsonl", *hostile, status=0)):
        parsed(line, "jsonl")
    return hostile, parsed(run("report", "--format=json", *FAST, hostile[-1], status=0), "json of kernels")


def errors(hostile):
    """Messages that quote a name, a word of the command line or a line of a file."""
    absent = [b"./" + name + b".absent" for name in HOSTILE]
    for name in ("text", "markdown", "csv", "html"):
        clean(run("report", f"--format={name}", *absent, status=1), name)
    parsed(run("report", "--format=json", *absent, status=1), "json of errors")
    damaged = []
    for k, words in enumerate(HOSTILE):
        for end, head in enumerate((b"%%MatrixMarket matrix " + words + b" real general\n", b"%%MatrixMarket matrix coordinate real general\n" +
                                    words + b"\n", b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 " + words + b"\n",
                                    b"%%MatrixMarket matrix coordinate real general\n%" + words + b"\n2 2 1\n" + words + b" 1 1\n")):
            path = f"damaged{k}.{end}.mtx"
            open(path, "wb").write(head)
            damaged.append(path)
        open(f"vector{k}", "wb").write(words + b"\n")
        open(f"order{k}", "wb").write(b"1\n" + words + b"\n3\n4\n")
        for ending in ("edges", "csv", "graph", "rb", "npz", "mat", "h5", "petsc"):
            path = f"damaged{k}.{ending}"
            open(path, "wb").write(words + b"\n" + words)
            damaged.append(path)
    parsed(run("report", "--format=json", *damaged), "json of damaged files")
    for name in ("text", "markdown", "csv", "html"):
        clean(run("report", f"--format={name}", *damaged), name)
    for k, words in enumerate(ALL, len(HOSTILE) - len(ALL)):
        for arguments in ((words,), ("report", b"--format=" + words, "x"), (b"--" + words,), ("report", b"--kernels=" + words, hostile[0]),
                          ("report", b"--reorder=" + words, hostile[0]), ("report", b"--convert=" + words, hostile[0]),
                          ("report", b"--from=" + words, hostile[0]), ("report", b"--gpu=" + words, hostile[0]),
                          ("report", b"--parts=" + words, hostile[0]), ("report", "--parts=2", b"--partition=" + words, hostile[0]),
                          ("report", b"--threads=" + words, hostile[0]), ("report", b"--limit=" + words, hostile[0]),
                          ("plot", words, hostile[0]), ("plot", words), ("plot", b"--by=" + words, hostile[0]), ("gen", words), ("gen", b"laplace2d," + words),
                          ("kernels", b"--gpu=" + words), ("convert", words, "x.mtx"), ("convert", hostile[0], words + b"/y.mtx"),
                          ("compare", words), ("survey", "-o", words + b"/s", hostile[0]), ("survey", "-o", "s", b"--list=" + words),
                          ("report", b"--reorder=file:path=" + words, hostile[0]), ("report", f"--reorder=file:path=order{k}", hostile[0]),
                          ("report", "--parts=4", f"--partition=file:path=order{k}", hostile[0]),
                          ("report", f"--x=vector{k}", "--kernels=csr-seq", hostile[0]), ("completion", words), ("manual", words),
                          ("report", b"gen:" + words), ("report", "-o", words + b"/x", hostile[0]), ("plot", "-o", words + b"/x.svg", hostile[0])):
            clean(run(*arguments), (arguments, "standard output"))


def orders(hostile):
    """Orders and partitions of files with hostile names, as which they are labelled in every format."""
    for name in ALL:
        for mark in b", :\t\n":
            name = name.replace(bytes([mark]), b"")
        open(b"o" + name, "wb").write(b"4\n3\n2\n1\n")
        open(b"p" + name, "wb").write(b"0\n1\n0\n1\n")
        arguments = (b"--reorder=file:path=o" + name, "--parts=2", b"--partition=file:path=p" + name, hostile[0])
        for form in ("text", "markdown", "html"):
            clean(run("report", f"--format={form}", *arguments, status=0), form)
        table(run("report", "--format=csv", *arguments, status=0), "csv of orders")
        parsed(run("report", "--format=json", *arguments, status=0), "json of orders")
        run("plot", "--by=owner", b"--partition=file:path=p" + name, "-o", "owner.svg", hostile[0], status=0)
        picture(open("owner.svg", "rb").read(), (name, "owners"))


def plots(hostile):
    kinds = ("pattern", "rows", "columns", "layout", "kernels", "roofline", "break-even")
    for k, path in enumerate(hostile):
        for what in kinds if k == 0 else kinds[k % len(kinds):][:1]:
            run("plot", what, "-o", "picture.svg", path, status=0)
            picture(open("picture.svg", "rb").read(), (what, path))
        clean(run("plot", path, "--size=60x20", status=0), ("plot in a pipe", path))


def surveys():
    os.mkdir("few")
    for k in (0, -1):
        shutil.copy(b"hostile/" + HOSTILE[k] + b".mtx", b"few")
    run("survey", "-o", "s.jsonl", "--plots=charts", *FAST, "few", status=0)
    for name in os.listdir("charts"):
        picture(open(os.path.join("charts", name), "rb").read(), name)
    for line in lines_of(open("s.jsonl", "rb").read()):
        parsed(line, "s.jsonl")
    clean(run("survey", "--resume", "-o", "s.jsonl"), "survey in text")
    table(run("survey", "--resume", "-o", "s.jsonl", "--format=csv"), "survey in csv")
    parsed(run("survey", "--resume", "-o", "s.jsonl", "--format=json"), "survey in json")


def walk(value, path=()):
    """Each string of a report, as the path to it."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, (list, dict)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value[:2]):
            yield from walk(inner, path + (key,))


def saved(report):
    """Saved reports, one of whose strings is hostile."""
    one = report
    with open("base.json", "w") as out:
        json.dump(one, out)
    for k, path in enumerate(walk(one)):
        other = json.loads(json.dumps(one))
        at = other
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = HOSTILE[k % len(HOSTILE)].decode("utf-8", "replace")
        with open("other.json", "w") as out:
            json.dump(other, out, ensure_ascii=k % 2 == 0)
        form = ("text", "csv", "json")[k % 3]
        data = run("compare", f"--format={form}", "base.json", "other.json")
        if form == "csv":
            table(data, path)
        elif form == "json" and data:
            parsed(data, path)
        else:
            clean(data, path)
        run("plot", "kernels", "--results=other.json", "-o", "saved.svg", "harmless/plain 0.mtx")
        run("plot", "speed-up", "--kernels=csr-seq hyb-seq", "-o", "saved.svg", "other.json")
        if os.path.exists("saved.svg"):
            picture(open("saved.svg", "rb").read(), path)
            os.unlink("saved.svg")


def written():
    """Files of matrices have their origin in a comment; manual pages and archives have names."""
    for k, name in enumerate(HOSTILE):
        command = ("convert", "-") if k % 2 else ("manual",)
        clean(run(command[0], os.path.join(b"hostile", name + b".mtx"), *command[1:], status=0), (*command, name))
    matrix = open(os.path.join(source, "data/pmpp.mtx"), "rb").read()
    with tarfile.open("a.tar", "w", format=tarfile.GNU_FORMAT, encoding="utf-8", errors="surrogateescape") as archive:
        for name in HOSTILE:
            info = tarfile.TarInfo("m/" + os.fsdecode(name) + ".mtx")
            info.size = len(matrix)
            archive.addfile(info, io.BytesIO(matrix))
    for k, name in enumerate(HOSTILE):
        form = ("text", "markdown", "html", "csv")[k % 4]
        clean(run("report", f"--format={form}", "a.tar", status=1), form)
        clean(run("report", f"--format={form}", b"a.tar:m/" + name + b".mtx"), (form, name))
    clean(run("survey", "-o", "a.jsonl", "a.tar"), "survey of an archive")
    with zipfile.ZipFile("a.npz", "w") as archive:
        for name in HOSTILE:
            archive.writestr(name.decode("utf-8", "replace").replace("/", "") + ".npy", b"\x93NUMPY" + name)
    clean(run("report", "a.npz"), "npz")


def explored():
    """Names in folders, as a shell completes them: those that no line can have are left out."""
    clean(run("completion", "words", "--", "report", "hostile/"), "completion")


hostile, report = reports()
errors(hostile)
orders(hostile)
plots(hostile)
surveys()
saved(report)
written()
explored()
sys.exit(min(faults, 100))
