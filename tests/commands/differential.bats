#!/usr/bin/env bats
# Random matrices, as SciPy, h5py and plain lines write them, beside what is read of them, and the other way round:
# tests/support/differential.py.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "what SciPy and h5py write is read bit for bit, and they read what is written" {
    need_scipy
    grep -q '^#define HAVE_HDF5 1' "$BUILDDIR/config.h" || skip "no HDF5"
    run "$python" "$SRCDIR/tests/support/differential.py" "$SPARSIGHT"
    echo "$output"
    [ "$status" -eq 0 ]
}
