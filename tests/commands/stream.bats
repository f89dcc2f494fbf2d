#!/usr/bin/env bats
# Matrices that exceed the limit: numbers from one pass over their entries.

setup() {
    load ../support/helper
    cd "$BATS_TEST_TMPDIR"
}

# All numbers of a matrix that need at most the entries of an excerpt, which has all of those of a small matrix.
found() {
    jq -S '.matrices[0] | {rows, cols, stored, nnz, explicit_zeros, duplicates, density, row_lengths, col_lengths, values,
        structure: (.structure | {lower_bandwidth, upper_bandwidth, profile, diagonal_nonzeros, diagonals, empty_rows,
        empty_cols}), formats: [.formats[] | {format, params, bytes, bytes_error, slots, integers, criteria}]}' "$@"
}

@test "a stream gives the numbers of the matrix in memory, with any number of threads" {
    "$SPARSIGHT" report --format=json --precision=f64,f32 gen:stencil27,n=24 >memory.json
    for threads in 1 2 5; do
        "$SPARSIGHT" report --stream --threads=$threads --format=json --precision=f64,f32 gen:stencil27,n=24 >stream.json
        diff <(found memory.json) <(found stream.json)
    done
    jq -e '[.matrices[0].formats[] | select(.format == "bsr" and .bytes > 0 and .criteria.flexibility > 0)] | length == 2' stream.json
}

@test "streams of real matrices give the same numbers" {
    local matrices=${SPARSIGHT_MATRICES:-$SRCDIR/../shared/matrices}
    [ -d "$matrices" ] || skip "no real matrices"
    for name in bcsstk13.mtx.gz bayer10.mtx.gz FIT2D_A.mtx.gz 1138_bus.tar.gz helmholtz_2D_A.mtx.gz; do
        "$SPARSIGHT" report --limit=8G --format=json "$matrices/$name" >memory.json
        "$SPARSIGHT" report --limit=8G --stream --format=json "$matrices/$name" >stream.json
        diff <(found memory.json) <(found stream.json)
    done
}

@test "other file formats stream, and so does standard input" {
    "$SPARSIGHT" gen gen:random,m=300,n=300,mean=6 -o a.mtx
    "$SPARSIGHT" report --format=json a.mtx | found - >expected
    for ending in npz mat rb; do
        "$SPARSIGHT" convert a.mtx a.$ending
        "$SPARSIGHT" report --stream --format=json a.$ending | found - | diff expected -
    done
    "$SPARSIGHT" report --stream --format=json - <a.mtx | found - | diff expected -
    gzip -k a.mtx
    "$SPARSIGHT" report --stream --format=json a.mtx.gz | found - | diff expected -
}

# Compress the variables of a MATLAB file, as MATLAB does.
compressed() {
    "$PYTHON" - "$1" "$2" "${3:-6}" <<'EOP'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
out, at = data[:128], 128
while at < len(data):
    size = struct.unpack_from("<I", data, at + 4)[0]
    packed = zlib.compress(data[at : at + 8 + size], int(sys.argv[3]))
    out += struct.pack("<II", 15, len(packed)) + packed
    at += 8 + (size + 7) // 8 * 8
open(sys.argv[2], "wb").write(out)
EOP
}

@test "compressed variables of MATLAB files are inflated where they are read" {
    for level in 1 6; do
        "$SPARSIGHT" gen gen:random,m=9000,n=7000,mean=60,spread=50 -o a.mat
        compressed a.mat b.mat $level
        "$SPARSIGHT" report --only=matrix,structure,values,lengths,formats --format=json b.mat | found - >expected
        for threads in 1 4; do
            "$SPARSIGHT" report --stream --threads=$threads --only=matrix,structure,values,lengths,formats --format=json b.mat | found - >given
            diff expected given
        done
    done
    "$SPARSIGHT" gen gen:random,m=30000,n=30000,mean=120 -o a.mat
    compressed a.mat b.mat
    "$SPARSIGHT" report --limit=40M --only=matrix,structure,lengths --format=json b.mat >out
    jq -e '.matrices[0].nnz == 3600000' out
    "$SPARSIGHT" report --limit=40M --only=matrix b.mat | grep -q "read as a stream"
}

