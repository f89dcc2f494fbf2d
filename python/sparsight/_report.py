"""Reports and tables as objects: dicts with the keys of the program's JSON, which notebooks show and pandas takes."""

from __future__ import annotations

import base64
import html
import json
import os
import struct
import zlib
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator

if TYPE_CHECKING:
    import pandas  # type: ignore[import,unused-ignore]

#: Maximum dots of the pattern along each side, and minimum pixels of its longer side.
DOTS, PIXELS = 400, 320

#: Rows that a notebook shows of a table.
ROWS = 20

#: Columns of the table of kernels in a notebook, and of formats if no kernels were run: key, title, and digits.
KERNEL_COLUMNS = (
    ("kernel", "Kernel", 0),
    ("params", "Parameters", 0),
    ("precision", "Precision", 0),
    ("threads", "Threads", 0),
    ("median_us", "Median (µs)", 4),
    ("gflops", "GFLOP/s", 4),
    ("eta_plus", "Bandwidth used (eta-plus)", 3),
    ("unavailable", "Unavailable", 0),
)
#: Columns of the table of matrices of a survey, by the dotted keys of a data frame.
MATRIX_COLUMNS = (
    ("name", "Matrix", 0),
    ("order.name", "Order", 0),
    ("rows", "Rows", 0),
    ("cols", "Columns", 0),
    ("nnz", "Entries", 0),
    ("row_lengths.mean", "Entries per row", 4),
    ("row_lengths.max", "Longest row", 0),
    ("structure.bandwidth", "Bandwidth", 0),
    ("advice.f64.cpu.kernel", "Advised on processors", 0),
    ("advice.f64.gpu.kernel", "Advised on a GPU", 0),
)
FORMAT_COLUMNS = (
    ("format", "Format", 0),
    ("params", "Parameters", 0),
    ("bytes", "Bytes", 0),
    ("padding_ratio", "Slots per entry", 4),
    ("refused", "Refused", 0),
)


