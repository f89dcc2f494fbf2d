#!/usr/bin/env python3
"""Opens an HTML report in a real browser without a window, and holds what it does against the matrix.

    browser.py chromium|firefox REPORT.html MATRIX.mtx [WIDTH]

The page is served from this program, with probe.js around it, which zooms, moves and sorts as a user would, and sends back
what it read. Checked are: no error and no request of the page; every count that was read out, against a plain count of the
matrix's entries; that dots of the picture have colours exactly where there are entries; that tables were sorted as
their headings say, with an arrow; that the cursor stays in the picture; that light and dark can be switched; that nothing
is wider than the page, whose width may be given in pixels; that still pictures keep their shape; that nothing of the matrix's words has become a part of the page.
The matrix is a coordinate file without symmetry, so that this program can read it by itself. Exit status 77: the browser
did not start.
"""
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

PATIENCE = 300  # seconds for all of it: an answer comes in two or three
FOLDER = os.path.dirname(os.path.abspath(__file__))

PREFERENCES = """
user_pref("app.normandy.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
"""


def command(browser, profile, address):
    """The command that opens an address without a window."""
    program = shutil.which(browser) or shutil.which(browser + "-esr")
    if not program:
        sys.exit(77)
    if browser == "chromium":
        return [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--user-data-dir=" + profile, "--window-size=1200,900",
                "--remote-debugging-port=0", address]
    with open(os.path.join(profile, "user.js"), "w", encoding="ascii") as preferences:
        preferences.write(PREFERENCES)
    return [program, "--headless", "--no-remote", "--profile", profile, "--window-size=1200,900", address]


