#!/bin/sh
# Deliberate faults: whether the tests notice them. `make mutants` runs this; README.md beside it states the purpose.
#
#     run.sh SOURCES BUILD           every mutant of SOURCES/tests/mutants/*.list, in copies of the sources, BUILD/mutants
#     run.sh --check SOURCES         only whether the lists are well-formed and every text is found once
#
# SAMPLE          instead of the lists' mutants, this number of faults at random lines that no list names (sample.py)
# SEED            of the sample; default 1
# MUTANTS         patterns of those to run: "formats/* base/offsets-*"
# MUTANTS_JOBS    how many are run at a time; default one for each processor
# MUTANTS_TESTS   how many tests a fault of a sample gets at most; default 20
# MUTANTS_PATIENCE  seconds that a test may take beyond ten times its time without a mutant; default 30
# MUTANTS_CFLAGS  flags of the copies' compiler; default "-O1 -fno-omit-frame-pointer -fsanitize=leak"
#
# Ends with 0 if at least nine tenths were caught and every mutant applied; of a sample, if 85% of those were caught that
# compile and are not known to be equivalent.
set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)

said=/dev/null # where a worker keeps what it says
say() {
    printf '%s\n' "$*" | tee -a "$said"
}

stop() {
    say "Bail out! $*"
    exit 1
}

# list SOURCES: a line for each mutant, its number first.
list() {
    root=$1
    set -- "$root"/tests/mutants/*.list
    [ -f "$1" ] || stop "no list in $root/tests/mutants"
    [ "${sample:-0}" -eq 0 ] || set -- "$root/tests/mutants/sample.list"
    [ "${checking:-no}" = no ] || [ ! -f "$root/tests/mutants/equivalent" ] || set -- "$@" "$root/tests/mutants/equivalent"
    awk -v mode=list -v root="$root" -f "$here/mutants.awk" "$@" | awk -v patterns="${MUTANTS:-*}" '
        BEGIN {
            FS = OFS = "\t"
            n = split(patterns, pattern, " ")
            for (k = 1; k <= n; k++) {
                gsub(/[.+()|^$]/, "[&]", pattern[k])
                gsub(/\*/, ".*", pattern[k])
            }
        }
        {
            for (k = 1; k <= n; k++)
                if ($1 ~ "^" pattern[k] "$") {
                    print ++number, $0
                    next
                }
        }'
}

if [ "${1:-}" = --check ]; then
    [ $# -eq 2 ] || stop "usage: run.sh --check SOURCES"
    checking=yes
    list "$2" | awk -F '\t' '
        $6 != "-" { printf "%s: %s: %s\n", $5, $2, $6; wrong++ }
        { number++; files += !seen[$3]++ }
        END { printf "%d mutants of %d files, %d with a fault in the list\n", number, files, wrong; exit wrong > 0 || number == 0 }'
    exit
fi
[ $# -eq 2 ] || stop "usage: run.sh SOURCES BUILD"
sample=${SAMPLE:-0} seed=${SEED:-1}
case $sample in *[!0-9]*) stop "SAMPLE is a number of faults, not $sample" ;; esac
[ "$sample" -eq 0 ] || python3 -c '' 2>/dev/null || stop "a sample of faults needs python3"
sources=$(cd "$1" && pwd) && mkdir -p "$2" && top=$(cd "$2" && pwd) || exit 1
[ "$sources" != "$top" ] || stop "mutants need a build in a folder of its own: mkdir build && cd build && ../configure && make mutants"
work=$top/mutants # original: the sources; N/source, N/build: of worker N
jobs=${MUTANTS_JOBS:-$(nproc 2>/dev/null || echo 1)}
patience=${MUTANTS_PATIENCE:-30}
cflags=${MUTANTS_CFLAGS--O1 -fno-omit-frame-pointer -fsanitize=leak}
mkdir -p "$work"
# One run at a time; the remains of a killed run do not count.
if ! mkdir "$work/lock" 2>/dev/null; then
    other=$(cat "$work/lock/pid" 2>/dev/null)
    if [ -n "$other" ] && kill -0 "$other" 2>/dev/null; then stop "$work is at work already, as process $other"; fi
fi
echo $$ >"$work/lock/pid"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/mutants-XXXXXX") || exit 1
workers=
leave() {
    trap - EXIT INT TERM HUP
    for worker in $workers; do
        kill "$worker" 2>/dev/null
    done
    wait
    rm -rf "$scratch" "$work/lock"
}
trap leave EXIT
trap 'leave; exit 130' INT TERM HUP

# Every file of the sources, without git's own and without built ones.
files_of() {
    (
        cd "$1" || exit
        for name in .* *; do
            case $name in
            . | .. | .git | autom4te.cache) ;;
            *) if [ -d "$name" ]; then
                [ -e "$name/config.status" ] || [ "$PWD/$name" = "$top" ] || find "$name" -type f
            elif [ -f "$name" ]; then echo "$name"; fi ;;
            esac
        done
    )
}

