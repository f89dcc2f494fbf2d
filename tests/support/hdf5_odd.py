#!/usr/bin/env python3
"""Write HDF5 files into the current folder that are valid but odd, and a table of what is to be read of each:

    FILE<TAB>STATUS<TAB>WORDS     STATUS 0: WORDS are the values that are read, row by row; else part of the message

Each is a Binsparse or MATLAB file of a 3 x 3 matrix with three entries on the diagonal. 77 if h5py is not there.
"""
import json
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

POINTERS, PLACES, VALUES = np.array([0, 1, 2, 3]), np.array([0, 1, 2]), np.array([1.5, -2.0, 0.25])
LABEL = json.dumps({"binsparse": {"version": "0.1", "format": "CSR", "shape": [3, 3], "number_of_stored_values": 3}})
table = []


def expect(name, status, words):
    table.append(f"{name}\t{status}\t{words}")


def binsparse(name, values=VALUES, label=LABEL, pointers=POINTERS, places=PLACES, **how):
    with h5py.File(name, "w") as file:
        if label is not None:
            file.attrs["binsparse"] = label
        file["pointers_to_1"] = pointers
        file["indices_1"] = places
        if values is not None:
            file.create_dataset("values", data=values, **how)


def low_level(name, type_, bytes_):
    """Values of a type that h5py has no word for, from bytes."""
    binsparse(name, None)
    with h5py.File(name, "a") as file:
        space = h5py.h5s.create_simple((3,))
        set_ = h5py.h5d.create(file.id, b"values", type_, space)
        set_.write(h5py.h5s.ALL, h5py.h5s.ALL, np.frombuffer(bytes_, np.uint8), mtype=type_)


plain = "1.5 -2 0.25"
binsparse("half.bsp.h5", VALUES.astype(np.float16))
expect("half.bsp.h5", 0, plain)
binsparse("long.bsp.h5", VALUES.astype(np.longdouble))
expect("long.bsp.h5", 0, plain)
binsparse("big.bsp.h5", VALUES.astype(">f8"), compression="gzip")
expect("big.bsp.h5", 0, plain)

# bfloat16: the upper half of a float
bfloat = h5py.h5t.IEEE_F32LE.copy()
bfloat.set_fields(15, 7, 8, 0, 7)
bfloat.set_size(2)
bfloat.set_ebias(127)
low_level("bfloat.bsp.h5", bfloat, b"".join(v.tobytes()[2:] for v in VALUES.astype("<f4")))
expect("bfloat.bsp.h5", 0, plain)

# whole numbers of 12 bits in 2 bytes, the lowest bits unused
spare = h5py.h5t.STD_I16LE.copy()
spare.set_precision(12)
spare.set_offset(4)
low_level("spare.bsp.h5", spare, (np.array([7, -3, 5], "<i2") * 16).astype("<i2").tobytes())
expect("spare.bsp.h5", 0, "7 -3 5")

pair = np.zeros(3, [("i", "f8"), ("r", "f8")])
pair["r"], pair["i"] = VALUES, [1, 2, 3]
binsparse("turned.bsp.h5", pair)
expect("turned.bsp.h5", 0, "1.5+1j -2+2j 0.25+3j")
binsparse("complex.bsp.h5", pair["r"] + 1j * pair["i"])
expect("complex.bsp.h5", 0, "1.5+1j -2+2j 0.25+3j")
for name, type_ in (("mixed", [("r", "f8"), ("i", "i8")]), ("named", [("mass", "f8"), ("speed", "f8")]),
                    ("whole", [("r", "i8"), ("i", "i8")])):
    binsparse(f"{name}.bsp.h5", np.zeros(3, type_))
    expect(f"{name}.bsp.h5", 1, "dataset values has no numbers of a type that is read")
