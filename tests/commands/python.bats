#!/usr/bin/env bats
# The Python package: its wheel, installed by pip into a fresh environment, its reports on SciPy's matrices, and its use
# in notebooks and with pandas. Tests of packages that are not installed are skipped.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    export SPARSIGHT PYTHONDONTWRITEBYTECODE=1
}

teardown() {
    screen_end
}

# The interpreter chosen by need_python.
python3() {
    command "${python:-${PYTHON:-python3}}" "$@"
}

# The module of the sources.
module() {
    PYTHONPATH=$SRCDIR/python python3 "$@"
}

# From here on a limit makes measuring the machine short.
limited() {
    printf '#!/bin/bash\ncase "$1 $*" in report*--kernels=* | survey*--kernels=*) set -- "$1" --limit=64M "${@:2}" ;; esac\nexec "%s" "$@"\n' \
        "$SPARSIGHT" >limited
    chmod +x limited
    SPARSIGHT=$PWD/limited
}

# Run pip without an index, and without settings of this machine.
offline() { # offline PYTHON ARGUMENT...
    env -u PIP_FIND_LINKS -u PYTHONDONTWRITEBYTECODE PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1 "$1" -m pip "${@:2}" --quiet --no-index --no-deps
}

# A wheel with the program of this build.
wheel() { # wheel FOLDER
    mkdir -p program/bin
    cp "$SPARSIGHT" program/bin/
    SPARSIGHT_PROGRAM=$PWD/program SOURCE_DATE_EPOCH=1700000000 \
        offline "$(python3 -c 'import sys; print(sys.executable)')" wheel --no-build-isolation --wheel-dir "$1" "$SRCDIR/python"
}

@test "the version of the module is that of the program" {
    need python3
    sparsight --version
    [ "$(module -c 'import sparsight; print(sparsight.__version__)')" = "$(sed 's/.* //' out)" ]
}

@test "the examples of the package's README run" {
    need_python numpy scipy pandas
    limited
    sed -n 's/^    //p' "$SRCDIR/python/README.md" | grep -v '^pip install\|explore' >example.py
    [ "$(grep -c sparsight example.py)" -ge 5 ]
    local form=png
    "$SPARSIGHT" plot --format=png gen:laplace2d,n=3 >/dev/null 2>&1 || form=svg # without cairo
    sed -i "s/pattern\.png/pattern.$form/" example.py
    module example.py
    [ -s "pattern.$form" ]
    # The README describes every public name.
    module -c 'import sparsight; print("\n".join(sparsight.__all__))' | while read -r name; do
        grep -q "\`$name[\`(]" "$SRCDIR/python/README.md" || [ "$name" = program ] || { echo "$name is not in the README"; exit 1; }
    done
}