# Checksums of the tree's files that stand in the list of files; one process for all, as each takes longer than its file.
sums() {
    (cd "$1" && tr '\n' '\0' <"$scratch/files" | xargs -0 cksum 2>/dev/null) | sort
}

# sync FROM TO: update a copy of the sources. Changed files get a new date, so that they are built again.
sync() {
    files_of "$1" >"$scratch/files"
    if [ ! -d "$2" ]; then
        mkdir -p "$2"
        (cd "$1" && tar -cf - -T "$scratch/files") | (cd "$2" && tar -xf -)
        return
    fi
    sums "$1" >"$scratch/from"
    sums "$2" >"$scratch/to"
    comm -23 "$scratch/from" "$scratch/to" | cut -d ' ' -f 3- >"$scratch/changed"
    [ ! -s "$scratch/changed" ] || (cd "$1" && tar -cf - -T "$scratch/changed") | (cd "$2" && tar -xmf -)
    files_of "$2" | while read -r file; do
        [ -f "$1/$file" ] || rm -f "$2/$file"
    done
}

# Tree $1 is for the present sources: the remains of an earlier run are built again as far as necessary, or altogether.
refresh() {
    for file in configure aclocal.m4 config.h.in; do
        [ ! -f "$sources/$file" ] || cmp -s "$sources/$file" "$1/source/$file" || rm -rf "$1"
    done
    [ -f "$1/build/made" ] || rm -rf "$1"
    sync "$sources" "$1/source"
    mkdir -p "$1/build"
}

# Configure the copy as the build is, but for warnings, which mutants are welcome to give; a developer's build
# stays with one architecture of GPUs.
configure() {
    (
        cd "$1/build" || exit
        options=
        [ ! -x "$top/config.status" ] || options=$("$top/config.status" --config)
        eval "set -- $options"
        case $options in
            *-cuda*) ;; # and not a path of NVCC
            *--enable-werror*) set -- "$@" --with-cuda-arch=90 ;;
        esac
        ../source/configure "$@" --disable-werror "CFLAGS=$cflags" >configure.log 2>&1
    ) || stop "the copy cannot be configured: $1/build/configure.log says why (MUTANTS_CFLAGS=-O1 if the compiler knows no leak sanitizer)"
}

