"""Handing a matrix over to the program: as the file that scipy.sparse.save_npz writes, in memory and without a copy in Python."""

from __future__ import annotations

import concurrent.futures
import contextlib
import io
import os
import struct
import tempfile
import zlib
from typing import Any, BinaryIO, Iterator, cast

#: The arrays of each format beside its values.
INDICES = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "bsr": ("indices", "indptr"), "coo": ("row", "col"), "dia": ("offsets",)}

#: Maximum bytes of one call of the system that writes.
PIECE = 1 << 28


def _masked() -> Any:
    """numpy.ma, of which older numpy has no types."""
    import numpy

    return numpy.ma


def _values(data: Any) -> Any:
    """The values in a type that the program reads: bool as 0 and 1, and types that only numpy has in double precision."""
    import numpy

    data = numpy.asarray(data)
    if data.dtype == bool:
        return data.astype(numpy.int8)
    if data.dtype.kind in "iu" or data.dtype in (numpy.float32, numpy.float64, numpy.complex64, numpy.complex128):
        return data
    if data.dtype.kind not in "fc":
        raise TypeError(f"the values of a matrix are numbers, but these are of the type {data.dtype}: convert them, as by .astype(float)")
    return data.astype(numpy.complex128 if data.dtype.kind == "c" else numpy.float64)


def _coordinates(matrix: Any) -> tuple[Any, Any]:
    """The row and the column of each element of matrix.data, with its shape."""
    import numpy

    kind = matrix.format
    if kind == "coo":
        return matrix.row, matrix.col
    if kind == "dia":
        col = numpy.broadcast_to(numpy.arange(matrix.data.shape[1]), matrix.data.shape)
        return col - matrix.offsets[:, None], col
    lines = numpy.repeat(numpy.arange(len(matrix.indptr) - 1), numpy.diff(matrix.indptr))
    if kind == "csr":
        return lines, matrix.indices
    if kind == "csc":
        return matrix.indices, lines
    _, high, wide = matrix.data.shape
    row = lines[:, None, None] * high + numpy.arange(high)[None, :, None]
    col = matrix.indices[:, None, None] * wide + numpy.arange(wide)[None, None, :]
    return numpy.broadcast_to(row, matrix.data.shape), numpy.broadcast_to(col, matrix.data.shape)


def _unmasked(matrix: Any, mask: Any) -> dict[str, Any]:
    """The elements that the mask leaves. A masked element is no entry."""
    import numpy

    row, col = _coordinates(matrix)
    data = _masked().getdata(matrix.data)
    kept = ~mask & (row >= 0) & (row < matrix.shape[0]) & (col < matrix.shape[1])
    if matrix.format == "dia":
        kept &= data != 0  # a diagonal's zeros are no entries
    return {"format": b"coo", "shape": matrix.shape, "row": row[kept], "col": col[kept], "data": _values(data[kept])}


def arrays(matrix: Any) -> dict[str, Any]:
    """The arrays that scipy.sparse.save_npz would write, or those of a coo matrix if there is no such format. TypeError if it is
    no matrix of numbers, or has entries that are not stored."""
    import numpy

    if getattr(matrix, "fill_value", 0) != 0 and not isinstance(matrix, numpy.ma.MaskedArray):
        raise TypeError(f"the positions without an entry have the value {matrix.fill_value}, but must be 0: subtract it first")
    if hasattr(matrix, "to_scipy_sparse"):
        matrix = matrix.to_scipy_sparse()
    kind = getattr(matrix, "format", None)
    if kind is None:
        mask = _masked().getmaskarray(matrix) if isinstance(matrix, numpy.ma.MaskedArray) else None
        matrix = numpy.asarray(matrix)
        if matrix.ndim != 2:
            raise TypeError(f"a matrix has two dimensions, and this has {matrix.ndim}")
        row, col = numpy.nonzero(matrix if mask is None else ~mask & (matrix != 0))
        return {"format": b"coo", "shape": matrix.shape, "row": row, "col": col, "data": _values(matrix[row, col])}
    if len(matrix.shape) != 2:
        raise TypeError(f"a matrix has two dimensions, and this has {len(matrix.shape)}")
    if kind not in INDICES:
        matrix, kind = matrix.tocsr(), "csr"
    mask = _masked().getmask(matrix.data)
    if numpy.any(mask):
        return _unmasked(matrix, mask)
    stored = {"format": kind.encode(), "shape": matrix.shape, "data": _values(matrix.data)}
    for name in INDICES[kind]:
        stored[name] = getattr(matrix, name)
    return stored


