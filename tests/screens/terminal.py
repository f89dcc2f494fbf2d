"""A terminal that knows graphics, for tests: it runs a program, answers what is asked of it, and keeps what it is shown.

    terminal.py kitty|sixel|silent quit|signal|move MATRIX.mtx PROGRAM [ARGUMENT...]

The program is sparsight, which shows the square matrix of the file. The terminal opens the Pattern screen, decodes the
picture that is sent, and compares it with the matrix: a dot has a pixel if it has an entry, and the more entries the later
its colour comes in the order of the legend. It moves the cursor, opens and closes the help, leaves the screen and quits, or
is ended by a signal; or it only moves over the matrix in a view that has room for lines that are alike. $TERMINAL is what
the program takes the terminal for. Python's standard library alone is used.
"""

import base64
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import zlib

ROWS, COLUMNS, CELL = 23, 80, (20, 10)
FEW = 300  # bytes of pixels that a moved cursor may take
MOVED = (40, 100, (16, 8))  # as these, if the view is moved: moves by 8 dots are whole cells
PATIENCE = 240

KITTY = re.compile(rb"\x1b_G([^;\x1b]*)(?:;([^\x1b]*))?\x1b\\")
SIXEL = re.compile(rb"\x1bP[\d;]*q([^\x1b]*)\x1b\\")
SCROLLED = re.compile(rb"\x1b\[[\d;]*[rSTLM]|\x1b[MD]")
GRAPHICS = re.compile(rb"\x1b_G|\x1bP[\d;]*q")


def check(holds, text):
    if not holds:
        raise SystemExit("not ok: " + text)