# fail_alike COUNT FIRST: cut or change b.mat at COUNT places from byte FIRST on. Each of these files fails with the same error, or not at all,
# streamed or not.
fail_alike() {
    local k kept streamed
    for k in $(seq 0 $(($1 - 1))); do
        "$PYTHON" -c "
data = bytearray(open('b.mat', 'rb').read())
at = $2 + $k * (len(data) - $2) // $1
open('c.mat', 'wb').write(data[:at] if $k % 3 == 0 else data[:at] + bytes([data[at] ^ 85]) + data[at + 1:])"
        kept=0 streamed=0
        "$SPARSIGHT" report --only=matrix,structure c.mat >memory 2>expected || kept=$?
        "$SPARSIGHT" report --stream --only=matrix,structure c.mat >stream 2>given || streamed=$?
        echo "$k: $kept $(<expected); $streamed $(<given)"
        [ "$streamed" -eq "$kept" ]
        [ "$kept" -eq 0 ] || diff expected given
    done
}

@test "damaged variables of MATLAB files fail alike, streamed or not" {
    "$SPARSIGHT" gen gen:random,m=400,n=300,mean=9 -o a.mat
    compressed a.mat b.mat
    fail_alike 41 128
}

# chunked OUT N LENGTH CHUNK: write a MATLAB file of version 7.3 by the HDF5 of this build, with N columns of LENGTH entries each, in
# deflated chunks of CHUNK elements.
chunked() {
    local library
    library=$(sed -n 's/^#define HDF5_FILE "\(.*\)"/\1/p' "$BUILDDIR/config.h")
    [ -n "$library" ] || skip "built without HDF5"
    "$PYTHON" - "${SPARSIGHT_HDF5:-$library}" "$@" <<'EOP'
import array, ctypes, struct, sys
h, hid = ctypes.CDLL(sys.argv[1]), ctypes.c_int64
for name in "H5Pcreate H5Fcreate H5Gcreate2 H5Screate_simple H5Screate H5Dcreate2 H5Acreate2".split():
    getattr(h, name).restype = hid
h.H5open()
at = lambda name: hid.in_dll(h, name)
path, (n, length, chunk) = sys.argv[2], map(int, sys.argv[3:])
creation = h.H5Pcreate(at("H5P_CLS_FILE_CREATE_ID_g"))
h.H5Pset_userblock(hid(creation), ctypes.c_uint64(512))
file = h.H5Fcreate(path.encode(), 2, hid(creation), hid(0))
group = h.H5Gcreate2(hid(file), b"A", hid(0), hid(0), hid(0))
one = h.H5Screate(0)
rows = h.H5Acreate2(hid(group), b"MATLAB_sparse", at("H5T_STD_U64LE_g"), hid(one), hid(0), hid(0))
h.H5Awrite(hid(rows), at("H5T_NATIVE_UINT64_g"), ctypes.byref(ctypes.c_uint64(n)))

def dataset(name, data, stored, native):
    count = len(data)
    space = h.H5Screate_simple(1, (ctypes.c_uint64 * 1)(count), None)
    chunks = h.H5Pcreate(at("H5P_CLS_DATASET_CREATE_ID_g"))
    h.H5Pset_chunk(hid(chunks), 1, (ctypes.c_uint64 * 1)(min(chunk, count)))
    h.H5Pset_deflate(hid(chunks), 1)
    made = h.H5Dcreate2(hid(group), name, at(stored), hid(space), hid(0), hid(chunks), hid(0))
    held = (ctypes.c_char * (count * data.itemsize)).from_buffer(data)
    assert h.H5Dwrite(hid(made), at(native), hid(0), hid(0), hid(0), held) == 0
    h.H5Dclose(hid(made))

of = lambda j: sorted((k * (k + j % 7 + 1) * 31 + j * 17) % n for k in range(length))
columns = [sorted(set(of(j))) for j in range(n)]
starts = array.array("Q", [0])
for column in columns:
    starts.append(starts[-1] + len(column))
dataset(b"data", array.array("d", ((i * 7 + j) % 1000 / 8 for j in range(n) for i in columns[j])), "H5T_IEEE_F64LE_g", "H5T_NATIVE_DOUBLE_g")
dataset(b"ir", array.array("Q", (i for column in columns for i in column)), "H5T_STD_U64LE_g", "H5T_NATIVE_UINT64_g")
dataset(b"jc", starts, "H5T_STD_U64LE_g", "H5T_NATIVE_UINT64_g")
h.H5Fclose(hid(file))
h.H5close()
with open(path, "r+b") as out:
    out.write(b"MATLAB 7.3 MAT-file".ljust(124) + struct.pack("<H", 0x0200) + b"IM")
EOP
}