class Server(http.server.ThreadingHTTPServer):
    """Serves the page once, and takes the answer."""

    def __init__(self, page, width):
        super().__init__(("127.0.0.1", 0), Handler)
        self.page = page
        self.frame = b'<!DOCTYPE html><iframe src="/report.html" width="%d" height="800">' % width
        self.requests = []
        self.answer = None
        self.done = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    def reply(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.server.requests.append(self.path)
        if self.path == "/report.html":
            self.reply(200, self.server.page)
        elif self.path == "/frame.html":
            self.reply(200, self.server.frame)
        else:
            self.reply(404)

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        self.server.answer = json.loads(self.rfile.read(length))
        self.reply(204)
        self.server.done.set()

    def log_message(self, *words):
        pass


def with_probe(path):
    """The page, whose policy lets it answer this program alone, with the probe before and behind its own script."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    with open(os.path.join(FOLDER, "probe.js"), encoding="utf-8") as file:
        before, behind = file.read().split("// ---- behind the page ----\n")
    assert page.count("default-src 'none';") == 1, "the page has no policy against requests"
    page = page.replace("default-src 'none';", "default-src 'none'; connect-src 'self';")
    page = page.replace("</title>", "</title><script>" + before + "</script>", 1)
    end = page.rindex("</body>")
    return (page[:end] + "<script>" + behind + "</script>" + page[end:]).encode()


def ask(browser, path, width):
    """What the probe found out, and the requests that there were. Windows have a least width, frames have none."""
    server = Server(with_probe(path), width)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    profile = tempfile.mkdtemp(prefix="sparsight-browser.")
    address = "http://127.0.0.1:%d/%s.html" % (server.server_port, "frame" if width else "report")
    log = open(os.path.join(profile, "log"), "wb")
    process = subprocess.Popen(command(browser, profile, address), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        waited = 0
        while not server.done.wait(1) and waited < PATIENCE and process.poll() is None:
            waited += 1
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()
        words = open(log.name, errors="replace").read()[-2000:]
        shutil.rmtree(profile, ignore_errors=True)
        server.shutdown()
    if not server.answer:
        print(words)
        if not server.requests:
            print(browser, "has not asked for the page")
            sys.exit(77)
        sys.exit("%s has not answered within %d s" % (browser, PATIENCE))
    return server.answer, server.requests


def read_matrix(path):
    """Rows, columns and the set of positions, from 1, of a coordinate file."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.strip() and not line.startswith("%")]
    rows, cols, _ = map(int, lines[0].split())
    return rows, cols, {tuple(map(int, line.split()[:2])) for line in lines[1:]}


READOUT = re.compile(r"Rows? ([\d,]+)(?:\u2013([\d,]+))?, columns? ([\d,]+)(?:\u2013([\d,]+))?: "
                     r"(?:(an|no) entry$|([\d,]+) entr(?:y|ies) in ([\d,]+) positions)")


def number(digits):
    return int(digits.replace(",", ""))


def check_readout(words, matrix, wrong):
    """Hold what was read out against a plain count; returns how many positions the dot has."""
    rows, cols, entries = matrix
    match = READOUT.match(words)
    if not match:
        wrong.append("not understood: " + words)
        return 0
    first, last, start, end, one, count, positions = match.groups()
    first, start = number(first), number(start)
    last, end = number(last) if last else first, number(end) if end else start
    found = sum(1 for i, j in entries if first <= i <= last and start <= j <= end)
    said = {"an": 1, "no": 0}[one] if one else number(count)
    size = (last - first + 1) * (end - start + 1)
    if found != said or not 1 <= first <= last <= rows or not 1 <= start <= end <= cols:
        wrong.append("%s: there are %d" % (words, found))
    if positions and number(positions) != size:
        wrong.append("%s: there are %d positions" % (words, size))
    return size


def check_sorted(table, wrong):
    """Each heading that was clicked: undefined values last, all others in the order that it says."""
    for click in table["clicks"]:
        values = click["values"]
        defined = [v for v in values if v is not None]
        if values[len(defined):] != [None] * (len(values) - len(defined)):
            wrong.append("%s by %s: undefined values are not the last" % (table["name"], click["heading"]))
        if not all(isinstance(v, (int, float)) for v in defined):
            continue
        if defined != sorted(defined, reverse=click["sort"] == "descending"):
            wrong.append("%s by %s is not %s: %s" % (table["name"], click["heading"], click["sort"], defined))
        if sorted(click["names"]) != sorted(table["names"]):
            wrong.append("%s by %s: the rows are not the same ones" % (table["name"], click["heading"]))


def check(answer, requests, matrix, width):
    wrong = ["error: " + words for words in answer["errors"]]
    wrong += ["request: " + path for path in requests if path not in ("/report.html", "/frame.html", "/favicon.ico")]
    wrong += ["resource: " + name for name in answer["resources"]]
    sizes = [check_readout(words, matrix, wrong) for words in answer["readouts"]]
    if not sizes or len(set(sizes)) < 3:
        wrong.append("the zoom has not changed the dots: %s" % sorted(set(sizes)))
    if min(sizes, default=0) != 1:
        wrong.append("the highest zoom does not show single positions, but %d" % min(sizes, default=0))
    if answer["live"] != answer["readouts"][-1]:
        wrong.append("readers of screens are told: " + answer["live"])
    wrong += ["colour: " + words for words in answer["colours"]]
    wrong += ["away: " + words for words in answer["away"]]
    wrong += ["arrow: " + words for words in answer["arrows"]]
    wrong += ["still of the ratio %.3f instead of %.3f" % tuple(pair) for pair in answer["stills"]
              if not 0.97 < pair[0] / pair[1] < 1.03]
    if not answer["stills"]:
        wrong.append("there is no still picture without scripts")
    if answer["overflow"] > 0:
        wrong.append("the page is %d pixels wider than %d" % (answer["overflow"], answer["width"]))
    if width and answer["width"] != width:
        wrong.append("the page is %d pixels wide instead of %d" % (answer["width"], width))
    if answer["dots"] < (20 if width else 40):
        wrong.append("too few dots were looked at: %d" % answer["dots"])
    if not answer["tables"] or not any(len(table["names"]) > 3 for table in answer["tables"]):
        wrong.append("there is no table to sort")
    for table in answer["tables"]:
        check_sorted(table, wrong)
    if len(set(answer["themes"])) != 2 or answer["themes"][0] != answer["themes"][2]:
        wrong.append("light and dark: %s" % answer["themes"])
    if answer["hacked"] or answer["strange"]:
        wrong.append("words became a part of the page: %s %s" % (answer["hacked"], answer["strange"]))
    return wrong


def main():
    browser, path, matrix = sys.argv[1:4]
    width = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    answer, requests = ask(browser, path, width)
    wrong = check(answer, requests, read_matrix(matrix), width)
    print("%s: %d read out, %d dots, %d tables, ready after %d ms" %
          (browser, len(answer["readouts"]), answer["dots"], len(answer["tables"]), answer["ready"]))
    for words in wrong[:20]:
        print("wrong:", words)
    sys.exit(1 if wrong else 0)


main()
