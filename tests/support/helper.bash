# Shared by the command-line tests. `load helper` in a .bats file.

: "${SPARSIGHT:?run by make check}" "${SRCDIR:?run by make check}"

# Set $matrices to the folder of real matrices, or skip the test.
need_matrices() {
    matrices=${SPARSIGHT_MATRICES:-$SRCDIR/../shared/matrices}
    [ -d "$matrices" ] || skip "no real matrices (SPARSIGHT_MATRICES)"
}

need() {
    type -P "$1" >/dev/null || skip "no $1"
}

# The interpreter that configure found. The first one of the path may be a script that looks for it each time.
python3() {
    command "${PYTHON:-python3}" "$@"
}

# Set $python to a Python 3 that imports these modules, or skip the test: the one that configure found need not be the system's,
# whose packages bootstrap installs.
need_python() { # need_python MODULE...
    local module missing lacks=
    for python in "${PYTHON:-python3}" /usr/bin/python3; do
        type -P "$python" >/dev/null || continue
        missing=
        for module; do
            has_module "$python" "$module" || missing="$missing $module"
        done
        [ -n "$missing" ] || return 0
        lacks="$lacks$missing in $python;"
    done
    skip "no Python 3 with $*${lacks:+ (missing:${lacks%;})}"
}

# This Python imports the module. Each is tried once a file of tests: some take a second.
has_module() { # has_module PYTHON MODULE
    local found=$BATS_FILE_TMPDIR/"module $2 of ${1//\//_}"
    if [ ! -e "$found" ]; then
        if "$1" -c "import $2" 2>/dev/null; then echo yes; else echo no; fi >"$found"
    fi
    [ "$(<"$found")" = yes ]
}

need_scipy() {
    need_python numpy scipy h5py
}

# Set $failing to the library with which calls of the system fail, or skip the test: a sanitizer wants to be the first that is loaded.
need_failing() {
    failing=$BUILDDIR/tests/support/failing.so
    [ -f "$failing" ] || skip "no library to preload"
    ! grep -q '^CFLAGS = .*fsanitize' "$BUILDDIR/Makefile" || skip "not under sanitizers"
}

# Run the program: $status, standard output in the file out, standard error in the file err. Each report in JSON is kept, and
# compared with the schema when all tests of the file have run; where python3 has no jsonschema, schema.bats says that none was.
sparsight() {
    status=0
    "$SPARSIGHT" "$@" >out 2>err || status=$?
    case "$1 $*" in report\ *--format=json*) if [ -s out ]; then keep_report; fi ;; esac
}

keep_report() {
    local folder=$BATS_FILE_TMPDIR/reports
    [ -d "$folder" ] || mkdir "$folder"
    cp out "$folder/test $BATS_TEST_NUMBER at $EPOCHREALTIME.json"
}

# One process for all reports: starting Python takes longer than comparing one. A fault is a failure of teardown_file.
teardown_file() {
    local reports=("$BATS_FILE_TMPDIR"/reports/*.json)
    [ ! -e "${reports[0]}" ] || valid "${reports[@]}"
}

# valid FILE...: these reports are valid by the schema, as far as that can be told here.
valid() {
    local verdict=0
    python3 "$SRCDIR/tests/support/validate.py" "$SRCDIR/data/sparsight-report-2.schema.json" "$@" || verdict=$?
    [ "$verdict" -eq 0 ] || [ "$verdict" -eq 77 ] || [ "$verdict" -eq 127 ]
}

# A message of the tests: the text that was found instead, if a test fails here.
show() {
    echo "status $status"
    head -n 5 out err
}

# write_matrix FILE: rows of 3, 2, 1 and 1 entries, one of them zero, one given twice.
write_matrix() {
    cat >"$1" <<'END'
%%MatrixMarket matrix coordinate real general
% four rows
4 4 8
1 1 2
1 2 5
1 3 1
2 1 5
2 4 1
3 1 4
3 1 5
4 4 0
END
}