@test "compressed MATLAB files of version 7.3 are unpacked into a temporary file, chunk by chunk" {
    local chunk threads
    # Several chunks a dataset; a last slab of one element; a single chunk.
    for chunk in 5000 131072 1000000; do
        chunked b.mat 9000 30 $chunk
        "$SPARSIGHT" report --only=matrix,structure,values,lengths,formats --format=json b.mat | found - >expected
        for threads in 1 4; do
            "$SPARSIGHT" report --stream --threads=$threads --only=matrix,structure,values,lengths,formats --format=json b.mat | found - >given
            diff expected given
        done
    done
    # Some 18 MiB of row indices and as many of values: neither CSR nor both lists fit into the limit.
    chunked b.mat 20000 120 20000
    "$SPARSIGHT" report --threads=1 --limit=24M --only=matrix,structure,lengths --format=json b.mat >out
    jq -e '.matrices[0].nnz > 2200000' out
    "$SPARSIGHT" report --threads=1 --limit=24M --only=matrix b.mat | grep -q "read as a stream"
    # The file is in TMPDIR, and nothing is left of it. Without that folder, the lists need memory.
    mkdir temporary
    TMPDIR=$PWD/temporary "$SPARSIGHT" report --threads=1 --limit=24M --only=matrix b.mat >out
    [ -z "$(ls temporary)" ]
    status=0
    TMPDIR=$PWD/absent "$SPARSIGHT" report --threads=1 --limit=24M --only=matrix b.mat >out 2>err || status=$?
    [ "$status" -eq 1 ]
    grep -q 'an unpacked dataset needs .* more than the limit of 24.0 MiB' err
}

@test "damaged MATLAB files of version 7.3 fail alike, streamed or not" {
    chunked b.mat 900 300 20000
    fail_alike 21 600
}

@test "a MATLAB file of version 7.3 that declares more elements than its chunks have does not fill the disk" {
    # jc has space for 1,001 elements, and declares 2^24 more of them.
    chunked b.mat 1000 3 100
    "$PYTHON" -c "
data = open('b.mat', 'rb').read()
size = (1001).to_bytes(8, 'little')
assert data.count(size) >= 1
open('b.mat', 'wb').write(data.replace(size, (1001 + (1 << 24)).to_bytes(8, 'little')))"
    local limit
    for limit in --stream ""; do
        status=0
        timeout 100 "$SPARSIGHT" report $limit --limit=50M --only=matrix b.mat >out 2>err || status=$?
        cat err
        [ "$status" -eq 1 ]
        grep -q 'dataset jc declares 16778217 elements, but has chunks for only 1100; the file is damaged' err
    done
}

@test "an edge list is parsed twice instead of being kept" {
    printf '# a list\n0 1\n1 2\n2 0\n2 1\n' >list.txt
    "$SPARSIGHT" report --stream --format=json list.txt >out
    [ "$(jq -c '.matrices[0] | [.rows, .nnz, .row_lengths.max, .duplicates]' out)" = '[3,4,2,0]' ]
    printf 'a b\nb c\nc a\nc b\n' >words.txt
    "$SPARSIGHT" report --stream --names --from=edges --format=json words.txt >out
    [ "$(jq -c '.matrices[0] | [.rows, .nnz, .row_lengths.max]' out)" = '[3,4,2]' ]
}