# The targets of make for a test.
target_of() {
    case $1 in
    tests/ranks/*.bats) echo sparsight sparsight-mpi tests/ranks/devices tests/ranks/memory tests/ranks/parts tests/ranks/product tests/ranks/read tests/ranks/share tests/ranks/sums ;;
    *.bats) echo sparsight ;;
    *) echo "$1" ;;
    esac
}

# A file of commands' tests is stopped at the first that fails. $only is a pattern of those that are run.
run_bats() {
    timeout -k 5 "$2" bats --tap ${only:+-f "$only"} "$SRCDIR/$3" >"$1/log" 2>&1 </dev/null &
    runner=$!
    while kill -0 $runner 2>/dev/null && ! grep -q '^not ok' "$1/log"; do
        sleep 0.5
    done
    kill $runner 2>/dev/null
    wait $runner
    status=$?
    ! grep -q '^not ok' "$1/log" || status=1
    return $status
}

# run_test TREE TEST SECONDS: its exit status, 124 if it took longer; its output is in TREE/log.
run_test() (
    cd "$1/build" || exit 1
    SRCDIR=$(cd ../source && pwd) BUILDDIR=$PWD SPARSIGHT=$PWD/sparsight
    # The variables that a bats test that runs this has from its own bats.
    unset $(env | sed -n 's/^\(BATS_[A-Z_]*\)=.*/\1/p')
    PATH=$(echo "$PATH" | sed 's,[^:]*/libexec/bats-core:,,g')
    TMPDIR=$scratch/${1##*/}
    TMUX_TMPDIR=$TMPDIR
    mkdir -p "$TMPDIR"
    OMP_WAIT_POLICY=passive CMOCKA_MESSAGE_OUTPUT=TAP SPARSIGHT_TEST_PATIENCE=15 SPARSIGHT_PROCESSOR=assumed LC_ALL=C.UTF-8
    export SRCDIR BUILDDIR SPARSIGHT TMPDIR TMUX_TMPDIR OMP_WAIT_POLICY CMOCKA_MESSAGE_OUTPUT SPARSIGHT_TEST_PATIENCE SPARSIGHT_PROCESSOR
    # Units of ranks run under mpirun.
    MPIRUN=$(sed -n 's/^MPIRUN = //p' Makefile)
    PYTHON=$(sed -n 's/^PYTHON = //p' Makefile)
    # MPI itself does not give back everything: of units of ranks only leaks of our own allocations count.
    LSAN_OPTIONS="suppressions='$here/suppressions':print_suppressions=0"
    case $2 in tests/ranks/*) LSAN_OPTIONS="$LSAN_OPTIONS:exitcode=0" ;; esac
    export MPIRUN PYTHON LSAN_OPTIONS
    case $2 in
    *.bats) run_bats "$1" "$3" "$2" ;;
    tests/ranks/*) timeout -k 5 "$3" bash -c '. "$0" && ranks 3 "$1"' "$SRCDIR/tests/support/ranks.bash" "./$2" >"$1/log" 2>&1 ;;
    *) timeout -k 5 "$3" sh "$here/../support/unit.sh" "./$2" >"$1/log" 2>&1 ;;
    esac </dev/null
    status=$?
    case $2 in tests/ranks/*) ! grep -q '#1 .* in memory_' "$1/log" || status=1 ;; esac
    # A screen's terminal outlives a test that was stopped.
    for socket in "$TMPDIR"/tmux-*/*; do
        [ ! -S "$socket" ] || tmux -S "$socket" kill-server 2>/dev/null
    done
    rm -rf "$TMPDIR"
    exit $status
)

# The test passes as the sources are: true, and its time in seconds is in a file. Asked once a run.
passes() {
    record=$work/passes/$(echo "$2" | tr / _)
    if [ ! -f "$record" ]; then
        begin=$(date +%s)
        # shellcheck disable=SC2046 # a list
        if make -s -C "$1/build" $(target_of "$2") >"$1/make.log" 2>&1 && begin=$(date +%s) && run_test "$1" "$2" 600; then
            echo $(($(date +%s) - begin)) >"$record.${1##*/}"
        else
            echo fails >"$record.${1##*/}"
        fi
        mv "$record.${1##*/}" "$record"
    fi
    seconds=$(cat "$record")
    [ "$seconds" != fails ]
}

# One mutant, applied to a copy that is otherwise as the sources are: prints its line.
try() {
    tree=$1 number=$2 id=$3 file=$4 tests=$5 place=$6 reason=$7
    awk -v mode=apply -v root="$sources" -v wanted="$id" -f "$here/mutants.awk" "$sources"/tests/mutants/"${id%%/*}".list >"$tree/mutant" &&
        cat "$tree/mutant" >"$tree/source/$file" || return
    for test in $tests; do
        # shellcheck disable=SC2046 # a list
        if ! make -s -C "$tree/build" $(target_of "$test") >"$tree/make.log" 2>&1; then
            grep -E 'error:|undefined reference|\*\*\*' "$tree/make.log" | head -n 3 | sed 's/^/# /' >"$tree/why"
            say "not ok $number - $id: does not compile ($place)
$(cat "$tree/why")"
            return
        fi
        seconds=$(cat "$work/passes/$(echo "$test" | tr / _)")
        run_test "$tree" "$test" $((patience + 10 * seconds))
        case $? in
        0) ;;
        124 | 137)
            say "ok $number - $id: caught by $test, which was stopped after $((patience + 10 * seconds)) s"
            return
            ;;
        *)
            first=$(sed -n 's/^not ok [0-9]* *-* *//p' "$tree/log" | head -n 1)
            say "ok $number - $id: caught by $test${first:+, $first}"
            return
            ;;
        esac
    done
    if [ "$reason" != - ]; then
        say "ok $number - $id: survived, as explained: $reason"
    else
        say "not ok $number - $id: survived $tests ($place)"
    fi
}