binsparse("truth.bsp.h5", np.array([True, False, True]))
expect("truth.bsp.h5", 0, "1 0 1")
colours = h5py.enum_dtype({"red": 0, "green": 1}, basetype="i1")
binsparse("colours.bsp.h5", np.array([0, 1, 0], "i1").astype(colours), dtype=colours)
expect("colours.bsp.h5", 1, "dataset values has no numbers of a type that is read")
binsparse("strings.bsp.h5", np.array([b"1", b"2", b"3"]))
expect("strings.bsp.h5", 1, "dataset values has no numbers of a type that is read")

# Attributes of several texts, fixed and of variable length.
binsparse("many.bsp.h5", label=np.array([b"x" * 1000] * 50))
expect("many.bsp.h5", 1, "has no attribute binsparse")
binsparse("varying.bsp.h5", label=np.array(["x" * 5000] * 500, dtype=h5py.string_dtype()))
expect("varying.bsp.h5", 1, "has no attribute binsparse")
binsparse("number.bsp.h5", label=5)
expect("number.bsp.h5", 1, "has no attribute binsparse")

# A text whose attribute says that it is 512 MiB longer than that in the heap; the test allows 100 MB.
binsparse("longer.bsp.h5")
with open("longer.bsp.h5", "r+b") as file:
    bytes_ = file.read()
    length = len(LABEL).to_bytes(4, "little")
    at = bytes_.index(length, bytes_.index(b"binsparse\0"))
    file.seek(at + 3)
    file.write(b"\x20")
expect("longer.bsp.h5", 1, "has no attribute binsparse")

# Data in another file.
binsparse("other.h5")
binsparse("linked.bsp.h5", None)
with h5py.File("linked.bsp.h5", "a") as file:
    file["values"] = h5py.ExternalLink("other.h5", "/values")
expect("linked.bsp.h5", 1, "dataset values is a link to another file, which is not read")
binsparse("outside.bsp.h5", None)
with open("raw", "wb") as file:
    file.write(VALUES.tobytes())
with h5py.File("outside.bsp.h5", "a") as file:
    file.create_dataset("values", (3,), "f8", external=[("raw", 0, 24)])
expect("outside.bsp.h5", 1, "keeps its elements in another file, which is not read")
with h5py.File("through.bsp.h5", "w") as file:
    file["group"] = h5py.ExternalLink("other.h5", "/")
expect("through.bsp.h5:group", 1, "no group is called group")

# MATLAB: links that form circles, each group in each.
def matlab(name, count, pointers=POINTERS):
    with h5py.File(name, "w", userblock_size=512) as file:
        groups = [file.create_group(f"g{k}") for k in range(count)]
        for group in groups:
            for k, other in enumerate(groups):
                group[f"to{k}"] = other
        sparse = groups[7].create_group("A")
        sparse.attrs["MATLAB_sparse"] = 3
        sparse.attrs["MATLAB_class"] = b"double"
        sparse["jc"], sparse["ir"], sparse["data"] = pointers, PLACES, VALUES
        file["Full"] = np.reshape(VALUES, (1, 3))
    with open(name, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file".ljust(116) + bytes(8) + b"\x00\x02IM")


matlab("circles.mat", 60)
expect("circles.mat", 0, plain)
expect("circles.mat:Full", 0, plain)
matlab("links.mat", 320)
expect("links.mat", 1, "has more than 100000 links, of which no more are followed; name the matrix as FILE:NAME")
expect("links.mat:g7.A", 0, plain)

matlab("pointers.mat", 8, POINTERS[:0])
expect("pointers.mat", 1, "dataset jc is empty")

# A chunk of 128 MiB for three numbers; the test allows 100 MB.
binsparse("chunk.bsp.h5", VALUES, maxshape=(None,), chunks=(1 << 24,), compression="gzip", compression_opts=1)
expect("chunk.bsp.h5", 1, "a chunk of an unpacked dataset")

with open("expected.tsv", "w") as file:
    file.write("\n".join(table) + "\n")