@test "the limit decides about streaming, and the report says so" {
    "$SPARSIGHT" report --limit=64M gen:stencil27,n=64 >out 2>err
    grep -q "read as a stream" out
    grep -q "the limit is 64" out
    "$SPARSIGHT" report --limit=64M --kernels=cpu/csr-seq --reorder=rcm gen:stencil27,n=64 >out
    grep -q "Not available without entries: kernels, other orders" out
    run "$SPARSIGHT" convert --limit=64M gen:stencil27,n=64 out.mtx
    [ "$status" -eq 1 ]
    [[ "$output" == *"more than the limit"* ]]
}

@test "the symmetry of a general matrix is told exactly by sums, and estimated by a sample" {
    "$SPARSIGHT" report --stream --only=matrix,structure,values --format=json gen:laplace2d,n=200 >out
    jq -ce '.matrices[0] | [.structure.pattern_symmetry, .structure.numeric_symmetry, .structure.symmetry_error, .values.definite_candidate] == [1, 1, null, true]' out
    "$SPARSIGHT" report --stream gen:laplace2d,n=200 >out
    grep -q "The symmetry was found by sums of random numbers" out
    "$SPARSIGHT" report --only=matrix,structure,values --format=json gen:mosaic,n=20000,seed=3 >memory.json
    "$SPARSIGHT" report --stream --only=matrix,structure,values --format=json gen:mosaic,n=20000,seed=3 >stream.json
    jq -es '[.[].matrices[0].structure] | .[1].symmetry_error as $e | $e > 0 and $e < 0.01 and
        (.[0].pattern_symmetry - .[1].pattern_symmetry | fabs) < $e and (.[0].numeric_symmetry - .[1].numeric_symmetry | fabs) < $e' memory.json stream.json
    "$SPARSIGHT" report --stream gen:mosaic,n=20000,seed=3 >out
    grep -q "The symmetry is estimated from" out
    grep -q "Error of symmetry" out
}

@test "blocks of BSR are estimated from the rows of an excerpt, with their error" {
    for spec in gen:stencil27,n=40 gen:blocks,n=60000,size=3,mean=6,spread=3 gen:powerlaw,scale=16,edge=12; do
        "$SPARSIGHT" report --only=formats --format=json $spec | jq '.matrices[0].formats[] | select(.format == "bsr")' >memory
        "$SPARSIGHT" report --limit=600M --stream --only=formats --format=json $spec | jq '.matrices[0].formats[] | select(.format == "bsr")' >stream
        jq -es '.[0].bytes_error == null and .[0].params == .[1].params and .[1].bytes_error > 0 and .[1].criteria.flexibility == null and
            (.[0].bytes - .[1].bytes | fabs) <= .[1].bytes_error and .[1].bytes_error < 0.2 * .[0].bytes' memory stream
    done
    "$SPARSIGHT" report --limit=600M --stream gen:stencil27,n=40 >out
    grep -q "The blocks of BSR are estimated from a sample of the rows" out
    grep -qE "bsr:size=. is estimated from a sample of the rows: .* MiB \+- " out
}

@test "an array file with more numbers than its size line states is refused before these are used" {
    for symmetry in general symmetric; do
        count=$([ $symmetry = general ] && echo 40000 || echo 20100)
        { printf '%%%%MatrixMarket matrix array real %s\n200 200\n' $symmetry; yes 1.5 | head -n $((count + 100000)); } >over.mtx
        gzip -kf over.mtx
        for file in over.mtx over.mtx.gz; do
            run "$SPARSIGHT" report --kernels=none --stream $file
            echo "$symmetry: $output"
            [ "$status" -eq 1 ]
            [[ $output == *"more entries than the $count of the size line"* ]]
        done
    done
}