# make_for TREE TEST...: build the tests; a fault of a sample that a compiler of C23 refuses does not count.
make_for() {
    flags="$(sed -n 's/^CFLAGS = //p' "$1/build/Makefile") -Werror=int-conversion -Werror=incompatible-pointer-types"
    (
        tree=$1
        shift
        # shellcheck disable=SC2046 # a list
        make -s -C "$tree/build" CFLAGS="$flags" $(for each; do target_of "$each"; done) >"$tree/make.log" 2>&1
    )
}

# make_next TREE TEST: build the test, and with it the next of $waiting, twice as many as last time: a fault that survives has all
# its tests built by few calls of make, one that is caught at once few tests too many. If one of them cannot be built, each is alone.
make_next() {
    case " $made " in *" $2 "*) return ;; esac
    made=$(printf '%s\n' "$2" $waiting | awk '!seen[$0]++' | head -n $together | tr '\n' ' ')
    together=$((2 * together))
    # shellcheck disable=SC2086 # a list
    make_for "$1" $made && return
    made='' together=1
    make_for "$1" "$2"
}

# A test that failed with the mutant passes without it; of a .bats file the one test. Afterwards the mutant is there again.
sound() {
    failed=$(sed -n 's/^not ok [0-9]* *-* *//p' "$1/log" | head -n 1) only=
    case $2 in *.bats) only=$(printf '%s' "$failed" | sed 's/[][^$.*/+?(){}|\\]/\\&/g') ;; esac
    record=$work/passes/$(echo "$2" | tr / _)${only:+-$(echo "$only" | cksum | cut -d ' ' -f 1)}
    if [ ! -f "$record" ]; then
        cp "$sources/$3" "$1/source/$3"
        mv "$1/log" "$1/log.mutant"
        verdict=fails
        make_for "$1" "$2" && begin=$(date +%s) && run_test "$1" "$2" 600 && verdict=passes
        [ "$verdict${only:+ one}" != passes ] || echo $(($(date +%s) - begin)) >"$work/times/$(echo "$2" | tr / _)"
        [ "$verdict" = passes ] || say "# $2 fails as the sources are: $(grep -m 1 "^not ok" "$1/log")"
        mv "$1/log.mutant" "$1/log"
        echo $verdict >"$record"
        cat "$1/mutant" >"$1/source/$3"
    fi
    only=
    [ "$(cat "$record")" = passes ]
}

# The lines that a mutant changed.
changed() {
    diff -U 0 "$sources/$2" "$1/mutant" | sed -n '4,$s/^/# /p'
}

