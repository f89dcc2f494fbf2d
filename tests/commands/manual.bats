#!/usr/bin/env bats
# The manuals: the page that the program makes, their validity, and their examples.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    page=${BUILDDIR:?run by make check}/man/sparsight-formats.7
}

teardown() {
    screen_end
}

@test "every format and every kernel is in the page on formats, once" {
    sparsight kernels
    sed -n '/^Kernels/,/^Orders/p' out | grep -oE '^[a-z]+/[a-z0-9-]+' | sort >kernels
    [ "$(wc -l <kernels)" -ge 50 ]
    sed -n 's/^\.It Li //p' "$page" | sort | diff kernels -
    sed -n '/^Storage formats/,/^Kernels/p' out | grep -oE '^[a-z]+  ' | tr -d ' ' | sort >formats
    [ "$(wc -l <formats)" -ge 10 ]
    sed -n 's/^\.Ss .*(\([a-z]*\))$/\1/p' "$page" | sort | diff formats -
    # Each has its source where the tables have one.
    [ "$(grep -c '^Source: ' "$page")" -eq "$(sed -n '1,/^Orders/p' out | grep -c '^    source: ')" ]
}

@test "its worked example is the book's" {
    # Figure 10.2 of PMPP, 3rd edition: the matrix of figure 10.1 in CSR.
    sed -n '/^\.Ss CSR/,/^Its kernels/p' "$page" >csr
    grep -A1 'row_ptr: ' csr | grep -E '^ +0: +0 +2 +2 +5 +7$'
    grep -A1 ' col: ' csr | tr -d '|' | grep -E '^ +0: +0 +2 +1 +2 +3 +0 +3$'
    grep -A1 ' val: ' csr | tr -d '|' | grep -E '^ +0: +3 +1 +2 +4 +1 +1 +1$'
    grep '^7 slots, of which 0 are padding, and 12 integers:$' csr
    # Figure 10.8: 4 rows of 3 make 12 slots.
    sed -n '/^\.Ss ELLPACK/,/^Its kernels/p' "$page" | grep '^12 slots, of which 5 are padding, and 12 integers:$'
}

@test "another matrix can be the example, if it can be shown whole" {
    sparsight manual gen:laplace2d,n=2
    show
    [ "$status" -eq 0 ]
    grep -E '^     4    -1    -1     -$' out
    sparsight manual -o page.7 gen:laplace2d,n=2
    diff out page.7 || cmp page.7 <("$SPARSIGHT" manual gen:laplace2d,n=2)
    sparsight manual gen:laplace2d,n=5
    [ "$status" -eq 2 ]
    grep 'at most 16 rows and columns' err
    sparsight manual
    [ "$status" -eq 2 ]
}

