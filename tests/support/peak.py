#!/usr/bin/env python3
"""Run a command and hold its peak of memory against a limit.

    peak.py MOST COMMAND...    MOST in bytes; exits with 99 if the command takes more, else as the command does
"""
import resource
import subprocess
import sys

most = int(sys.argv[1])
code = subprocess.run(sys.argv[2:], timeout=600, check=False).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
if peak > most:
    print(f"{peak / 2**20:.0f} MiB, more than {most / 2**20:.0f}: {' '.join(sys.argv[2:])}", file=sys.stderr)
    sys.exit(99)
sys.exit(code if code >= 0 else 128 - code)