# One fault of a sample: each test is run with it, and a test that fails is run without it.
try_sampled() {
    tree=$1 number=$2 id=$3 file=$4 tests=$5 reason=$6
    awk -v mode=apply -v root="$sources" -v wanted="$id" -f "$here/mutants.awk" "$sources/tests/mutants/sample.list" >"$tree/mutant" || return
    at="$file:$(diff -U 0 "$sources/$file" "$tree/mutant" | sed -n 's/^@@ -\([0-9]*\).*/\1/p' | head -n 1)"
    if [ "$reason" != - ]; then
        say "ok $number - $id: equivalent: $reason ($at)
$(changed "$tree" "$file")"
        return
    fi
    cat "$tree/mutant" >"$tree/source/$file"
    ran=0 made='' together=1 waiting=" $tests"
    for test in $waiting; do
        waiting=${waiting#* "$test"}
        if ! make_next "$tree" "$test"; then
            say "ok $number - $id: does not compile ($at)
$(grep -E 'error:|undefined reference|\*\*\*' "$tree/make.log" | head -n 1 | sed 's/^/# /')
$(changed "$tree" "$file")"
            return
        fi
        time=$work/times/$(echo "$test" | tr / _)
        known=$(cat "$time" 2>/dev/null)
        case $test in *.bats) seconds=${known:-40} ;; *) seconds=${known:-10} ;; esac
        begin=$(date +%s)
        run_test "$tree" "$test" $((patience + 10 * seconds))
        status=$?
        # A test of which no time was known may be slow without the fault, too.
        if [ -z "$known" ] && { [ $status -eq 124 ] || [ $status -eq 137 ]; } && made='' && sound "$tree" "$test" "$file"; then
            known=$(cat "$time" 2>/dev/null || echo 60)
            if [ "$known" -gt "$seconds" ]; then
                seconds=$known
                make_for "$tree" "$test"
                run_test "$tree" "$test" $((patience + 10 * seconds))
                status=$?
            fi
        fi
        ran=$((ran + 1))
        if [ $status -eq 0 ]; then
            took=$(($(date +%s) - begin))
            [ -f "$time" ] && [ $took -le "$seconds" ] || { echo $took >"$time.${tree##*/}" && mv "$time.${tree##*/}" "$time"; }
        elif made='' && sound "$tree" "$test" "$file"; then
            how=", $failed"
            case $status in 124 | 137) how=", which was stopped after $((patience + 10 * seconds)) s" ;; esac
            [ "$how" != ", " ] || how=
            say "ok $number - $id: caught by $test$how ($at)
$(changed "$tree" "$file")"
            return
        fi
    done
    say "not ok $number - $id: survived $ran tests, first $(echo "$tests" | cut -d ' ' -f -3) ($at)
$(changed "$tree" "$file")"
}

# Take one file's mutants after the other that no one else has taken.
worker() {
    tree=$1 said=$scratch/said.$2
    cut -f 3 "$scratch/list" | sort -u >"$scratch/chunks.$2"
    while read -r chunk <&3; do
        mkdir "$scratch/taken.$(echo "$chunk" | tr / _)" 2>/dev/null || continue
        awk -F '\t' -v file="$chunk" '$3 == file' "$scratch/list" >"$tree/chunk"
        [ "$sample" -gt 0 ] || for test in $(cut -f 4 "$tree/chunk" | tr ' ' '\n' | sort -u); do
            passes "$tree" "$test" || say "# $test fails as the sources are: $tree/make.log and $tree/log say why"
        done
        while IFS='	' read -r number id file tests place wrong reason; do
            if [ "$sample" -gt 0 ]; then
                try_sampled "$tree" "$number" "$id" "$file" "$tests" "$reason" </dev/null
                continue
            fi
            fails=
            for test in $tests; do
                [ "$(cat "$work/passes/$(echo "$test" | tr / _)")" != fails ] || fails=$test
            done
            if [ -n "$fails" ]; then
                say "not ok $number - $id: $fails fails as the sources are ($place)"
            else
                try "$tree" "$number" "$id" "$file" "$tests" "$place" "$reason" </dev/null
            fi
        done <"$tree/chunk"
        cp "$sources/$chunk" "$tree/source/$chunk"
    done 3<"$scratch/chunks.$2"
}

