#!/usr/bin/env bats
# Random matrices, as SciPy, h5py and plain lines write them, compared with the program's reading, and the other way round:
# tests/support/differential.py.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "files of SciPy and h5py are read bit for bit, and these read the program's files" {
    need_scipy
    grep -q '^#define HAVE_HDF5 1' "$BUILDDIR/config.h" || skip "no HDF5"
    run "$python" "$SRCDIR/tests/support/differential.py" "$SPARSIGHT"
    echo "$output"
    [ "$status" -eq 0 ]
}