class _Member:
    """An array in the archive: a header of numpy's, and its bytes."""

    def __init__(self, name: str, value: Any, at: int) -> None:
        import numpy

        array: Any = numpy.ascontiguousarray(value) if numpy.ndim(value) else numpy.asarray(value)
        head = io.BytesIO()
        layout: Any = numpy.lib.format
        layout.write_array_header_1_0(head, layout.header_data_from_array_1_0(array))
        self.name, self.at, self.head = f"{name}.npy".encode(), at, head.getvalue()
        # Numbers as bytes; an array without elements or dimensions has no view as bytes.
        self.data = memoryview(array).cast("B") if array.ndim and array.size and array.dtype.kind != "S" else memoryview(array.tobytes())
        self.size = len(self.head) + len(self.data)
        self.crc = 0

    def check(self) -> None:
        self.crc = zlib.crc32(self.data, zlib.crc32(self.head))

    def _record(self, signature: bytes, central: bool) -> bytes:
        """The header before the member, or its entry in the directory (APPNOTE of the zip format, 4.3.7, 4.3.12, and 4.5.3 for 64
        bits)."""
        sizes = struct.pack("<QQ", self.size, self.size) + (struct.pack("<Q", self.at) if central else b"")
        extra = struct.pack("<HH", 1, len(sizes)) + sizes
        version = struct.pack("<HH", 45, 45) if central else struct.pack("<H", 45)
        every = version + struct.pack("<HHHHLLLHH", 0, 0, 0, 0x21, self.crc, 0xFFFFFFFF, 0xFFFFFFFF, len(self.name), len(extra))
        rest = struct.pack("<HHHLL", 0, 0, 0, 0, 0xFFFFFFFF) if central else b""
        return signature + every + rest + self.name + extra

    def local(self) -> bytes:
        return self._record(b"PK\x03\x04", False)

    def entry(self) -> bytes:
        return self._record(b"PK\x01\x02", True)

    @property
    def start(self) -> int:
        return self.at + len(self.local())


def _write(number: int, data: Any, at: int) -> None:
    view = memoryview(data)
    while len(view):
        done = os.pwrite(number, view[:PIECE], at)
        view, at = view[done:], at + done


def write_npz(number: int, stored: dict[str, Any]) -> None:
    """Write an archive of arrays, not compressed, to an open file. A second thread computes the checksums meanwhile: numpy's own
    writer copies each array, and does one thing after the other."""
    members: list[_Member] = []
    at = 0
    for name, value in stored.items():
        members.append(_Member(name, value, at))
        at = members[-1].start + members[-1].size
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        checks = [pool.submit(member.check) for member in members]
        for member in members:
            _write(number, member.head, member.start)
            _write(number, member.data, member.start + len(member.head))
        for check in checks:
            check.result()
    directory = b"".join(member.entry() for member in members)
    count = len(members)
    end = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(directory), at)
    end += struct.pack("<4sLQL", b"PK\x06\x07", 0, at + len(directory), 1)
    end += struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, count, count, len(directory), 0xFFFFFFFF, 0)
    for member in members:
        _write(number, member.local(), member.at)
    _write(number, directory + end, at)


def open_memory() -> BinaryIO:
    """A file without a name, in memory where the system has such files: nothing is left behind."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("matrix", 0), "w+b")
    return cast(BinaryIO, tempfile.TemporaryFile())


def is_named(matrix: Any) -> bool:
    """True for a path or gen:SPEC, which the program opens by itself."""
    return isinstance(matrix, (str, os.PathLike))


@contextlib.contextmanager
def operand(matrix: Any) -> Iterator[tuple[BinaryIO | None, str]]:
    """A file that holds the matrix, from its beginning, and the program's operand for it as standard input. There is no file if
    `matrix` is a path or gen:SPEC."""
    if is_named(matrix):
        yield None, os.fspath(matrix)
        return
    stored = arrays(matrix)
    with open_memory() as file:
        write_npz(file.fileno(), stored)
        yield file, "-"