# Those that are run: $scratch/list; those that cannot be tried are told at once.
choose() {
    list "$sources" >"$scratch/all"
    [ -s "$scratch/all" ] || stop "no mutant is called ${MUTANTS:-}"
    awk -F '\t' '$6 == "-"' "$scratch/all" >"$scratch/list"
    awk -F '\t' '$6 != "-" { printf "not ok %d - %s: does not apply: %s (%s)\n", $1, $2, $6, $5 }' "$scratch/all" >"$scratch/results"
    cat "$scratch/results"
}

# Mutants are made from a copy that stays as it is while the sources may be worked on.
sync "$sources" "$work/original"
sources=$work/original
if [ "$sample" -eq 0 ]; then
    choose
fi
rm -rf "$work/passes"
mkdir "$work/passes"
k=1
while [ $k -le "$jobs" ]; do
    tree=$work/$k
    refresh "$tree"
    if [ ! -f "$tree/build/made" ]; then
        if [ $k -eq 1 ]; then
            say "# configuring and compiling a copy of the sources in $tree"
            configure "$tree"
            make -s -j "$jobs" -C "$tree/build" >"$tree/make.log" 2>&1 || stop "the copy does not compile: $tree/make.log says why"
        else
            rm -rf "$tree"
            cp -Rp "$work/1" "$tree"
            [ ! -x "$tree/build/config.status" ] || (cd "$tree/build" && ./config.status >/dev/null) || stop "config.status fails in $tree/build"
        fi
        touch "$tree/build/made"
    fi
    k=$((k + 1))
done
if [ "$sample" -gt 0 ]; then
    mkdir -p "$work/times"
    python3 "$here/sample.py" "$sources" "$work/1/build" "$sample" "$seed" "$work/times" >"$scratch/sample.list" ||
        stop "sample.py fails"
    mv "$scratch/sample.list" "$sources/tests/mutants/sample.list"
    choose
    say "1..$(wc -l <"$scratch/all")"
fi
k=1
while [ $k -le "$jobs" ]; do
    worker "$work/$k" $k &
    workers="$workers $!"
    k=$((k + 1))
done
wait
workers=
cat "$scratch"/said.* 2>/dev/null >>"$scratch/results"
cp "$scratch/results" "$work/results"

if [ "$sample" -gt 0 ]; then
    awk '
        /^ok .*: caught by / { caught++ }
        /^ok .*: does not compile / { refused++ }
        /^ok .*: equivalent: / { equivalent++ }
        /^not ok .*: survived / { survived++ }
        /^not ok .*: does not apply/ { wrong++ }
        END {
            tried = caught + survived
            printf "# %d caught, %d survived, %d do not compile, %d equivalent: %.1f%%\n", caught, survived, refused, equivalent, tried ? 100 * caught / tried : 0
            exit !(tried > 0 && 100 * caught >= 85 * tried && !wrong)
        }' "$scratch/results"
    exit
fi
awk -v wanted="$(wc -l <"$scratch/all")" '
    /^ok .*: caught by / { caught++ }
    /^ok .*: survived, as explained/ { explained++; survived++ }
    /^not ok .*: survived / { survived++ }
    /^(not )?ok / { number++ }
    END {
        printf "# %d mutants: %d caught (%.1f %%), %d survived (%d of them explained), %d could not be tried\n", wanted, caught, 100 * caught / wanted,
            survived, explained, wanted - caught - survived
        exit !(10 * caught >= 9 * wanted && caught + survived == wanted)
    }' "$scratch/results"