@test "the wheel has the program and its version, and two wheels are the same bytes" {
    need_python hatchling pip
    sparsight --version
    wheel one
    cp one/*.whl "$BATS_FILE_TMPDIR" # for the next test that takes one
    # The builder alone makes the same in half the time.
    (two=$PWD/two && export SPARSIGHT_PROGRAM=$PWD/program SOURCE_DATE_EPOCH=1700000000 && cd "$SRCDIR/python" && python3 -m hatchling build -t wheel -d "$two")
    cmp one/*.whl two/*.whl
    [ "$(basename one/*.whl)" = "sparsight-$(sed 's/.* //' out)-py3-none-linux_$(uname -m).whl" ]
    python3 -m zipfile -e one/*.whl unpacked
    cmp unpacked/sparsight/bin/sparsight "$SPARSIGHT"
    [ -e unpacked/sparsight/py.typed ]
    cmp unpacked/sparsight-*.dist-info/licenses/COPYING "$SRCDIR/COPYING"
    grep -qx 'License-File: COPYING' unpacked/sparsight-*.dist-info/METADATA
    SPARSIGHT_PROGRAM=$PWD/nowhere run offline "$(python3 -c 'import sys; print(sys.executable)')" wheel --no-build-isolation --wheel-dir three "$SRCDIR/python"
    [ "$status" -ne 0 ]
    [[ $output == *"has no bin/sparsight"* ]]
    SPARSIGHT_PROGRAM=none offline "$(python3 -c 'import sys; print(sys.executable)')" wheel --no-build-isolation --wheel-dir plain "$SRCDIR/python"
    [ -e plain/sparsight-*-py3-none-any.whl ]
}

@test "without a program the hook builds that of the surrounding sources" {
    need_python hatchling pip
    need make
    mkdir checkout
    cp -r "$SRCDIR/python" checkout/
    touch checkout/configure.ac
    # A fake configure records the arguments that the hook passes, in place of the program.
    cat >checkout/configure <<'END'
#!/bin/sh
echo "$@" >arguments
printf 'python-program:\n\tmkdir -p python/program/bin python/program/man/man1\n\tcp arguments python/program/bin/sparsight\n\tchmod +x python/program/bin/sparsight\n\techo page >python/program/man/man1/sparsight.1\n' >Makefile
END
    chmod +x checkout/configure
    offline "$(python3 -c 'import sys; print(sys.executable)')" wheel --no-build-isolation --wheel-dir wheels ./checkout/python
    python3 -m zipfile -e wheels/*.whl unpacked
    grep -qx -- '-q --without-cuda --without-mpi' unpacked/sparsight/bin/sparsight
    [ "$(cat unpacked/sparsight-*.data/data/share/man/man1/sparsight.1)" = page ]
    # A package without surrounding sources says what it needs.
    mv checkout/python alone
    run offline "$(python3 -c 'import sys; print(sys.executable)')" wheel --no-build-isolation --wheel-dir wheels ./alone
    [ "$status" -ne 0 ]
    [[ $output == *"has no sources of the program"* ]]
}

@test "if a build tool is missing or fails, the error names it and the remedy" {
    need_python hatchling pip
    mkdir checkout bin
    cp -r "$SRCDIR/python" checkout/
    touch checkout/configure.ac
    ln -s "$(type -P sh)" bin/sh
    try() {
        PATH=$PWD/bin run offline "$(PATH=$path python3 -c 'import sys; print(sys.executable)')" wheel --no-build-isolation --wheel-dir wheels ./checkout/python
        [ "$status" -ne 0 ]
    }
    path=$PATH
    ln -s "$(type -P env)" bin/env
    try
    [[ $output == *"cannot be built in $PWD/checkout: autoreconf is not found: install it (on Debian: apt-get install autoconf automake pkg-config); or"* ]]
    # configure reports what it lacks; make is needed after it.
    printf '#!/bin/sh\necho "zlib is needed" >&2\nexit 1\n' >checkout/configure
    chmod +x checkout/configure
    try
    [[ $output == *"zlib is needed"*"configure failed with status 1: correct what its messages say (on Debian: apt-get install build-essential "* ]]
    printf '#!/bin/sh\n' >checkout/configure
    try
    [[ $output == *"make is not found: install it (on Debian: apt-get install make)"* ]]
}

@test "the wheel has the licences of its libraries, and the sources can build it" {
    need_python hatchling pip
    need make
    mkdir -p program/licences checkout
    printf 'libone.so.1 one\n' >program/licences/list
    echo 'may be copied' >program/licences/one
    wheel one
    python3 -m zipfile -e one/*.whl unpacked
    [ "$(cat unpacked/sparsight-*.dist-info/licenses/libraries/one)" = 'may be copied' ]
    grep -q 'dist-info/licenses/libraries/list,sha256=' unpacked/sparsight-*.dist-info/RECORD
    # The source distribution is built like the checkout. Its files may have any times.
    cp -r "$SRCDIR/python" checkout/
    touch checkout/configure.ac
    cat >checkout/configure <<'END'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
printf 'distdir:\n\tmkdir sources && cp %s/configure %s/configure.ac sources/\n' "$here" "$here" >Makefile
printf 'python-program:\n\tmkdir -p python/program/bin && echo %s >python/program/bin/sparsight && chmod +x python/program/bin/sparsight\n' "$here" >>Makefile
[ "$here/configure" -nt "$here/configure.ac" ] || [ ! "$here/configure.ac" -nt "$here/configure" ]
END
    chmod +x checkout/configure
    (cd checkout/python && python3 -c 'import hatchling.build, importlib.util; hatchling.build.build_sdist("../../source")')
    tar -xzf source/sparsight-*.tar.gz
    cmp sparsight-*/sources/configure checkout/configure
    cmp sparsight-*/COPYING "$SRCDIR/COPYING"
    touch -d '2030-01-01' sparsight-*/sources/configure.ac
    rm -r checkout
    offline "$(python3 -c 'import sys; print(sys.executable)')" wheel --no-build-isolation --wheel-dir built ./sparsight-*/
    python3 -m zipfile -e built/*.whl again
    grep -q '/sources$' again/sparsight/bin/sparsight
}

@test "pip installs the wheel in a fresh environment, where its command and its module run its program" {
    need_python venv ensurepip hatchling numpy
    cp "$BATS_FILE_TMPDIR"/*.whl . || wheel .
    mkdir -p program/bin
    cp "$SPARSIGHT" program/bin/
    cp "$SRCDIR/data/pmpp.mtx" .
    python3 -m venv --without-pip environment
    # The packages of this interpreter, which may itself belong to an environment.
    python3 -c 'import numpy, pathlib; print(pathlib.Path(numpy.__file__).parent.parent)' >folder
    cp folder "$(echo environment/lib/python3*/site-packages)/outer.pth"
    offline "$(python3 -c 'import sys; print(sys.executable)')" --python environment/bin/python install ./*.whl
    unset SPARSIGHT
    PATH=$PWD/environment/bin:/usr/bin:/bin environment/bin/sparsight report pmpp.mtx >out
    grep -q 'Entries  *7$' out
    environment/bin/python -c '
import sparsight
assert sparsight.program().endswith("environment/lib/python3." + sparsight.program().split("python3.")[1]), sparsight.program()
assert "environment" in sparsight.program() and "site-packages/sparsight/bin" in sparsight.program(), sparsight.program()
assert sparsight.report("pmpp.mtx").matrices[0]["nnz"] == 7'
    # A module without the program reports that, and its command does not find itself.
    rm -r environment/lib/python3*/site-packages/sparsight/bin
    PATH=$PWD/environment/bin run environment/bin/sparsight --version
    [ "$status" -eq 1 ]
    [[ $output == "sparsight: the program sparsight is not found: install it, or name it in"* ]]
    SPARSIGHT=$PWD/program/bin/sparsight environment/bin/sparsight --version | grep -q '^sparsight '
}

