#!/bin/sh
# Count the lines that the tests execute: `make coverage` calls this.
#
#     run.sh SOURCES BUILD [TEST...]      these tests; without any all of make check
#
# A build of its own stands in BUILD/coverage: gcc with --enable-coverage, without CUDA. Needs gcc's gcov and Python 3. Prints a table,
# a line for each room, and leaves in BUILD/coverage the lines that were not executed: uncovered.txt, a line for each file, with its lines.
# Tests that fail stop nothing; they are said at the end.
#
# COVERAGE_CC     the compiler, default gcc
# COVERAGE_JOBS   tests and compilers at a time, default one for each processor
# COVERAGE_KEEP   not empty: add to earlier counts
set -u

stop() {
    printf '%s\n' "coverage: $*" >&2
    exit 1
}

[ $# -ge 2 ] || stop "usage: run.sh SOURCES BUILD [TEST...]"
sources=$(cd "$1" && pwd) && mkdir -p "$2/coverage" && build=$(cd "$2/coverage" && pwd) || exit 1
shift 2
jobs=${COVERAGE_JOBS:-$(nproc)}
command -v gcov >/dev/null || stop "gcov is not found (Debian: apt-get install gcc)"
command -v python3 >/dev/null || stop "python3 is not found (Debian: apt-get install python3)"
[ ! -f "$sources/config.status" ] || stop "the sources are configured in place; configure in a folder of its own, and make distclean there"

cd "$build" || exit 1
[ -f Makefile ] || CC=${COVERAGE_CC:-gcc} CFLAGS='-O1 -g' "$sources/configure" --without-cuda --enable-coverage >configure.log ||
    stop "configure failed; see $build/configure.log"
make -j"$jobs" all >make.log 2>&1 || stop "the build failed; see $build/make.log"
[ -n "${COVERAGE_KEEP:-}" ] || find . -name '*.gcda' -delete
if [ $# -gt 0 ]; then
    make -k -j"$jobs" check TESTS="$*" >check.log 2>&1
else
    make -k -j"$jobs" check >check.log 2>&1
fi
status=$?
python3 "$sources/tests/coverage/rooms.py" "$sources" . uncovered.txt || exit 1
printf 'What was not executed: %s\n' "$build/uncovered.txt"
[ "$status" -eq 0 ] || printf 'Some tests failed (%s)\n' "$build/check.log"