class Terminal:
    def __init__(self, kind, command):
        self.kind, self.seen, self.answered = kind, b"", 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM=os.environ.get("TERMINAL", "xterm-256color"), LC_ALL="C.UTF-8", LANG="C.UTF-8")
            for name in ("NO_COLOR", "TMUX", "STY", "COLORFGBG"):
                os.environ.pop(name, None)
            size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.execvp(command[0], command)

    def answers(self):
        """What has been asked since the last call is answered, in the order it was asked in."""
        known = {
            rb"\x1b\]11;\?\x1b\\": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
            rb"\x1b\[16t": b"\x1b[6;%d;%dt" % CELL,
            rb"\x1b\[c": b"\x1b[?62;4c" if self.kind == "sixel" else b"\x1b[?62;22c",
        }
        if self.kind == "kitty":
            known[rb"\x1b_Gi=31,[^\x1b]*a=q[^\x1b]*\x1b\\"] = b"\x1b_Gi=31;OK\x1b\\"
        if self.kind == "sixel":
            known[rb"\x1b\[\?1;1;0S"] = b"\x1b[?1;0;256S"
            known[rb"\x1b\[\?2;1;0S"] = b"\x1b[?2;0;4000;4000S"
        while self.kind != "silent":
            found = [(m.start(), m.end(), a) for q, a in known.items() if (m := re.compile(q).search(self.seen, self.answered))]
            if not found:
                return
            _, self.answered, answer = min(found)
            os.write(self.fd, answer)

    def read(self, seconds):
        """Read for so long as there is something. Returns False at the end of the program."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.seen += data
        self.answers()
        return bool(data)

    def wait_for(self, holds, text):
        end = time.monotonic() + PATIENCE
        while not holds():
            check(self.read(0.1), "the program ended before " + text)
            check(time.monotonic() < end, "never seen: " + text)

    def turns(self):
        """How often the threads of the program have run; False while one of them does, None where nobody can tell. While
        something is at work in the background, the program looks for it every 50 ms."""
        found = []
        try:
            for task in os.listdir("/proc/%d/task" % self.pid):
                with open("/proc/%d/task/%s/status" % (self.pid, task)) as file:
                    lines = file.read().splitlines()
                if any(line.startswith("State:") and line.split()[1] in "RD" for line in lines):
                    return False
                found.append((task, [line for line in lines if "ctxt_switches" in line]))
        except OSError:  # it has ended, or there is no /proc
            return None
        return found

    def rest(self):
        """Wait until nothing has come for a while, and the program has not run meanwhile; where nobody can tell, for longer."""
        turns, quiet, end = None, 0, time.monotonic() + PATIENCE
        while quiet < (1 if turns else 4):
            check(time.monotonic() < end, "the program does not come to rest")
            length, turns = len(self.seen), self.turns()
            self.read(0.1)
            same = length == len(self.seen) and turns is not False and turns == self.turns()
            quiet = quiet + 1 if same else 0

    def press(self, keys):
        """Press keys, and return what the terminal is sent for them."""
        before = len(self.seen)
        os.write(self.fd, keys.encode())
        self.wait_for(lambda: len(self.seen) > before, "what is drawn after " + keys)
        self.rest()
        return self.seen[before:]

    def end(self):
        end = time.monotonic() + PATIENCE
        while self.read(0.1):
            check(time.monotonic() < end, "the program does not end")
        return os.waitpid(self.pid, 0)[1]


def picture_of_sixels(text):
    """{(y, x): colour} of the pixels, and the size of the picture."""
    wide, high = map(int, re.match(rb'"1;1;(\d+);(\d+)', text).groups())
    pixels, colours, register, y, x = {}, {}, None, 0, 0
    for m in re.finditer(rb'"[\d;]*|#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)([?-~])|([?-~])|([$-])', text):
        name, r, g, b, times, run, one, move = m.groups()
        if name:
            register = int(name)
            if r:
                colours[register] = tuple(round(int(v) * 255 / 100) for v in (r, g, b))
        elif move:
            x, y = 0, y + (6 if move == b"-" else 0)
        elif run or one:
            bits = ord(run or one) - 63
            for _ in range(int(times or 1)):
                for k in range(6):
                    if bits >> k & 1:
                        pixels[y + k, x] = colours[register]
                x += 1
    return pixels, high, wide


def whole_of_sixels(sent):
    """The pictures that were put beside each other after the cells were erased last, if they were."""
    sent = sent[max([m.end() for m in re.finditer(rb"\x1b\[\d+X", sent)], default=0) :]
    pieces = []
    for m in SIXEL.finditer(sent):
        place = re.findall(rb"\x1b\[(\d+);(\d+)H", sent[: m.start()])[-1]
        pieces.append((tuple(map(int, place)), picture_of_sixels(m.group(1))))
    first = (min(p[0] for p, _ in pieces), min(p[1] for p, _ in pieces))
    pixels, covered, high, wide = {}, set(), 0, 0
    for place, (part, tall, broad) in pieces:
        top, left = ((place[a] - first[a]) * CELL[a] for a in range(2))
        high, wide = max(high, top + tall), max(wide, left + broad)
        pixels.update({(top + y, left + x): colour for (y, x), colour in part.items()})
        covered.update((top + y, left + x) for y in range(0, tall, CELL[0]) for x in range(0, broad, CELL[1]))
    cells = {(y, x) for y in range(0, high, CELL[0]) for x in range(0, wide, CELL[1])}
    check(len(cells - covered) <= 1, "at most the cursor is not covered by the picture")
    for y, x in cells - covered:  # the cursor: what is under it cannot be seen
        pixels.update({(y + k, x + n): None for k in range(CELL[0]) for n in range(CELL[1]) if y + k < high and x + n < wide})
    return (pixels, high, wide), first


def picture_of_png(data):
    check(data[:8] == b"\x89PNG\r\n\x1a\n", "the image is a PNG file")
    at, chunks = 8, {}
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (crc,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        check(crc == zlib.crc32(kind + body), "the checksum of a chunk")
        chunks[kind] = chunks.get(kind, b"") + body
        at += 12 + length
    wide, high, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    check((depth, colour) == (8, 3), "the image has a palette")
    check(chunks[b"tRNS"] == b"\0", "the first colour is transparent")
    rows, palette, pixels = zlib.decompress(chunks[b"IDAT"]), chunks[b"PLTE"], {}
    check(len(rows) == high * (wide + 1), "the image is complete")
    for y in range(high):
        check(rows[y * (wide + 1)] == 0, "rows are not filtered")
        for x in range(wide):
            c = rows[y * (wide + 1) + 1 + x]
            if c:
                pixels[y, x] = tuple(palette[3 * c : 3 * c + 3])
    return pixels, high, wide


def options(text):
    return dict(pair.split(b"=", 1) for pair in text.split(b",") if pair)


def last_picture(terminal, sent):
    """The last picture in what was sent, and the cell that it was put into."""
    if terminal.kind == "sixel":
        return whole_of_sixels(sent)
    data, more = b"", False
    for m in KITTY.finditer(sent):
        given = options(m.group(1))
        if given.get(b"a") == b"t":
            data = b""
        if given.get(b"a") == b"t" or more:
            check(len(m.group(2)) <= 4096, "a chunk has at most 4096 bytes")
            data += base64.b64decode(m.group(2), validate=True)
            more = given[b"m"] == b"1"
        if given.get(b"a") == b"p":
            check(given.get(b"C") == b"1" and given.get(b"z") == b"-1", "the image is under the text")
            place = re.findall(rb"\x1b\[(\d+);(\d+)H", sent[: m.start()])[-1]
    check(data and not more, "an image is sent to its end")
    return picture_of_png(data), tuple(map(int, place))


def matrix_of(path):
    with open(path) as file:
        symmetric = "symmetric" in file.readline()
        lines = [line.split() for line in file if line.strip() and not line.startswith("%")]
    entries = {(int(line[0]) - 1, int(line[1]) - 1) for line in lines[1:]}
    return int(lines[0][0]), int(lines[0][1]), entries | ({(j, i) for i, j in entries} if symmetric else set())


def lightness(colour):
    return sum(w * (v / 255) ** 2.2 for w, v in zip((0.2126, 0.7152, 0.0722), colour))


def compare(picture, matrix, text):
    """Pixels against counts; the size of a dot comes from the title of the screen."""
    pixels, high, wide = picture
    rows, columns, entries = matrix
    title = re.findall(rb"1 dot = ([\d,]+) x ([\d,]+)", text)
    check(title, "the title tells the size of a dot")
    dot = tuple(int(v.replace(b",", b"")) for v in title[-1])
    dots = (-(-rows // dot[0]), -(-columns // dot[1]))
    check(high % dots[0] == 0 and wide % dots[1] == 0, "a dot is whole pixels: %d x %d of %d x %d" % (high, wide, *dots))
    large = (high // dots[0], wide // dots[1])
    counts = {}
    for i, j in entries:
        place = (i // dot[0], j // dot[1])
        counts[place] = counts.get(place, 0) + 1
    hidden = {at for at in pixels if pixels[at] is None}
    wanted = {(y * large[0] + k, x * large[1] + n) for y, x in counts for k in range(large[0]) for n in range(large[1])}
    check(set(pixels) - hidden == wanted - hidden, "pixels are the dots with entries")
    colours = {}
    for (y, x), colour in pixels.items():
        if colour is None:
            continue
        place = (y // large[0], x // large[1])
        colours.setdefault(counts[place], set()).add(colour)
    check(all(len(found) == 1 for found in colours.values()), "dots with as many entries look the same")
    order = [colours[count].pop() for count in sorted(colours)]
    runs = [colour for k, colour in enumerate(order) if k == 0 or order[k - 1] != colour]
    check(len(runs) == len(set(runs)), "the colours of more and more entries do not come again")
    check(len(runs) == 1 or lightness(runs[0]) < lightness(runs[-1]), "on a dark background, more entries are lighter")
    return len(counts), len(colours), dot, large


def silent(terminal):
    terminal.press("2")
    terminal.press("+")
    terminal.press("m")
    terminal.press("q")
    terminal.end()
    later = terminal.seen[terminal.seen.index(b"\x1b[c") :]
    check(not GRAPHICS.search(later), "a terminal that answers nothing is sent no picture")
    check("\u00a0".encode() not in terminal.seen, "and cells are plain blanks")


def shows(terminal, matrix):
    sent = terminal.press("2")
    picture, place = last_picture(terminal, sent)
    found = [compare(picture, matrix, sent)]
    for key in "lljjlh":
        moved = terminal.press(key)
        pictures = KITTY.findall(moved) if terminal.kind == "kitty" else []
        bytes_sent = sum(len(m.group()) for m in SIXEL.finditer(moved))
        check(bytes_sent <= FEW, "a moved cursor takes %d bytes of pixels" % bytes_sent)
        check(not pictures, "and no image")
    for key in "db":
        check(not SCROLLED.search(terminal.press(key)), "lines that have a picture are not scrolled")
    zoomed = terminal.press("+")
    check(GRAPHICS.search(zoomed), "a zoom sends a picture")
    terminal.press("0")
    terminal.press("d")
    terminal.press("b")
    over = terminal.press("?")
    if terminal.kind == "kitty":
        check(b"a=d" in over, "the help removes the picture")
    back = terminal.press("\x1b")
    check(GRAPHICS.search(back), "which comes back after it")
    check(last_picture(terminal, sent if terminal.kind == "kitty" else back)[1] == place, "where it was")
    left = terminal.press("3")
    check(terminal.kind != "kitty" or b"a=d" in left, "another screen has no picture")
    check(b"a=t" not in left and not SIXEL.search(left), "another screen is sent none")
    again = terminal.press("2")
    found.append(compare(last_picture(terminal, again)[0], matrix, again + sent))
    check(not GRAPHICS.search(terminal.press("g")) and not GRAPHICS.search(terminal.press("\x1b")), "a prompt changes nothing")
    plain = terminal.press("m")
    check(b"a=t" not in plain and not SIXEL.search(plain), "shaded dots are no picture")
    terminal.press("m")
    check(GRAPHICS.search(terminal.press("m")), "and pixels come back")
    return found


def moves(terminal):
    """The view moves over the matrix by whole cells: the same characters come to other lines."""
    terminal.press("2")
    pictures = 0
    for key in "++++" + "J" * 16:
        sent = terminal.press(key)
        pictures += key == "J" and bool(GRAPHICS.search(sent))
        check(not SCROLLED.search(sent), "lines that have a picture are not scrolled when it moves")
    check(pictures > 1, "the view has moved: %d times" % pictures)
    os.kill(terminal.pid, signal.SIGTERM)
    terminal.end()


def main():
    global ROWS, COLUMNS, CELL
    (kind, ending, path), command = sys.argv[1:4], sys.argv[4:]
    if ending == "move":
        ROWS, COLUMNS, CELL = MOVED
    terminal = Terminal(kind, command)
    terminal.wait_for(lambda: b"Summary" in terminal.seen and b"Pattern" in terminal.seen, "the first screen")
    terminal.rest()
    if kind == "silent":
        silent(terminal)
        print("ok: no picture")
        return
    if ending == "move":
        moves(terminal)
        print("ok: no line was scrolled")
        return
    found = shows(terminal, matrix_of(path))
    before = len(terminal.seen)
    if ending == "signal":
        os.kill(terminal.pid, signal.SIGTERM)
        status = terminal.end()
        check(os.WIFSIGNALED(status), "a signal ends the program")
    else:
        os.write(terminal.fd, b"q")
        status = terminal.end()
        check(os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, "q ends the program")
    rest = terminal.seen[before:]
    check(kind != "kitty" or rest.count(b"d=I") >= 2, "the images go with the program")
    for count, colours, dot, large in found:
        print("ok: %d dots of %d x %d as %d x %d pixels with %d different counts" % (count, *dot, *large, colours))


main()