@test "an editable install runs the module of the sources" {
    need_python venv pip hatchling numpy
    cp -r "$SRCDIR/python" package
    python3 -m venv --without-pip environment
    python3 -c 'import numpy, pathlib; print(pathlib.Path(numpy.__file__).parent.parent)' >"$(echo environment/lib/python3*/site-packages)/outer.pth"
    offline "$(python3 -c 'import sys; print(sys.executable)')" --python environment/bin/python install --no-build-isolation --editable ./package
    echo 'changed = 1' >>package/sparsight/__init__.py
    environment/bin/python -c '
import sparsight
assert sparsight.changed == 1 and "package" in sparsight.__file__, sparsight.__file__
assert sparsight.report("gen:laplace2d,n=4").matrices[0]["rows"] == 16'
    # In a checkout it runs the program of the build folder.
    touch configure.ac
    mkdir -p build
    cp "$SPARSIGHT" build/
    unset SPARSIGHT
    [ "$(environment/bin/python -c 'import sparsight; print(sparsight.program())')" = "$PWD/build/sparsight" ]
}

@test "reports on SciPy's matrices have the numbers of SciPy" {
    need_python numpy scipy
    cat >try.py <<'END'
import numpy, scipy.sparse, sparsight, sys, warnings
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
        # dia stores whole diagonals, whose zeros are no entries.
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
document = sparsight.report("gen:laplace2d,n=5", kernels=["csr-seq", "ell-seq"], repeat=2, limit="8M", reorder="rcm")
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
    module try.py
}

@test "the file that transfers a matrix is one of SciPy's, with right checksums" {
    need_python numpy scipy
    cat >try.py <<'END'
import numpy, scipy.sparse, zipfile
from sparsight import _handover
random = scipy.sparse.random(50, 40, 0.1, format="csr", random_state=3)
matrices = [random.asformat(kind) for kind in ("csr", "csc", "coo", "dia")] + [random.tobsr((5, 4)), random[:, :0], random * 0, random[::2, ::-1]]
wide = scipy.sparse.csr_matrix(random, dtype=numpy.complex64)
wide.indices, wide.indptr = wide.indices.astype(numpy.int64), wide.indptr.astype(numpy.int64)
for matrix in [*matrices, wide]:
    with _handover.operand(matrix) as (file, word):
        assert word == "-" and zipfile.ZipFile(file).testzip() is None
        file.seek(0)
        back = scipy.sparse.load_npz(file)
    assert back.format == matrix.format and back.shape == matrix.shape and back.dtype == matrix.dtype
    assert (back != matrix).nnz == 0
# Arrays that are not contiguous, and arrays of the other byte order.
data = numpy.arange(20.0)[::2]
strided = scipy.sparse.coo_matrix((data, (numpy.arange(20)[::2], numpy.arange(20)[::2])), shape=(20, 20))
with _handover.operand(strided) as (file, word):
    assert (scipy.sparse.load_npz(file) != strided).nnz == 0
END
    module try.py
}

