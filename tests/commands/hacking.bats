#!/usr/bin/env bats
# The examples of HACKING.md work: a copy of the sources and of this build gets them, at the marks that
# tests/support/examples.awk describes, is built again, and does what the page promises.

load ../support/helper
load ../support/tmux

# The value of a variable of the build's Makefile.
made_with() {
    sed -n "s/^$1 = //p" "$BUILDDIR/Makefile"
}

# A copy in which make only builds the changes of the examples: paths in files are adapted, and file times are kept.
copy_build() {
    local deep=$BATS_FILE_TMPDIR/1/2/3/4/5/6 srcdir item
    srcdir=$(made_with srcdir)
    build=$deep/build
    case $srcdir in
    /*) source=$BATS_FILE_TMPDIR/source ;;
    *) source=$(realpath -m "$build/$srcdir") ;;
    esac
    mkdir -p "$build" "$source"
    for item in src data packaging build-aux autom4te.cache sources.sh sources.am Makefile.am Makefile.in aclocal.m4 config.h.in configure configure.ac HACKING.md; do
        [ ! -e "$SRCDIR/$item" ] || cp -a "$SRCDIR/$item" "$source/"
    done
    ln -s "$SRCDIR/tests" "$source/tests"
    cp -a "$BUILDDIR"/{Makefile,config.h,config.status,stamp-h1,nvcc-flags,src} "$BUILDDIR"/*.a "$build/"
    chmod -R u+w "$source" "$build"
    find "$build" -type f \( -name '*.Po' -o -name '*.d' -o -name Makefile -o -name config.status \) -print0 |
        xargs -0 sed -i "s|$BUILDDIR|$build|g; s|$SRCDIR|$source|g"
    # Older than the following files, in the order of the steps that make them.
    touch -r "$BUILDDIR/Makefile" "$build/Makefile" "$build/config.status"
}

# The line number of TEXT in FILE: of the first line that has it, or the last.
line_of() { # line_of FILE first|last TEXT
    local end=head
    [ "$2" = first ] || end=tail
    grep -nF -- "$3" "$1" | $end -n 1 | cut -d: -f1
}

# Insert the text of a file before a line, with that line's indentation if `indented`.
insert() { # insert FILE first|last TEXT CONTENT [indented]
    local number indent=
    number=$(line_of "$1" "$2" "$3")
    if [ -z "$number" ]; then
        echo "$1 has no line with: $3"
        return 1
    fi
    [ -z "${5:-}" ] || indent=$(sed -n "${number}s/[^[:space:]].*//p" "$1")
    { head -n $((number - 1)) "$1"; sed "s/^/$indent/" "$4"; tail -n +"$number" "$1"; } >"$1.new"
    cat "$1.new" >"$1"
    rm "$1.new"
}

# The page without comments.
shown() {
    grep -v '^<!--' "$SRCDIR/HACKING.md"
}

apply() { # apply VERB FILE...
    local file=$source/$2
    case $1 in
    create)
        mkdir -p "$(dirname "$file")"
        [ ! -e "$file" ] || { echo "$2 is there already" && return 1; }
        cp "$3" "$file"
        ;;
    append) { echo; cat "$3"; } >>"$file" ;;
    insert) insert "$file" "$3" "$4" "$5" ;;
    put)
        shown | grep -qF -- "${5% \\}" || { echo "HACKING.md does not show: $5" && return 1; }
        printf '%s\n' "$5" >"$BATS_FILE_TMPDIR/line"
        insert "$file" "$3" "$4" "$BATS_FILE_TMPDIR/line" indented
        ;;
    esac
}