@test "mandoc finds nothing wrong in the manuals" {
    need mandoc
    local manual
    for manual in "$SRCDIR"/man/*.[1-9] "$page"; do
        # mandoc takes abbreviations in journals' names for ends of sentences.
        mandoc -Tlint -W warning "$manual" >found || true
        sed '/new sentence, new line/d' found | tee wrong
        [ ! -s wrong ]
    done
}

# In mdoc the word At is a macro, and a command of the synopsis needs a line of its own.
@test "no word of a manual is read as a macro, and each command has its line in the synopsis" {
    need mandoc
    local manual command
    for manual in "$SRCDIR"/man/*.[1-9] "$page"; do
        mandoc -T ascii "$manual" | sed 's/.\x08//g' >plain
        ! grep -E 'AT&T|UNIX' plain || false
    done
    mandoc -T ascii "$SRCDIR/man/sparsight.1" | sed 's/.\x08//g; 1,/^SYNOPSIS/d; /^DESCRIPTION/,$d' >synopsis
    cat synopsis
    for command in report plot survey compare convert gen kernels learn manual completion schema; do
        [ "$(grep -cE "^ +sparsight $command( |\$)" synopsis)" -eq 1 ]
    done
    [ "$(grep -c '^ *sparsight ' synopsis)" -eq 12 ]
}

# The files that the examples name: an archive with two matrices, a folder and a report.
example_files() {
    mkdir -p cant matrices
    sparsight gen laplace2d,n=12 -o cant/cant.mtx
    sparsight gen laplace2d,n=3 -o cant/cant_b.mtx
    tar czf cant.tar.gz cant
    cp cant/cant.mtx matrices/
    cp cant/cant_b.mtx .
    sparsight report --limit=8M --format=json --kernels=csr-seq --repeat=2 -o report.json cant/cant.mtx
    [ "$status" -eq 0 ]
    cp report.json old.json
    cp report.json new.json
    cp report.json node.json
    cp cant/cant.mtx big.mtx
    mkdir -p bin
    # Before timing kernels the program measures the machine, in up to 1 GiB, which takes longer than all the rest. A
    # limit makes it short. Generated matrices have just enough rows for 4096 parts.
    printf '%s\n' '#!/bin/bash' 'case "$1 $*" in' 'report*--kernels=* | survey*--kernels=*) set -- "$@" --limit=16M ;;' 'esac' \
        'set -- "${@/%stencil27,n=[0-9][0-9]/stencil27,n=17}"' \
        'exec "$SPARSIGHT" "$@"' >bin/sparsight
    # mpirun -n NUMBER sparsight-mpi ...: two ranks suffice to see that it runs.
    printf '%s\n' '#!/bin/bash' '. "$SRCDIR/tests/support/ranks.bash"' '[ "$3" = sparsight-mpi ] || exit 2' 'shift 3' \
        'set -- "${@/%stencil27,n=[0-9][0-9]/stencil27,n=17}"' \
        '[[ $* != *--kernels=* ]] || set -- "$@" --limit=400M' 'ranks 2 "$BUILDDIR/sparsight-mpi" "$@"' >bin/mpirun
    chmod +x bin/sparsight bin/mpirun
    PATH=$PWD/bin:$PATH
}

# The commands of a manual, one a line, as they are read. Commands that need a program which this machine lacks are left
# out.
examples() { # examples FILE
    sed -n 's/^\.Dl //p' "$1" | sed 's/\\&//g; s/\\-/-/g'
}

@test "the examples of all manuals run" {
    need jq
    example_files
    local manual line count=0
    for manual in "$SRCDIR"/man/*.[1-9] "$page"; do
        while IFS= read -r line <&3; do
            count=$((count + 1))
            echo "$line"
            case $line in
            'sparsight cant.tar.gz'* | 'sparsight matrices/' | 'sparsight --results='* | 'sparsight learn') continue ;; # the explorer: below
            'mpirun '*) [ "${MPIRUN:-none}" != none ] || continue ;;
            *'man -l'*) command -v man >/dev/null || continue ;;
            esac
            if ! bash -e -o pipefail -c "$line" >said 2>complained; then
                cat complained
                grep -q 'it was configured without\|this build does not' complained
                continue
            fi
            cat complained
            # The part after || must not hide a command that failed.
            ! grep -qE 'No such file|unknown option|Try .sparsight' complained || false
            [ -s said ] || [[ $line == *' -o '* ]]
            [[ $line != *jq* ]] || ! grep -q null said || false
        done 3< <(examples "$manual")
    done
    [ "$count" -ge 25 ]
    # The files that the text names.
    [ -s cant_rcm.mtx ] && [ -s order.mtx ] && gzip -t laplace3d.mtx.gz
    ! "$SPARSIGHT" plot -o probe.pdf "$SRCDIR/data/pmpp.mtx" 2>/dev/null || [ -s owners.pdf ] # without cairo there are none
    [ -s a100.svg ] && [ -s cant.html ] && [ -s charts/kernels.svg ]
}

# Options about reading files or about the place of the output need no example. Options that choose the output have one.
@test "options that choose an output have an example" {
    local option
    examples "$SRCDIR/man/sparsight.1" >lines
    for option in by columns gpu jobs kernels layout network partition parts permutation plots product reorder results resume stream threads \
        threshold tune; do
        echo "$option"
        grep -q -- "--$option" lines
    done
    # So has every command, except help.
    for option in report plot survey compare convert gen; do
        grep -q "^sparsight $option " lines
    done
}

@test "the examples of the explorer open it" {
    example_files
    local line
    while IFS= read -r line <&3; do
        # shellcheck disable=SC2086 # the words of a command
        screen 100x30 ${line#sparsight }
        case $line in
        *matrices/) wait_for 'cant\.mtx' ;;
        *) wait_for 'Summary' ;;
        esac
        keys q
        ended_with 0
        screen_end
    done 3< <(examples "$SRCDIR/man/sparsight.1" | grep -E '^sparsight (cant\.tar\.gz|matrices/|--results)')
}

@test "the manual and the help state the same defaults" {
    need python3
    python3 "$SRCDIR/tests/support/defaults.py" "$SPARSIGHT" "$SRCDIR/man/sparsight.1"
}

# The sentences of kernels on their speed agree with the newest measured tables.
@test "the sentences of kernels on their speed agree with the measured tables" {
    need python3
    python3 "$SRCDIR/tests/support/claims.py" "$page" "$SRCDIR/data/measured"
}

# Geometric means of cuSPARSE's best time / our best time, by the way csr-balanced reads values: with 8 bits, none, or
# in full.
@test "the README's figures beside cuSPARSE are those of the table that it names" {
    need python3
    python3 - "$SRCDIR" <<'END'
import collections, math, re, sys
readme = " ".join(open(sys.argv[1] + "/README.md", encoding="utf-8").read().split())
told = re.search(r"On an H200 our fastest kernels are ([\d.]+) times .*?([\d.]+) times in f32, in geometric mean over (\d+) .*?"
                 r"(\d+) of them .*?\(([\d.]+) times in f64, ([\d.]+) in f32\).*?(\d+) have .*?\(([\d.]+) and ([\d.]+)\)"
                 r".*?the other (\d+) .*?([\d.]+) and ([\d.]+) times.*?\((data/measured/bench-gpu[^)]*)\)", readme)
ratios, current = collections.defaultdict(list), None
for line in open(sys.argv[1] + "/" + told[13], encoding="utf-8"):
    row = re.match(r"\S+ +\S+ +(f64|f32) .* us .* us +[\d.]+ +[\d.]+ +([\d.]+) +[\d.]+$", line)
    kind = re.search(r"csr-balanced:columns=\d+,values=(\w+)", line)
    if row:
        current = row[1], float(row[2])
    elif kind:
        for key in kind[1], "all":
            ratios[current[0], key].append(current[1])
mean = lambda precision, key: "%.2f" % math.exp(sum(map(math.log, ratios[precision, key])) / len(ratios[precision, key]))
count = lambda key: str(len(ratios["f64", key]))
found = [mean("f64", "all"), mean("f32", "all"), count("all")]
for key in "8", "0", "full":
    found += [count(key), mean("f64", key), mean("f32", key)]
print(found)
assert found == list(told.groups()[:12]), told.groups()
assert min(ratios["f64", "all"] + ratios["f32", "all"]) > 1  # "slower on none"
END
}
