#!/usr/bin/env bats
# The Python module: its wheel, installed by pip into a fresh environment, and what it tells of SciPy's matrices.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    export SPARSIGHT PYTHONDONTWRITEBYTECODE=1
}

teardown() {
    screen_end
}

wheel() { # wheel FOLDER
    mkdir -p "$1"
    python3 "$SRCDIR/python/backend.py" "$1"
}

need_module() { # need_module NAME...
    need python3
    local name
    for name; do
        python3 -c "import $name" 2>/dev/null || skip "no $name for Python 3"
    done
}

@test "the wheel's version is the program's, and two wheels are the same bytes" {
    need python3
    sparsight --version
    [ "$(wheel one)" = "sparsight-$(sed 's/.* //' out)-py3-none-any.whl" ]
    wheel two
    cmp one/*.whl two/*.whl
    python3 -m zipfile -t one/*.whl
}

@test "pip installs the wheel in a fresh environment, and it reports what SciPy has made" {
    need_module venv ensurepip numpy scipy
    wheel .
    python3 -m venv --system-site-packages environment
    environment/bin/python -m pip install --quiet --no-index --no-deps ./*.whl
    cat >try.py <<'END'
import numpy, scipy.sparse, sparsight, sys, warnings
assert "environment" in sparsight.__file__, sparsight.__file__
warnings.simplefilter("error")
random = numpy.random.default_rng(7)
count = 0
for kind in ("csr", "csc", "coo", "bsr", "dia", "lil", "dok"):
    for dtype in (numpy.float64, numpy.float32, numpy.int64, numpy.int8, bool, numpy.complex128, numpy.complex64):
        A = scipy.sparse.random(40, 30, 0.1, random_state=random, data_rvs=lambda n: random.integers(1, 9, n)).astype(dtype)
        if dtype in (numpy.complex128, numpy.complex64):
            A = A * dtype(1 + 2j)
        A = A.asformat(kind)
        C = scipy.sparse.csr_matrix(A)
        lengths = numpy.diff(C.indptr)
        coo = C.tocoo()
        m = sparsight.report(A)["matrices"][0]
        # dia stores whole diagonals, of which the zeros are no entries.
        assert (m["rows"], m["cols"], m["nnz"]) == (40, 30, C.nnz), (kind, dtype, m["nnz"], C.nnz)
        assert m["row_lengths"]["max"] == lengths.max() and abs(m["row_lengths"]["mean"] - lengths.mean()) < 1e-12
        assert m["structure"]["lower_bandwidth"] == max(0, (coo.row - coo.col).max())
        assert m["structure"]["upper_bandwidth"] == max(0, (coo.col - coo.row).max())
        count += 1
# Dense arrays, sparse arrays, strings, options and failures.
D = numpy.array([[0, 2.5, 0], [0, 0, -1]])
m = sparsight.report(D)["matrices"][0]
assert (m["rows"], m["cols"], m["nnz"]) == (2, 3, 2)
if hasattr(scipy.sparse, "csr_array"):
    assert sparsight.report(scipy.sparse.csr_array(D))["matrices"][0]["nnz"] == 2
document = sparsight.report("gen:laplace2d,n=5", kernels=["csr-seq", "ell-seq"], repeat=2, reorder="rcm")
assert [m["nnz"] for m in document["matrices"]] == [105, 105], document["matrices"]
kernels = [k for k in document["matrices"][0]["kernels"] if not k["unavailable"]]
assert {k["kernel"] for k in kernels} == {"cpu/csr-seq", "cpu/ell-seq"}
assert all(k["max_error"] == 0 or k["max_error"] < 1e-14 for k in kernels)
for matrix, options, words in (("nothing.mtx", {}, "nothing.mtx"), (D, {"kernels": "nonsense"}, "nonsense"), (D, {"no_such": 1}, "--no-such")):
    try:
        sparsight.report(matrix, **options)
        raise SystemExit(f"{words}: no error")
    except sparsight.Error as error:
        assert words in str(error), error
for wrong in (numpy.zeros(3), numpy.zeros((2, 2, 2))):
    try:
        sparsight.report(wrong)
        raise SystemExit("a vector is no matrix")
    except TypeError as error:
        assert "two dimensions" in str(error)
print("all", count)
END
    environment/bin/python try.py
}

@test "where the program is not there, the module says how to name it" {
    need_module numpy
    run env SPARSIGHT=/nowhere/sparsight PYTHONPATH="$SRCDIR/python" python3 -c 'import sparsight; sparsight.report("a.mtx")'
    [ "$status" -ne 0 ]
    [[ $output == *"install sparsight, or name it in the environment variable SPARSIGHT"* ]]
}

@test "a picture is what the command plot writes" {
    need_module numpy
    "$SPARSIGHT" --help | grep -q 'sparsight plot' || skip "this build has no command plot"
    PYTHONPATH=$SRCDIR/python python3 -c '
import numpy, sparsight
A = numpy.eye(20)
sparsight.plot(A, "eye.svg")
assert b"<svg" in open("eye.svg", "rb").read(1000)
try:
    sparsight.plot(A, "eye.png")
except sparsight.Error as error: # a build without cairo, which says what is missing
    assert "libcairo2-dev" in str(error), error
else:
    assert open("eye.png", "rb").read(8) == b"\x89PNG\r\n\x1a\n"
    assert sparsight.plot(A)[:8] == b"\x89PNG\r\n\x1a\n"'
}

@test "the explorer opens a matrix of numpy's and leaves it again" {
    need_module numpy
    need tmux
    need_explorer
    cat >explore.py <<'END'
import numpy, sparsight
A = numpy.zeros((37, 23))
A[numpy.arange(23), numpy.arange(23)] = 1
sparsight.explore(A, ascii=True)
print("left")
END
    program=$SPARSIGHT
    printf '#!/bin/sh\nSPARSIGHT=%q PYTHONPATH=%q exec python3 explore.py\n' "$program" "$SRCDIR/python" >through
    chmod +x through
    SPARSIGHT=$PWD/through
    screen 100x30
    wait_for '37 .*23'
    keys q
    wait_for '^left'
    ended_with 0
}