def _flat(row: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Nested objects as dotted keys, "estimate.loads.bytes", except parameters, which are "k=12"."""
    for key, value in row.items():
        if key == "params" and isinstance(value, dict):
            yield before + key, _params(value)
        elif isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def _params(params: Any) -> str:
    return ",".join(f"{key}={value}" for key, value in (params or {}).items())


def _frame(rows: Iterable[dict[str, Any]]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_dataframe needs pandas: pip install pandas") from error
    return pandas.DataFrame([dict(_flat(row)) for row in rows])


def _cell(value: Any, digits: int) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        value = _params(value)
    if isinstance(value, float):
        value = f"{value:.{digits or 6}g}"
    return html.escape(str(value))


def _table(rows: list[dict[str, Any]], columns: Iterable[tuple[str, str, int]]) -> str:
    """An HTML table of the columns in which any row has a value, cut after ROWS rows."""
    used = [column for column in columns if any(row.get(column[0]) not in (None, "", {}) for row in rows)]
    head = "".join(f"<th>{html.escape(title)}</th>" for _, title, _ in used)
    body = "".join("<tr>" + "".join(f"<td>{_cell(row.get(key), digits)}</td>" for key, _, digits in used) + "</tr>" for row in rows[:ROWS])
    rest = f"<p>{len(rows) - ROWS} more rows: to_dataframe() has all.</p>" if len(rows) > ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _numbers(packed: str) -> list[int]:
    """Packed integers: groups of seven bits, the lowest first, deflated, as letters (sparsight-report(5))."""
    numbers, number, shift = [], 0, 0
    for byte in zlib.decompress(base64.b64decode(packed)):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number, shift = 0, 0
    return numbers


def pattern_counts(matrix: dict[str, Any]) -> Any:
    """The exact counts of entries in the cells of the pattern that a report carries, a numpy array of rows and columns of cells. None
    if the report carries none."""
    import numpy

    pattern = (matrix.get("carried") or {}).get("pattern")
    if not pattern:
        return None
    high = -(-matrix["rows"] // pattern["row_step"])
    wide = -(-matrix["cols"] // pattern["col_step"])
    numbers = iter(_numbers(pattern["packed"]))
    cells = [next(numbers) for _ in range(high)]
    first, columns = 0, [0] * high
    for i in range(high):
        if cells[i]:
            step = next(numbers)
            first += step // 2 if step % 2 == 0 else -(step + 1) // 2
            columns[i] = first
    row, col = [], []
    for i in range(high):
        at = columns[i]
        for k in range(cells[i]):
            if k > 0:
                at += next(numbers) + 1
            row.append(i)
            col.append(at)
    counts = numpy.zeros((high, wide), dtype=numpy.int64)
    counts[row, col] = 1 if pattern["ones"] else [next(numbers) + 1 for _ in row]
    return counts


def _coarser(counts: Any) -> Any:
    """The counts of squares of cells, of which there are at most DOTS along each side."""
    import numpy

    times = -(-max(counts.shape) // DOTS)
    for axis in (0, 1):
        counts = numpy.add.reduceat(counts, numpy.arange(0, counts.shape[axis], times), axis=axis)
    return counts


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))


def pattern_png(matrix: dict[str, Any]) -> bytes | None:
    """A picture of the pattern in a grey frame: white without entries, and the darker the more entries a dot has, on a scale of
    logarithms. None if the report carries no pattern, or there is no cell."""
    import numpy

    counts = pattern_counts(matrix)
    if counts is None or counts.size == 0:
        return None
    counts = _coarser(counts)
    share = numpy.log1p(counts) / numpy.log1p(max(1, counts.max()))
    light = numpy.where(counts > 0, 170 - 170 * share, 255).astype(numpy.uint8)
    # Blue keeps some light, as in the pictures of the program.
    pixels = numpy.stack([light, light, numpy.where(counts > 0, 255 - 110 * share, 255).astype(numpy.uint8)], axis=-1)
    times = max(1, -(-PIXELS // max(counts.shape)))
    pixels = pixels.repeat(times, axis=0).repeat(times, axis=1)
    pixels = numpy.pad(pixels, ((1, 1), (1, 1), (0, 0)), constant_values=160)
    lines = numpy.zeros((pixels.shape[0], 1 + 3 * pixels.shape[1]), dtype=numpy.uint8)
    lines[:, 1:] = pixels.reshape(pixels.shape[0], -1)
    head = struct.pack(">LLBBBBB", pixels.shape[1], pixels.shape[0], 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines.tobytes())) + _chunk(b"IEND", b"")


def _advice(matrix: dict[str, Any]) -> Iterator[str]:
    """The sentences of the advice, for each precision and machine."""
    for machines in (matrix.get("advice") or {}).values():
        for machine in machines.values():
            if isinstance(machine, dict) and machine.get("verdict"):
                yield " ".join(machine[key] for key in ("verdict", "reason", "change") if machine.get(key))


def matrix_row(matrix: dict[str, Any]) -> dict[str, Any]:
    """A matrix as a row of a table: its numbers, and for each precision and machine the advised kernel with its time. Kernels and formats
    have tables of their own, and what the report carries is for pictures."""
    advice = {
        precision: {
            machine: {key: best[key] for key in ("kernel", "us", "forecast") if key in best}
            for machine, best in machines.items()
            if isinstance(best, dict) and best.get("kernel")
        }
        for precision, machines in (matrix.get("advice") or {}).items()
    }
    numbers = {key: value for key, value in matrix.items() if key not in ("kernels", "formats", "advice", "carried")}
    return {**numbers, "advice": advice}


def surveyed(lines: Iterable[str], names: dict[str, str] | None = None) -> Iterator[dict[str, Any]]:
    """The matrices in the lines of a survey, as rows. Those of an input count once its end is there. `names` has other names for inputs."""
    rows: list[dict[str, Any]] = []
    for line in lines:
        record = json.loads(line)
        if "nnz" in record:
            rows.append(matrix_row(record))
        elif "input" in record:
            name = (names or {}).get(record["input"]["name"])
            yield from (rows if name is None else [{**row, "name": name} for row in rows])
            rows = []


class Report(Dict[str, Any]):
    """A report as a dict, whose keys sparsight-report(5) describes. Notebooks show the pattern, the advice, and a table of kernels, or
    of formats if no kernels were run."""

    @property
    def matrices(self) -> list[dict[str, Any]]:
        """An object for each matrix, and for each of its orders."""
        found: list[dict[str, Any]] = self.get("matrices", [])
        return found

    def __repr__(self) -> str:
        each = ", ".join(f"{m['name']} ({m['rows']} x {m['cols']}, {m['nnz']} entries)" for m in self.matrices)
        return f"<sparsight.Report of {each or 'no matrix'}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report as JSON, for compare() and for the option --results of the explorer."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self, file)

    def to_dataframe(self, table: str | None = None) -> pandas.DataFrame:
        """A DataFrame of pandas with a line for each kernel, or for each format if no kernels were run. `table` chooses "kernels",
        "formats", or "matrices", a line for each matrix. Keys of nested objects have dots: "row_lengths.max"."""
        if table is None:
            table = "kernels" if any(m["kernels"] for m in self.matrices) else "formats"
        if table == "matrices":
            return _frame(map(matrix_row, self.matrices))
        if table not in ("kernels", "formats"):
            raise ValueError(f"there is no table {table!r}: take 'kernels', 'formats' or 'matrices'")
        rows: list[dict[str, Any]] = []
        for m in self.matrices:
            about = {"name": m["name"], "order": (m.get("order") or {}).get("name")}
            rows.extend({**about, **row} for row in m[table])
        return _frame(rows)

    def _repr_png_(self) -> bytes | None:
        return next((png for png in map(pattern_png, self.matrices) if png), None)

    def _repr_html_(self) -> str:
        parts = []
        for m in self.matrices:
            order = (m.get("order") or {}).get("name")
            title = m["name"] + (f", {order}" if order and order != "natural" else "")
            png = pattern_png(m)
            image = base64.b64encode(png).decode() if png else ""
            alt = html.escape(f"The pattern of {title}")
            parts.append(f"<h4>{html.escape(title)}: {m['rows']} &times; {m['cols']}, {m['nnz']} entries</h4>")
            if png:
                parts.append(f'<img alt="{alt}" src="data:image/png;base64,{image}">')
            parts.extend(f"<p>{html.escape(sentence)}</p>" for sentence in _advice(m))
            if m["kernels"]:
                order_key = lambda row: (row.get("median_us") is None, row.get("median_us") or 0)
                parts.append(_table(sorted(m["kernels"], key=order_key), KERNEL_COLUMNS))
            else:
                parts.append(_table(m["formats"], FORMAT_COLUMNS))
        return '<div class="sparsight">' + "".join(parts) + "</div>"


class Tables(Dict[str, Any]):
    """Tables of survey(), compare() or kernels(): a list of rows for each name. A survey always has the table "matrices". `messages` has what the program said, and `slower` of a
    comparison whether a kernel became slower than the threshold allows, or lost its time."""

    messages: str = ""
    slower: bool = False

    def _names(self) -> list[str]:
        return [name for name, rows in self.items() if isinstance(rows, list) and rows and isinstance(rows[0], dict)]

    def __repr__(self) -> str:
        each = ", ".join(f"{name} ({len(self[name])})" for name in self._names())
        return f"<sparsight.Tables: {each or 'empty'}>"

    def to_dataframe(self, table: str | None = None) -> pandas.DataFrame:
        """A table as a DataFrame of pandas: the one that `table` names, or "kernels", or the first one with rows if no kernels were run.
        Keys of nested objects have dots: "row_lengths.max"."""
        if table is None:
            table = next(iter(self._names()), "kernels") if not self.get("kernels") else "kernels"
        if not isinstance(self.get(table), list):
            raise ValueError(f"there is no table {table!r}; the tables are {', '.join(self._names())}")
        return _frame(self[table])

    def _repr_html_(self) -> str:
        parts = []
        for name in self._names():
            rows = [dict(_flat(row)) for row in self[name]]
            columns = MATRIX_COLUMNS if name == "matrices" else [(key, key, 4) for key, value in rows[0].items() if not isinstance(value, list)]
            parts.append(f"<h4>{html.escape(name)}</h4>" + _table(rows, columns))
        return '<div class="sparsight">' + "".join(parts) + "</div>"


class Picture(bytes):
    """The bytes of a picture, which notebooks show."""

    def _repr_png_(self) -> bytes | None:
        return bytes(self) if self.startswith(b"\x89PNG") else None

    def _repr_svg_(self) -> str | None:
        return self.decode() if b"<svg" in self[:1000] else None