setup_file() {
    local fields automake
    [ -f "$BUILDDIR/libsparsight.a" ] || skip "nothing is built here"
    automake=$(made_with AUTOMAKE)
    automake=${automake##* }
    command -v "$automake" >/dev/null || skip "no $automake"
    copy_build
    mkdir "$BATS_FILE_TMPDIR/blocks"
    awk -v dir="$BATS_FILE_TMPDIR/blocks" -f "$SRCDIR/tests/support/examples.awk" "$SRCDIR/HACKING.md" >"$BATS_FILE_TMPDIR/actions"
    while IFS=$'\036' read -r -a fields; do
        apply "${fields[@]}"
    done <"$BATS_FILE_TMPDIR/actions"
    export example_source=$source example_build=$build
    # The Makefile first, and alone: programs that automake starts would look for make's jobs in the files that bats has open.
    unset MAKEFLAGS MAKELEVEL
    if ! { make -C "$build" Makefile && make -C "$build" -j"$(nproc)" sparsight; } >"$BATS_FILE_TMPDIR/make.log" 2>&1; then
        grep -E -B3 -A6 'error|Error' "$BATS_FILE_TMPDIR/make.log" >&2 || tail "$BATS_FILE_TMPDIR/make.log" >&2
        return 1
    fi
}

setup() {
    SPARSIGHT=$example_build/sparsight
    cd "$example_source"
}

teardown() {
    screen_end
}

@test "every recipe has a tested example" {
    local section
    for section in 'a format' 'a kernel' 'a generator' 'a column' 'a screen' 'a CUDA kernel'; do
        sed -n "/^## Adding $section\$/,/^## /p" HACKING.md | grep -q '^<!-- example: \(create\|append\|insert\)' || { echo "none of Adding $section" && return 1; }
        sed -n "/^## Adding $section\$/,/^## /p" HACKING.md | grep -q '^<!-- example: \(run\|open\)' || { echo "nothing is run of Adding $section" && return 1; }
    done
}

@test "the examples compile without a warning, and little else does" {
    run grep -n 'warning:' "$BATS_FILE_TMPDIR/make.log"
    echo "$output"
    [ "$status" -eq 1 ]
    [ "$example_build/src/formats/dense.o" -nt "$BUILDDIR/src/base/text.o" ]
    [ ! "$example_build/src/base/text.o" -nt "$BUILDDIR/src/base/text.o" ]
}

@test "the commands have the promised output" {
    local fields ran=0
    sparsight() { "$SPARSIGHT" "$@"; }
    while IFS=$'\036' read -r -a fields; do
        case ${fields[0]} in
        run)
            echo "$ ${fields[1]}"
            eval "${fields[1]}" >"$BATS_TEST_TMPDIR/out"
            ran=$((ran + 1))
            ;;
        expect)
            grep -qE -- "${fields[1]}" "$BATS_TEST_TMPDIR/out" || { echo "no line is: ${fields[1]}" && cat "$BATS_TEST_TMPDIR/out" && return 1; }
            ;;
        esac
    done <"$BATS_FILE_TMPDIR/actions"
    [ "$ran" -ge 4 ]
}

@test "the new screen is drawn, and its keys work" {
    local fields seen=0
    cd "$BATS_TEST_TMPDIR"
    while IFS=$'\036' read -r -a fields; do
        case ${fields[0]} in
        open) eval "screen 80x24 ${fields[1]//data\//$example_source/data/}" ;;
        press) eval "keys ${fields[1]}" ;;
        see)
            wait_for "${fields[1]}"
            seen=$((seen + 1))
            ;;
        esac
    done <"$BATS_FILE_TMPDIR/actions"
    [ "$seen" -ge 2 ]
    keys q
    ended_with 0
}

# The last test, since it changes the program: each chunk of the example kernel lacks its first row.
@test "a kernel that is wrong is named with its row, and the report fails" {
    unset MAKEFLAGS MAKELEVEL
    sed -i 's/csr(launch, first, min(first + chunk, rows))/csr(launch, first + 1, min(first + chunk, rows))/' src/kernels/cpu/csr.c
    grep -qF 'csr(launch, first + 1, ' src/kernels/cpu/csr.c
    make -C "$example_build" sparsight >"$BATS_TEST_TMPDIR/log" 2>&1
    run "$SPARSIGHT" report --kernels=csr-dynamic --threads=2 --repeat=1 --limit=8M data/pmpp.mtx
    echo "$output"
    [ "$status" -eq 1 ]
    grep -qE '^data/pmpp\.mtx: cpu/csr-dynamic is wrong, f64, 2 threads: row 1 is NaN' <<<"$output"
    grep -qE '^! cpu/csr-dynamic: row 1 is NaN' <<<"$output"
}
