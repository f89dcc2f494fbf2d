#!/usr/bin/env python3
"""Hold the defaults that the manual tells against those of the options' help: defaults.py PROGRAM MANUAL.

For each option, and each command that has it, the first number behind "default" in the help is one of those behind "default"
in the manual's paragraphs on this option, where both have some. Prints what differs and ends with 1 then, and with 2 where so little
is compared that one of the two is not read as it should be."""
import re
import subprocess
import sys

WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
UNITS = {"k": 2**10, "kib": 2**10, "m": 2**20, "mib": 2**20, "million": 10**6}


def numbers(text):
    """The numbers of a text: digits with a point, a percent sign or a unit, and words up to ten; of fractions both parts."""
    found = []
    for number, percent, unit in re.findall(r"(?<![\w.,=-])(\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten)"
                                            r"(%?)\s?(k|m|kib|mib|million)?\b", text, re.I):
        value = WORDS.get(number.lower(), None)
        value = float(number) if value is None else value
        found.append(value / (100 if percent else 1) * UNITS.get(unit.lower(), 1))
    return found


def defaults(text):
    """What a text says behind "default", up to the end of that sentence or part, and in "By default ..." sentences."""
    text = re.sub(r"\b(every|this|each) one\b", "", re.sub(r"\s+", " ", text))
    parts = re.findall(r"\bdefault\b(?! colours)[^.;]*(?:\.\d[^.;]*)*", text, re.I)
    before = re.findall(r"([^.;,]*)[,:] which is the default|(\S+) by default", text)
    return parts + [" ".join(pair) for pair in before]


def help_entries(command):
    text = subprocess.run([sys.argv[1], *command, "--help"], capture_output=True, text=True, check=True).stdout
    for entry in re.findall(r"^  (?:-\w, |    )--.*(?:\n {8,}.*)*", text, re.M):
        yield re.search(r"--([a-z-]+)", entry)[1], entry


def manual_entries(path):
    """Each option's paragraphs in the section OPTIONS, in plain words, with the heading that they stand below."""
    section = re.search(r"^\.Sh OPTIONS\n(.*?)^\.Sh ", open(path, encoding="utf-8").read(), re.M | re.S)[1]
    heading = ""
    for block in re.split(r"^(?=\.It |\.Ss )", section, flags=re.M):
        first = block.split("\n", 1)[0]
        if first.startswith(".Ss"):
            heading = first
        name = re.search(r"\.It (?:Fl )?(?:\w+ , |\w Ar \w+ , Fl )?(?:Fl )?-([a-z-]+)", first)
        if name:
            plain = re.sub(r"^\.(?:Pq |[A-Z][a-z] )?", "", block, flags=re.M)
            yield heading, name[1], re.sub(r"\b(?:Ns|No|Li|Ar|Cm|Fl|Pa|Va) ", "", plain)


manual = list(manual_entries(sys.argv[2]))
compared, wrong = 0, []
for command in [], ["report"], ["survey"], ["compare"], ["plot"], ["kernels"], ["convert"], ["gen"]:
    for option, entry in help_entries(command):
        said = [number for part in defaults(entry) for number in numbers(part)][:1]
        texts = [text for heading, name, text in manual if name == option]
        told = {number for text in texts for part in defaults(text) for number in numbers(part)}
        if not said or not told:
            continue
        compared += 1
        if said[0] not in told:
            wrong.append(f"{' '.join(command) or 'sparsight'} --{option}: the help says {said[0]:g}, the manual {sorted(told)}")
print("\n".join(sorted(set(wrong))))
print(f"{compared} options of commands compared")
sys.exit(1 if wrong else 2 if compared < 12 else 0)