@test "masked elements are no entries" {
    need_python numpy scipy
    cat >try.py <<'END'
import numpy, scipy.sparse, sparsight
D = numpy.array([[4, 2, 0, 7], [0, 3, 5, 1], [9, 0, 0, 8]], dtype=float)
mask = numpy.array([[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=bool)
kept = numpy.where(mask, 0, D)
def values(matrix):
    m = sparsight.report(matrix).matrices[0]
    return m["nnz"], m["values"]["norm_frobenius"], m["row_lengths"]["max"], m["structure"]["lower_bandwidth"], m["structure"]["upper_bandwidth"]
expected = values(kept)
assert expected[0] == 5
assert values(numpy.ma.MaskedArray(D, mask)) == expected
# Without a masked element, or without a mask, everything stays.
assert values(numpy.ma.MaskedArray(D, False)) == values(D) == values(numpy.ma.MaskedArray(D, numpy.zeros_like(mask)))
for kind in ("csr", "csc", "coo", "dia"):
    A = scipy.sparse.csr_matrix(D).asformat(kind)
    if kind == "dia":
        hidden = numpy.zeros(A.data.shape, dtype=bool)
        for k, offset in enumerate(A.offsets):
            for j in range(A.data.shape[1]):
                if 0 <= j - offset < 3 and j < 4:
                    hidden[k, j] = mask[j - offset, j]
    else:
        C = A.tocoo()
        hidden = mask[C.row, C.col]
    A.data = numpy.ma.MaskedArray(A.data, hidden)
    assert values(A) == expected, (kind, values(A), expected)
B = scipy.sparse.bsr_matrix(D[:2], blocksize=(2, 2))
B.data = numpy.ma.MaskedArray(B.data, numpy.array([mask[:2, 2 * j : 2 * j + 2] for j in B.indices]))
got = sparsight.report(B, drop_zeros=True).matrices[0]
assert (got["nnz"], got["values"]["norm_frobenius"]) == (4, numpy.sqrt((kept[:2] ** 2).sum()))
# Matrices whose positions without entries have a value cannot be transferred.
class Filled:
    fill_value, shape, format = 1.5, (2, 2), "coo"
for wrong, word in ((Filled(), "1.5"), (numpy.zeros((2, 2), dtype=object), "object"), (numpy.array([["a"]]), "numbers")):
    try:
        sparsight.report(wrong)
    except TypeError as error:
        assert word in str(error), error
    else:
        raise SystemExit(f"{wrong} is no matrix")
END
    module try.py
}

@test "a report has the given name, and a brief description of itself" {
    need_python numpy
    cat >try.py <<'END'
import numpy, sparsight
A = numpy.eye(3)
for name, expected in ((None, "matrix"), ("stiffness", "stiffness"), ("a/b: \u00e9", "a/b: \u00e9")):
    m = sparsight.report(A, name=name).matrices[0]
    assert (m["name"], m["path"]) == (expected, expected), m
assert sparsight.report("gen:laplace2d,n=2").matrices[0]["name"] == "laplace2d,n=2"
assert repr(sparsight.report(A, name="eye")) == "<sparsight.Report of eye (3 x 3, 3 entries)>"
assert b"eye" in sparsight.plot(A, name="eye", format="svg")
try:
    sparsight.report(A, name="")
except sparsight.Error as error:
    assert "--name needs a name" in str(error), error
else:
    raise SystemExit("an empty name is no name")
END
    module try.py
}

@test "the picture of a report shows the entries, and its page for notebooks is escaped" {
    need_python numpy scipy
    cat >try.py <<'END'
import html.parser, numpy, scipy.sparse, sparsight, struct, zlib
from sparsight import _report

def pixels(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">L4s", png[at : at + 8])
        body, crc = png[at + 8 : at + 8 + length], struct.unpack(">L", png[at + 8 + length : at + 12 + length])[0]
        assert crc == zlib.crc32(kind + body)
        if kind == b"IHDR":
            wide, high, *rest = struct.unpack(">LLBBBBB", body)
            assert rest == [8, 2, 0, 0, 0]
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    lines = numpy.frombuffer(zlib.decompress(data), dtype=numpy.uint8).reshape(high, 1 + 3 * wide)
    return lines[:, 1:].reshape(high, wide, 3)

for rows, cols, density in ((1, 1, 1), (4, 7, 0.4), (30, 20, 0.1), (1500, 900, 0.002), (3000, 5000, 0.01)):
    A = scipy.sparse.random(rows, cols, density, format="csr", random_state=5)
    m = sparsight.report(A).matrices[0]
    pattern, C = m["carried"]["pattern"], A.tocoo()
    counts = _report.pattern_counts(m)
    plain = numpy.zeros_like(counts)
    numpy.add.at(plain, (C.row // pattern["row_step"], C.col // pattern["col_step"]), 1)
    assert counts.shape == (-(-rows // pattern["row_step"]), -(-cols // pattern["col_step"])) and (counts == plain).all()
    image = pixels(_report.pattern_png(m))[1:-1, 1:-1]
    steps = -(-max(counts.shape) // 400)
    dots = numpy.array([[plain[i : i + steps, j : j + steps].sum() for j in range(0, plain.shape[1], steps)] for i in range(0, plain.shape[0], steps)])
    times = image.shape[0] // dots.shape[0]
    assert image.shape == (times * dots.shape[0], times * dots.shape[1], 3)
    dark = (image[::times, ::times] < 255).any(axis=2)
    assert (dark == (dots > 0)).all()
empty = sparsight.report(scipy.sparse.csr_matrix((3, 0)))
assert empty._repr_png_() is None and "3 &times; 0, 0 entries" in empty._repr_html_()
bare = sparsight.report(A, carry=0)
assert bare._repr_png_() is None and "<img" not in bare._repr_html_()

class Balance(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag != "img":
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag
    def handle_data(self, data):
        self.text += data

r = sparsight.report(A, name="<b>&", kernels="csr-*", repeat=2, limit="8M")
page = Balance()
page.feed(r._repr_html_())
assert not page.open and page.tags.count("table") == 1 and page.tags.count("img") == 1 and "b" not in page.tags
assert "<b>&: 3000 \u00d7 5000" in page.text and r.matrices[0]["advice"]["f64"]["cpu"]["verdict"] in page.text
fastest = min((k for k in r.matrices[0]["kernels"] if k["median_us"]), key=lambda k: k["median_us"])
table = page.text[page.text.index("GFLOP/s") :]
assert 0 <= table.index(fastest["kernel"]) < table.index("cuda/csr")
assert pixels(r._repr_png_()).shape[2] == 3
END
    SPARSIGHT_PROCESSOR=assumed module try.py
}

@test "reports and tables are data frames of pandas" {
    need_python numpy pandas
    cat >try.py <<'END'
import sparsight
r = sparsight.report("gen:laplace2d,n=9", kernels="cpu/csr-*", repeat=2, limit="8M", reorder="rcm")
frame = r.to_dataframe()
rows = [k for m in r.matrices for k in m["kernels"]]
assert list(frame["kernel"]) == [k["kernel"] for k in rows] and set(frame["order"]) == {"natural", "rcm"}
assert list(frame["median_us"].dropna()) == [k["median_us"] for k in rows if k["median_us"] is not None]
formats = r.to_dataframe("formats")
assert len(formats) == sum(len(m["formats"]) for m in r.matrices) and "criteria.space" in formats
assert list(formats["params"])[: 1] == ["order=row,seed=1"]
matrices = r.to_dataframe("matrices")
assert list(matrices["row_lengths.max"]) == [5, 5] and list(matrices["order.name"]) == ["natural", "rcm"]
assert len(sparsight.report("gen:laplace2d,n=9").to_dataframe()) == len(r.matrices[0]["formats"])
for wrong, call in (("nonsense", r.to_dataframe), ("nonsense", sparsight.kernels().to_dataframe)):
    try:
        call(wrong)
    except ValueError as error:
        assert "'nonsense'" in str(error), error
    else:
        raise SystemExit("no such table")
END
    module try.py
}

@test "matrices are made, converted, surveyed and compared" {
    need_python numpy scipy
    cat >try.py <<'END'
import json, numpy, os, scipy.sparse, sparsight, warnings
warnings.simplefilter("error")
G = sparsight.gen("laplace2d", n=4)
one = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(4, 4))
assert (G != scipy.sparse.kronsum(one, one)).nnz == 0
assert (sparsight.gen("laplace2d,n=4") != G).nnz == 0 and sparsight.gen("laplace2d", nx=2, ny=3).shape == (6, 6)
assert sparsight.gen("laplace2d", "grid.mtx", n=4) is None and (sparsight.convert("grid.mtx") != G).nnz == 0
A = scipy.sparse.random(30, 20, 0.2, format="csc", random_state=1)
assert (sparsight.convert(A) != A).nnz == 0 and (sparsight.convert(A, transpose=True) != A.T).nnz == 0
sparsight.convert(A, "a.mat")
assert (sparsight.convert("a.mat") != A).nnz == 0
for call, words in ((lambda: sparsight.gen("laplace9d"), "laplace9d"), (lambda: sparsight.convert("none.mtx"), "none.mtx"), (lambda: sparsight.convert(A, "a.nonsense"), "a.nonsense")):
    try:
        call()
    except sparsight.Error as error:
        assert words in str(error), error
    else:
        raise SystemExit(words)
tables = sparsight.survey({"first": G, "a/b": A}, "out.jsonl", kernels="cpu/csr-*", repeat=2, limit="8M")
with open("out.jsonl") as file:
    lines = [json.loads(line) for line in file]
assert [line["name"] for line in lines if "nnz" in line] == ["first", "a_b"], [line.get("name") for line in lines]
assert {row["kernel"] for row in tables["kernels"]} >= {"cpu/csr-seq", "cpu/csr-omp"}
assert all(row["matrices"] == 2 for row in tables["kernels"])
assert [(row["name"], row["nnz"]) for row in tables["matrices"]] == [("first", G.nnz), ("a_b", A.nnz)]
# Names that are equal as file names are kept apart.
sparsight.survey({"a/b": G, "a_b": A}, "same.jsonl", kernels="cpu/csr-seq", repeat=2, limit="8M")
with open("same.jsonl") as file:
    lines = [json.loads(line) for line in file]
assert [(line["name"], line["rows"]) for line in lines if "nnz" in line] == [("a_b", 16), ("a_b 2", 30)]
# A file beside matrices in memory, twice under one name; then more of them.
tables = sparsight.survey(["grid.mtx", G, A], kernels="cpu/csr-seq", repeat=2, limit="8M")
assert tables["kernels"][0]["matrices"] == 3
# A file and a generated matrix have the names of a dict.
tables = sparsight.survey({"mine": "grid.mtx", "held": A, "made": "gen:laplace2d,n=3"})
assert [(row["name"], row["rows"]) for row in tables["matrices"]] == [("mine", 16), ("made", 9), ("held", 30)], tables["matrices"]
tables = sparsight.survey([("gen:laplace2d,n=3")], "out.jsonl", kernels="cpu/csr-*", repeat=2, limit="8M", resume=True)
assert tables["kernels"][0]["matrices"] == 3, tables["kernels"]
assert tables._repr_html_().count("<table>") == len(tables._names()) > 0
try:
    sparsight.survey([], "none.jsonl")
except sparsight.Error as error:
    assert "no matrix is given" in str(error), error
else:
    raise SystemExit("a survey of nothing")
r = sparsight.report(G, name="g", kernels="cpu/csr-*", repeat=2, limit="8M")
slow = json.loads(json.dumps(r))
# Exact times, 1 us and 10 us.
for document, time in ((r, 1.0), (slow, 10.0)):
    for kernel in document["matrices"][0]["kernels"]:
        if kernel["median_us"] is not None:
            kernel.update(time_us=time, median_us=time, low_us=time, high_us=time, min_us=time, mean_us=time, stddev_us=0.0)
r.save("saved.json")
same, slower = sparsight.compare(r, "saved.json"), sparsight.compare("saved.json", slow, names=["before", "after"])
assert not same.slower and {row["verdict"] for row in same["kernels"]} == {"tie"}
assert slower.slower and {row["other"] for row in slower["kernels"]} == {"after"}, slower["kernels"][0]
try:
    sparsight.compare(r, r, names=["one"])
except ValueError as error:
    assert "1 names for 2 reports" in str(error), error
else:
    raise SystemExit("a name for each report")
listed = sparsight.kernels()
assert {"cpu/csr-seq", "cuda/csr-vector"} <= {row["kernel"] for row in listed["kernels"]}
assert listed["formats"][0]["format"] == "coo" and "h200" in [row["gpu"] for row in listed["gpus"]]
END
    module try.py
}

@test "a survey has a table of its matrices, with and without kernels" {
    need_python numpy scipy pandas
    limited
    cat >try.py <<'END'
import json, numpy, scipy.sparse, sparsight, warnings
A, B = scipy.sparse.random(30, 20, 0.2, format="csr", random_state=1), scipy.sparse.eye(7)
plain = sparsight.survey({"a": A, "b": B}, "plain.jsonl", reorder="rcm")
frame = plain.to_dataframe()
# b is square: a has no symmetric order.
assert list(frame["name"])[0] == "a" and list(frame["name"])[-1] == "b" and set(frame["order.name"]) == {"natural", "rcm"}
assert set(frame[frame["name"] == "a"]["nnz"]) == {A.nnz} and set(frame[frame["name"] == "b"]["rows"]) == {7}
assert list(frame["row_lengths.max"])[0] == numpy.diff(A.indptr).max()
# The advice is that of the report, without its tables.
advice = sparsight.report("gen:laplace2d,n=9").matrices[0]["advice"]["f64"]["cpu"]
row = sparsight.survey("gen:laplace2d,n=9").to_dataframe().iloc[0]
assert row["advice.f64.cpu.kernel"] == advice["kernel"] and "advice.f64.cpu.by_products" not in row and "carried" not in row
page = plain._repr_html_()
assert page.index("<h4>matrices</h4>") < page.index("<h4>reports</h4>") and "Advised on processors" in page
# With kernels that were run, these are the first table.
timed = sparsight.survey([A, B], kernels="cpu/csr-*", repeat=2)
assert "matrices" in timed.to_dataframe() and list(timed.to_dataframe("matrices")["nnz"]) == [A.nnz, B.nnz]
# Failed matrices have a table of their own. The incomplete record of a killed survey does not count.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    failed = sparsight.survey(["none.mtx", B])
assert list(failed.to_dataframe()["nnz"]) == [7] and list(failed.to_dataframe("errors")["path"]) == ["none.mtx"]
from sparsight._report import surveyed
with open("plain.jsonl") as file:
    lines = file.readlines()
assert json.loads(lines[-1])["input"]["name"] and len(list(surveyed(lines))) == len(frame)
assert {row["name"] for row in surveyed(lines[:-1])} == {"a"}
END
    module try.py
}

@test "mypy --strict accepts the package, and a program that uses it" {
    need_python mypy numpy
    cat >user.py <<'END'
import sparsight

report = sparsight.report("a.mtx", name="a", kernels=["csr-*"])
rows: int = report.matrices[0]["rows"]
picture = sparsight.plot("a.mtx")
if picture is not None:
    size: int = len(picture)
slower: bool = sparsight.compare(report, "b.json").slower
reveal_type(report)
END
    # Before 1.4 mypy does not know this warning's name, and reports a comment that silences it as unused.
    old=$(module -c 'from mypy.version import __version__ as v; print("--no-warn-unused-ignores" if tuple(map(int, v.split(".")[:2])) < (1, 4) else "")')
    printf '%s\n' 'import sparsight' 'sparsight.report("a.mtx").nonsense' >wrong.py
    # All in one run, which keeps nothing: it reads the library's types, which takes longest.
    # shellcheck disable=SC2086 # an option or none
    MYPYPATH=$SRCDIR/python run module -m mypy --strict $old --cache-dir=/dev/null "$SRCDIR/python/sparsight" user.py wrong.py
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *'Revealed type is "sparsight._report.Report"'* ]]
    [ "$(grep -v ': note: ' <<<"$output" | grep -c ': error: ')" -eq 1 ]
    [[ $output == *'wrong.py:2: error: "Report" has no attribute "nonsense"'* ]]
}

@test "without the program the module says how to name it" {
    need_python numpy
    run env SPARSIGHT=/nowhere/sparsight PYTHONPATH="$SRCDIR/python" python3 -c 'import sparsight; sparsight.report("a.mtx")'
    [ "$status" -ne 0 ]
    [[ $output == *"SPARSIGHT names the program /nowhere/sparsight, which does not exist"* ]]
}

# A program that reads its input, reports its process number, shows progress on a terminal, and waits for SIGINT.
write_waiting() {
    cat >waiting <<'END'
#!/bin/sh
trap 'echo ended >ended; exit 130' INT
cat >input
[ ! -t 2 ] || printf '\r\033[Kdemo: reading 40%%' >&2
echo $$ >pid.part && mv pid.part pid
while :; do sleep 0.05; done
END
    chmod +x waiting
}

@test "an interrupted report ends the program, and its traceback is the caller's" {
    need_python numpy
    write_waiting
    cat >try.py <<'END'
import numpy, os, signal, sparsight, sys, threading, time, traceback
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins with SIGINT ignored
shown = threading.Event()
class Terminal:
    def write(self, text):
        sys.__stderr__.write(text)
        if "reading" in text:
            shown.set()
    def flush(self):
        sys.__stderr__.flush()
    def isatty(self):
        return False
sys.stderr = Terminal()
def interrupt(progress):
    while not os.path.exists("pid"):
        time.sleep(0.01)
    if progress:
        shown.wait(60)
    os.kill(os.getpid(), signal.SIGINT)
for progress in (False, True):
    threading.Thread(target=interrupt, args=(progress,)).start()
    try:
        sparsight.report(numpy.eye(3), progress=progress)
    except KeyboardInterrupt as error:
        files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
        assert error.__context__ is None or error.__suppress_context__
        assert len(files) <= 2 and files[0] == __file__, files
    else:
        raise SystemExit("not interrupted")
    pid = int(open("pid").read())
    try:
        os.kill(pid, 0)
        raise SystemExit("the program goes on")
    except ProcessLookupError:
        pass
    assert os.path.exists("ended"), "the program had no time to end"
    os.remove("pid")
    os.remove("ended")
END
    SPARSIGHT=$PWD/waiting module try.py 2>err
    # The progress line was on this process's standard error, and was erased.
    grep -q 'demo: reading 40%' err
    [[ $(tr '\r' '\n' <err | tail -n 1) == $'\033[K' ]]
}

@test "progress is shown in a notebook, messages are not, and both end" {
    need_python numpy
    cat >program <<'END'
#!/bin/sh
if [ -t 2 ]; then printf '\r\033[Kdemo: reading 40%%\r\033[Kdemo: reading 70%%\r\033[K' >&2; fi
echo 'sparsight: a note' >&2
printf '{"matrices": [{"name": "demo", "rows": 1, "cols": 1, "nnz": 1}]}'
END
    chmod +x program
    cat >try.py <<'END'
import sys, types, warnings, sparsight
shown = []
class Handle:
    def update(self, data, raw):
        shown.append(data["text/plain"])
def display(data, raw, display_id):
    shown.append(data["text/plain"])
    return Handle()
class Shell:
    kernel = True
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=Shell)
sys.modules["IPython.display"] = types.SimpleNamespace(display=display)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert sparsight.report("demo").matrices[0]["nnz"] == 1
assert [str(w.message) for w in caught] == ["sparsight: a note"], caught
assert caught[0].filename == __file__, caught[0].filename
# Both may come in one piece, and then the latest is shown, or in several.
assert shown[-1:] in ([""], []) and set(shown) <= {"demo: reading 40%", "demo: reading 70%", ""}, shown
shown.clear()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    sparsight.report("demo", progress=False)
assert not shown
# A container without pseudoterminals has no progress.
import pty
there = pty.openpty
def none_left():
    raise OSError("out of pty devices")
pty.openpty = none_left
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    assert sparsight.report("demo").matrices[0]["nnz"] == 1
assert not shown
pty.openpty = there
from sparsight import _program
said = b"one\n\r\x1b[Kdemo: reading 40%\r\x1b[Ktwo\nthree\n\r\x1b[Kdemo: timing"
assert _program._split(said) == ("one\ntwo\nthree\n", "demo: timing")
assert _program._split(said + b"\r\x1b[K")[1] == ""
END
    SPARSIGHT=$PWD/program module try.py
}

@test "a notebook shows a report, its picture and a table" {
    need_python numpy nbconvert ipykernel nbformat
    cat >make.py <<'END'
import nbformat
new = nbformat.v4
cells = ["import numpy, sparsight\nsparsight.report(numpy.eye(20), name='eye')", "sparsight.plot(numpy.eye(20), format='svg')", "sparsight.kernels()"]
nbformat.write(new.new_notebook(cells=[new.new_code_cell(cell) for cell in cells]), "in.ipynb")
END
    python3 make.py
    export JUPYTER_PLATFORM_DIRS=1 JUPYTER_CONFIG_DIR=$PWD/jupyter JUPYTER_DATA_DIR=$PWD/jupyter-data JUPYTER_RUNTIME_DIR=$PWD/jupyter-run IPYTHONDIR=$PWD/ipython
    python3 -m ipykernel install --prefix "$PWD/kernel" --name python3 >/dev/null
    JUPYTER_PATH=$PWD/kernel/share/jupyter PYTHONPATH=$SRCDIR/python python3 -m nbconvert --to notebook --execute --output out.ipynb in.ipynb 2>err || { cat err; return 1; }
    cat >check.py <<'END'
import base64, nbformat
cells = nbformat.read("out.ipynb", 4).cells
results = [next(o for o in cell.outputs if o.output_type == "execute_result").data for cell in cells]
assert base64.b64decode(results[0]["image/png"])[:4] == b"\x89PNG"
assert "<img" in results[0]["text/html"] and "eye: 20 &times; 20, 20 entries" in results[0]["text/html"]
assert results[0]["text/plain"] == "<sparsight.Report of eye (20 x 20, 20 entries)>"
assert "<svg" in results[1]["image/svg+xml"]
assert "cpu/csr-seq" in results[2]["text/html"]
END
    python3 check.py
}

@test "a picture equals that of the command plot" {
    need_python numpy
    "$SPARSIGHT" --help | grep -q 'sparsight plot' || skip "this build has no command plot"
    module -c '
import numpy, sparsight
A = numpy.eye(20)
sparsight.plot(A, "eye.svg")
assert open("eye.svg", "rb").read() == sparsight.plot(A, format="svg")
try:
    sparsight.plot(A, "eye.png")
except sparsight.Error as error: # a build without cairo, which says what is missing
    assert "libcairo2-dev" in str(error), error
else:
    assert open("eye.png", "rb").read(8) == b"\x89PNG\r\n\x1a\n"
    assert sparsight.plot(A)[:8] == b"\x89PNG\r\n\x1a\n"'
}

@test "the explorer opens a matrix of numpy's and leaves it again" {
    need_python numpy
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
    printf '#!/bin/sh\nSPARSIGHT=%q PYTHONPATH=%q exec %q explore.py\n' "$program" "$SRCDIR/python" "$python" >through
    chmod +x through
    SPARSIGHT=$PWD/through
    screen 100x30
    wait_for '37 .*23'
    keys q
    wait_for '^left'
    ended_with 0
}
