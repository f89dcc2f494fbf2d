#!/usr/bin/env bats
# Packed files whose contents do not match their checksum: no reader accepts them, whether the format is detected or
# named.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    need python3
    need jq
}

# pack: each file of sources/ unchanged, in good/, and with a wrong checksum, in bad/, packed in each way.
pack() {
    mkdir -p good bad
    python3 - <<'END'
import bz2, gzip, io, lzma, os, zipfile
def zipped(name, data):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return stream.getvalue()
def stored(name, data):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(name, data)
    return stream.getvalue()
def flipped(packed, *places):
    changed = bytearray(packed)
    for place in places:
        changed[place] ^= 1
    return bytes(changed)
for name in sorted(os.listdir("sources")):
    data = open(os.path.join("sources", name), "rb").read()
    for ending, make in (("deflated.zip", zipped), ("stored.zip", stored)):
        packed = make(name, data)
        directory = packed.index(b"PK\1\2")
        # The checksum is in the member's header and in the directory.
        files = packed, flipped(packed, 14, directory + 16)
        for folder, content in zip(("good", "bad"), files):
            open("%s/%s.%s" % (folder, name, ending), "wb").write(content)
    packed = gzip.compress(data)  # ends with the checksum and the size
    files = packed, flipped(packed, len(packed) - 8)
    for folder, content in zip(("good", "bad"), files):
        open("%s/%s.gz" % (folder, name), "wb").write(content)
    packed = bz2.compress(data)  # the checksum of the first block follows its mark
    files = packed, flipped(packed, 10)
    for folder, content in zip(("good", "bad"), files):
        open("%s/%s.bz2" % (folder, name), "wb").write(content)
END
}

# expect_all OPTIONS: every good file is read, and every bad one is an error with the remedy.
expect_all() {
    "$SPARSIGHT" report --format=jsonl "$@" good/* >good.jsonl 2>err
    jq -c 'select(.error)' good.jsonl
    [ "$(jq -s 'map(select(.rows)) | length' good.jsonl)" -eq "$(ls good | wc -l)" ]
    "$SPARSIGHT" report --format=jsonl "$@" bad/* >bad.jsonl 2>err && false
    jq -c 'select(.rows) | .path' bad.jsonl >accepted
    cat accepted
    [ ! -s accepted ]
    [ "$(jq -s 'map(select(.error)) | length' bad.jsonl)" -eq "$(ls bad | wc -l)" ]
    jq -c 'select(.error) | select(.error.message | test("damaged or truncated") | not)' bad.jsonl >others
    cat others
    [ ! -s others ]
}

@test "no reader accepts a packed file with a wrong checksum" {
    local reader names=(mtx:blocks.mtx npz:real-csr.npz rb:real.rb mat:real-v7.mat petsc:real.petsc edges:networkx-weights.edgelist
        metis:plain.graph csv:triplets.csv)
    mkdir sources
    for reader in "${names[@]}"; do
        cp "$SRCDIR/tests/matrix/foreign/${reader#*:}" sources/
    done
    pack
    expect_all
    for reader in "${names[@]}"; do
        rm -rf good bad sources/*
        cp "$SRCDIR/tests/matrix/foreign/${reader#*:}" sources/
        pack
        expect_all --from="${reader%:*}"
    done
}

# Longer than the beginning that detection reads, so that the fault appears while the entries are read.
@test "no reader accepts a long packed file with a wrong checksum" {
    local ending
    mkdir sources
    "$SPARSIGHT" gen laplace2d,n=90 -o a.mtx
    for ending in mtx npz mat; do
        "$SPARSIGHT" convert a.mtx sources/a.$ending
        [ "$(stat -c %s sources/a.$ending)" -gt 131072 ]
    done
    pack
    expect_all
}
