#!/usr/bin/env bats
# The rules of the house that a compiler does not check.

setup() {
    : "${SRCDIR:?run by make check}"
}

# The rooms, in the order of includes: a room may include those to its left.
rooms="base matrix formats kernels analysis drawing session columns report ranks ui command main"

@test "includes go from right to left only" {
    cd "$SRCDIR/src"
    # A file's room is its first folder, or the first word of its name if it lies in src/ itself. One awk reads all
    # lines, since a shell that inspects each include takes minutes.
    grep -rnE '^#[[:space:]]*include "' --include='*.[ch]' --include='*.cu' --include='*.cuh' . | sed 's,^\./,,' |
        awk -v rooms="$rooms" '
            function place(path, room) {
                room = path
                if (!sub(/\/.*/, "", room)) sub(/[._].*/, "", room)
                if (room in order) return order[room]
                print "src/" $0 ": no room " room
                return 0
            }
            BEGIN {
                count = split(rooms, list, " ")
                for (r = 1; r <= count; r++) order[list[r]] = r
            }
            {
                included = $0
                sub(/^[^"]*"/, "", included)
                sub(/".*/, "", included)
                if (included == "config.h") next
                seen++
                if (place(included) > place(substr($0, 1, index($0, ":") - 1))) print "src/" $0
            }
            END { if (seen < 1000) print "only " seen + 0 " includes were found" }' | tee "$BATS_TEST_TMPDIR/wrong"
    [ ! -s "$BATS_TEST_TMPDIR/wrong" ]
}

@test "only ui/terminal includes curses" {
    cd "$SRCDIR/src"
    run grep -rlE '^#[[:space:]]*include <n?curses' --include='*.[ch]' .
    printf '%s\n' "$output" | sed '/^$/d; /^\.\/ui\/terminal\//d' | tee "$BATS_TEST_TMPDIR/wrong"
    [ ! -s "$BATS_TEST_TMPDIR/wrong" ]
}

@test "only ranks includes MPI, and only its program includes ranks" {
    cd "$SRCDIR/src"
    run grep -rlE '^#[[:space:]]*include ([<"]mpi|"ranks/)' --include='*.[ch]' .
    printf '%s\n' "$output" | sed '/^$/d; /^\.\/ranks\//d; /^\.\/main_mpi\.c$/d' | tee "$BATS_TEST_TMPDIR/wrong"
    [ ! -s "$BATS_TEST_TMPDIR/wrong" ]
    run grep -lE '^#[[:space:]]*include [<"]mpi' main_mpi.c
    [ -z "$output" ]
}

@test "only device code includes CUDA's headers" {
    cd "$SRCDIR"
    run grep -rlE '^#[[:space:]]*include [<"](cuda|cusparse|cub/)' --include='*.[ch]' --include='*.cu' --include='*.cuh' src tests
    printf '%s\n' "$output" | sed '/^$/d; /^src\/kernels\/cuda\/\(convert\/\)\{0,1\}[a-z_]*\.cuh\{0,1\}$/d' | tee "$BATS_TEST_TMPDIR/wrong"
    [ ! -s "$BATS_TEST_TMPDIR/wrong" ]
}

@test "device code is included by device code only" {
    cd "$SRCDIR"
    run grep -rlE '^#[[:space:]]*include ".*\.cuh"' --include='*.[ch]' src tests
    [ -z "$output" ]
}

@test "nothing prints or exits below the commands" {
    cd "$SRCDIR/src"
    local wrong
    # One grep for all files, since a process for each takes longer than reading them.
    wrong=$(find . -name '*.c' ! -path './ui/*' ! -path './command/*' ! -name main.c ! -name main_mpi.c -exec \
        grep -HnE '(^|[^_a-zA-Z])(printf|puts|putchar|perror|exit|abort) *\(' {} + | grep -vE '^[^:]*:[0-9]+: *(/?\*|//)') || true
    printf '%s\n' "$wrong"
    [ -z "$wrong" ]
}

# base/words.h makes words safe for each medium. So no other file escapes markup, decodes UTF-8 or lists control
# characters. Messages are written by say.h and meter.h, a terminal's bytes by ui/terminal, and texts by callers of
# words_check_lines.
@test "one file makes words of files safe, and few others write them" {
    cd "$SRCDIR/src"
    run grep -rnE '&(amp|lt|gt|quot);|0xc2\b|0x9f\b' --include='*.c' --include='*.h' base formats analysis drawing session columns report ranks ui command
    printf '%s\n' "$output" | grep -vE '^base/words\.c:|^$' | tee "$BATS_TEST_TMPDIR/escapes"
    [ ! -s "$BATS_TEST_TMPDIR/escapes" ]
    run grep -rnE '\b(fputs|fputc|puts|putchar|fprintf|printf|vprintf|dprintf|fwrite|perror)\(' --include='*.c' drawing session columns report ranks ui command main.c main_mpi.c
    printf '%s\n' "$output" | grep -vE '^(command/(say|meter)\.c|ui/terminal/[a-z_]*\.c):|^$' | tee "$BATS_TEST_TMPDIR/doors"
    [ ! -s "$BATS_TEST_TMPDIR/doors" ]
    # Pictures are bytes. The other files here write files that the program reads back.
    grep -rlE '\boutput_write\(' --include='*.c' . | sort | diff - <(printf './%s\n' base/folder.c base/output.c command/plot.c command/plot_terminal.c \
        command/say.c command/survey_charts.c report/records/collection.c report/report.c ui/browser/recent.c ui/loop/picture.c)
    grep -q 'words_check_lines' report/report.c
    grep -q 'words_check_lines' command/say.c
}

@test "every source file of src is in a list of the build" {
    cd "$SRCDIR"
    local wrong
    wrong=$(find src -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' | awk '
        FILENAME != "-" { for (k = 1; k <= NF; k++) listed[$k] = 1; next }
        { seen++ }
        !($0 in listed) { print }
        END { if (seen < 1000) print "only " seen + 0 " files were found" }' Makefile.am sources.am -)
    printf '%s\n' "$wrong"
    [ -z "$wrong" ]
}

@test "sources.sh lists new files by folder and ending, and writes nothing where nothing is new" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p src/base src/ui/loop src/ranks tests/base tests/ranks tests/kept
    cp "$SRCDIR/sources.sh" .
    printf 'named_SOURCES = src/main.c \\\n\ttests/kept\nall:\n\techo src/base/a.c\n' >Makefile.am
    touch src/main.c src/base/a.c src/base/a.h src/base/a.o src/ui/loop/l.c src/ranks/r.c tests/base/b.c tests/ranks/u.c tests/kept/k.txt
    sh sources.sh
    grep -q "src/base/a.c" sources.am
    ! grep -E 'main\.c|a\.o|kept' sources.am || false
    touch -d '2001-01-01' sources.am
    sh sources.sh
    [ "$(find sources.am -newer sources.sh)" = "" ]
    touch src/base/new.c tests/base/new.c
    sh sources.sh
    variable() { sed -n "/^$1 =/,/[^\\\\]\$/p" sources.am | tr -d '\\\t' | tr '\n' ' '; }
    [ "$(variable library_sources)" = "library_sources =  src/base/a.c  src/base/a.h  src/base/new.c " ]
    [ "$(variable curses_sources)" = "curses_sources =  src/ui/loop/l.c " ]
    [ "$(variable unit_tests)" = "unit_tests =  tests/base/b  tests/base/new " ]
    [ "$(variable ranks_units)" = "ranks_units =  tests/ranks/u " ]
    grep -qx 'tests_ranks_u_LDADD = $(ranks_libraries)' sources.am
}

@test "every room of src has a README, and the files that it names exist" {
    cd "$SRCDIR"
    local room name wrong=""
    for room in $(find src -mindepth 1 -type d); do
        if [ ! -s "$room/README.md" ]; then
            wrong+="$room has no README.md"$'\n'
            continue
        fi
        grep -qF "$room/README.md" sources.am || wrong+="$room/README.md is not in sources.am"$'\n'
        for name in $(grep -oE '`[a-z][a-z0-9_./-]*(/|[.](c|h|cu|cuh|bats))`' "$room/README.md" | tr -d '`' | sort -u); do
            [ -e "$room/$name" ] || [ -e "src/$name" ] || [ -e "$name" ] || wrong+="$room/README.md names $name, which is not there"$'\n'
        done
    done
    printf '%s' "$wrong"
    [ -z "$wrong" ]
}

# They are built even if cmocka is not installed: `make bench`, `make bundle` and `make check-gpu` need no tests.
@test "benchmarks and the programs for a GPU need no cmocka" {
    cd "$SRCDIR"
    local shared
    shared=$(sed -n '/^libbench_a_SOURCES/,/[^\\]$/p' Makefile.am | grep -o 'tests/[a-z_/]*\.[ch]')
    [ "$(echo "$shared" | grep -c '/support/')" -ge 6 ]
    # shellcheck disable=SC2086 # a list of files
    run grep -lE 'cmocka\.h|support/(bench|kernels_screen|files|layouts|lockstep|market|report|stored|trials|view)\.h' $shared tests/bench/*.c tests/bench/peers/* tests/gpu/*.[ch]
    echo "$output"
    [ "$status" -eq 1 ]
}

# The names that `const struct KIND NAME = {` defines in src, sorted; and those that FILE has: lines KIND(NAME) of a list, or the entries of
# a table.
defined() { # defined KIND
    grep -rhoE "^const struct $1 [a-z0-9_]+ = " --include='*.c' src | awk '{ print $4 }' | sort
}

listed() { # listed KIND FILE
    case $2 in
    *.def) sed -nE "s/^${1^^}[(]([a-z0-9_]+)[)]\$/$1_\1/p" "$2" | sort ;;
    *) sed -n "/^const struct $1 \*const [a-z_]*\[\] = /,/;\$/p" "$2" | grep -oE '&[a-z0-9_]+' | tr -d '&' | sort ;;
    esac
}

@test "every descriptor of the sources is in its table" {
    cd "$SRCDIR"
    local kind file
    while read -r kind file; do
        defined "$kind" >"$BATS_TEST_TMPDIR/defined"
        listed "$kind" "$file" >"$BATS_TEST_TMPDIR/listed"
        echo "$kind, defined and in $file:"
        [ "$(wc -l <"$BATS_TEST_TMPDIR/defined")" -ge 2 ]
        diff "$BATS_TEST_TMPDIR/defined" "$BATS_TEST_TMPDIR/listed"
    done <<'END'
backend src/kernels/backend.c
format src/formats/formats.def
generator src/matrix/generators/generators.def
kernel src/kernels/kernels.def
order src/matrix/orders/orders.def
report_format src/report/report.c
view src/ui/views.def
END
}

@test "every trace of the sources is one of a kernel" {
    cd "$SRCDIR"
    defined trace >"$BATS_TEST_TMPDIR/defined"
    grep -rhoE '\.trace = &[a-z0-9_]+' --include='*.c' src | sed 's/.*&//' | sort -u | diff "$BATS_TEST_TMPDIR/defined" -
}

@test "bootstrap is plain sh, and describes itself" {
    sh -n "$SRCDIR/bootstrap"
    bash -n "$SRCDIR/.ci/run"
    run "$SRCDIR/bootstrap" --help
    [ "$status" -eq 0 ]
    [[ $output == *"check"* ]]
    [[ $output == *"demo"* ]]
}

# All programs of this machine except browsers, an apt-get without a network, a package that configures and makes
# nothing, and a Python that claims every module, since trying the real one takes seconds.
@test "bootstrap continues if browsers cannot be installed, and wants them for check only" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p bin tree/build-aux
    ln -s /usr/bin/* bin/
    rm -f bin/chromium bin/firefox bin/firefox-esr bin/apt-get bin/apt-cache bin/dpkg-query bin/id bin/sudo bin/python3
    printf '#!/bin/sh\nexit 0\n' >bin/python3
    printf '#!/bin/sh\necho "$*" >>"%s/asked"\nexit 100\n' "$PWD" >bin/apt-get
    printf '#!/bin/sh\necho "  Candidate: 1.0"\n' >bin/apt-cache
    printf '#!/bin/sh\nexit 1\n' >bin/dpkg-query
    printf '#!/bin/sh\necho 0\n' >bin/id
    printf 'all:\ncheck:\n\t@echo checked\n' >tree/Makefile
    printf '#!/bin/sh\ncp ../Makefile . && touch config.status\n' >tree/configure
    touch tree/configure.ac tree/Makefile.am tree/Makefile.in tree/config.h.in tree/build-aux/tap-driver.sh
    cp "$SRCDIR/bootstrap" tree/
    chmod +x bin/apt-get bin/apt-cache bin/dpkg-query bin/id bin/python3 tree/configure
    touch tree/configure tree/Makefile.in
    # To build, bootstrap needs none of this.
    PATH="$PWD/bin" run ./tree/bootstrap
    echo "$output"
    [ "$status" -eq 0 ]
    ! grep -q chromium asked || false
    PATH="$PWD/bin" run ./tree/bootstrap --no-install check
    [ "$status" -eq 0 ]
    [[ $output == *checked* ]]
    ! grep -q chromium asked || false
    PATH="$PWD/bin" run ./tree/bootstrap check
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *checked* ]]
    [[ $output == *"a few tests will be skipped for want of: apt-get install "*chromium*firefox-esr* ]]
    grep -q 'install .*chromium.*firefox-esr' asked
    grep -q 'install .*recommends chromium$' asked
}

@test "bootstrap refuses an option it does not know" {
    run "$SRCDIR/bootstrap" --nonsense
    [ "$status" -ne 0 ]
    [[ $output == *"unknown option --nonsense"* ]]
}

@test "no file has the marks of an unfinished merge" {
    cd "$SRCDIR"
    run grep -rnE '^(<{7} |={7}$|>{7} )' README.md HACKING.md NEWS.md Makefile.am configure.ac data/README.md data/measured man src tests
    echo "$output"
    [ "$status" -eq 1 ]
}

@test "pages begin with a heading, and are not formatted as code" {
    cd "$SRCDIR"
    local wrong
    wrong=$(find README.md HACKING.md NEWS.md SECURITY.md data packaging python src tests -path data/measured -prune -o -name '*.md' -exec awk '
        FNR == 1 && !/^# [A-Za-z]/ { print FILENAME " does not begin with \047# \047 and its title" }
        FNR == 1 { seen++ }
        /`[a-z]+ \/ [a-z]+ \/|^ *[*][A-Z][a-z ]+ [*] :/ { print FILENAME ":" FNR " was laid out by clang-format: " $0 }
        END { if (seen < 50 || seen < ARGC - 1) print seen + 0 " of " ARGC - 1 " pages have a line" }' {} +)
    printf '%s' "$wrong"
    [ -z "$wrong" ]
}
