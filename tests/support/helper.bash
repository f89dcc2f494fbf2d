# What the command-line tests share. `load helper` in a .bats file.

: "${SPARSIGHT:?run by make check}" "${SRCDIR:?run by make check}"

# Set $matrices to the folder of real matrices, or skip the test.
need_matrices() {
    matrices=${SPARSIGHT_MATRICES:-$SRCDIR/../shared/matrices}
    [ -d "$matrices" ] || skip "no real matrices (SPARSIGHT_MATRICES)"
}

need() {
    command -v "$1" >/dev/null || skip "no $1"
}

# Run the program: $status, standard output in the file out, standard error in the file err.
sparsight() {
    status=0
    "$SPARSIGHT" "$@" >out 2>err || status=$?
}

# One line of the tests' own: what was found instead, if a test fails here.
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
