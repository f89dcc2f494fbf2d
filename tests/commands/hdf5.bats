#!/usr/bin/env bats
# HDF5 files that are valid but unusual: numbers of other types, links, attributes. tests/support/hdf5_odd.py makes them
# with h5py.

load ../support/helper

# Set $python to a Python that has h5py, or skip the test.
need_h5py() {
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import h5py' 2>/dev/null; then return; fi
    done
    skip "no Python with h5py"
}

@test "HDF5 is loaded for its files only, and a missing or wrong library is named" {
    grep -q '^#define HAVE_HDF5 1' "$BUILDDIR/config.h" || skip "built without HDF5"
    cd "$BATS_TEST_TMPDIR"
    write_matrix some.mtx
    sparsight convert some.mtx some.bsp.h5
    [ "$status" -eq 0 ]
    export SPARSIGHT_HDF5=$PWD/missing.so
    sparsight report some.mtx
    [ "$status" -eq 0 ]
    sparsight report some.bsp.h5
    [ "$status" -eq 1 ]
    grep -qx "some.bsp.h5: HDF5 is not found: SPARSIGHT_HDF5 says $PWD/missing.so, which is not there" err
    SPARSIGHT_HDF5=$BUILDDIR/tests/support/fake_library.so sparsight report some.bsp.h5
    [ "$status" -eq 1 ]
    grep -qx "some.bsp.h5: HDF5 has no H5Aclose: it is too old, or not whole" err
}

@test "odd files of HDF5 are read as h5py reads them, or refused" {
    local file wanted words
    need_h5py
    cd "$BATS_TEST_TMPDIR"
    "$python" "$SRCDIR/tests/support/hdf5_odd.py"
    sparsight report "$(head -n 1 expected.tsv | cut -f 1)"
    if grep -q "install libhdf5-dev" err; then skip "built without HDF5"; fi
    while IFS=$'\t' read -r file wanted words; do
        status=0
        timeout 300 "$SPARSIGHT" convert --limit=100M --to=mtx "$file" - >out 2>err || status=$?
        echo "$file: status $status, $(cat err)"
        [ "$status" -eq "$wanted" ]
        if [ "$wanted" -eq 0 ]; then
            # the values are the numbers after row and column
            [ "$(grep -v '^%' out | sed '1d; s/^[^ ]* [^ ]* //; s/ \(.*\)/+\1j/' | paste -s -d ' ')" = "$words" ]
        else
            grep -qF -- "$words" err
            [ "$(wc -l <err)" -eq 1 ]
        fi
    done <expected.tsv
}
