"""Explore, report and plot sparse matrices with the program sparsight.

A matrix is one of scipy.sparse (matrices and arrays alike), a dense numpy array of two dimensions, or a string that the
program takes for a matrix: the path of a file, or gen:SPEC. Masked elements are no entries. SciPy itself is not needed.

    sparsight.explore(A)                                opens it in the terminal
    sparsight.report(A)["matrices"][0]["nnz"]           sparsight-report(5) describes the keys
    sparsight.report(A, kernels="csr-*", repeat=10)     with kernels timed
    sparsight.plot(A, "pattern.png")                    a picture
    sparsight.gen("laplace2d", n=100)                   a matrix of scipy.sparse

Options of the program are keyword arguments: --drop-zeros is drop_zeros=True, lists are lists or strings. The program is
part of the package; the environment variable SPARSIGHT names another one.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pathlib
import tempfile
import warnings
from typing import Any, BinaryIO, Iterable, Iterator, Sequence, Union

from sparsight._handover import arrays, is_named, open_memory, operand, write_npz
from sparsight._program import Done, Error, interact, program, quiet_interrupts, run
from sparsight._report import Picture, Report, Tables, surveyed

__version__ = "0.1.0"
__all__ = ["Error", "Picture", "Report", "Tables", "compare", "convert", "explore", "gen", "kernels", "plot", "program", "report", "survey"]

Path = Union[str, "os.PathLike[str]"]

#: Options of the command gen; other keyword arguments of gen() are parameters of the generator.
GEN_OPTIONS = ("reorder", "permutation", "to", "limit", "threads")


def _check(done: Done) -> Done:
    if done.status != 0:
        raise Error(done.messages or f"sparsight ended with status {done.status}")
    return done


def _tables(done: Done) -> Tables:
    """The tables that a command has printed, with a warning for what it said. Raises Error if there are none."""
    if not done.out:
        raise Error(done.messages or f"sparsight ended with status {done.status}")
    tables = Tables(json.loads(done.out))
    tables.messages = done.messages
    return tables


@quiet_interrupts
def report(matrix: Any, *, name: str | None = None, progress: bool | None = None, **options: Any) -> Report:
    """Report on a matrix, which is called `name` there. Further arguments are options of `sparsight report`. `progress` shows a
    progress line; by default in notebooks and on terminals. Raises Error if the program refuses the matrix or an option; other
    messages are warnings."""
    name = name if name is not None else None if is_named(matrix) else "matrix"
    with operand(matrix) as (file, word):
        done = run("report", {**options, "name": name, "format": "json"}, [word], stdin=file, progress=progress)
    document = Report(json.loads(done.out) if done.out else {})
    if not document.matrices:
        raise Error(done.messages or "sparsight has printed no report")
    if done.messages:
        warnings.warn(done.messages, stacklevel=3)
    return document


@quiet_interrupts
def plot(
    matrix: Any, output: Path | None = None, what: str | None = None, *, name: str | None = None, progress: bool | None = None, **options: Any
) -> Picture | None:
    """Draw a matrix: the pattern, or the picture that `what` names. It is written to the file `output`, whose ending determines the
    form, or returned: as PNG, or in the form that `format` names. Further arguments are options of `sparsight plot`."""
    name = name if name is not None else None if is_named(matrix) else "matrix"
    options["name"] = name
    if output is None:
        options.setdefault("format", "png")
    else:
        options["output"] = os.fspath(output)
    with operand(matrix) as (file, word):
        done = _check(run("plot", options, [what, word] if what else [word], stdin=file, progress=progress))
    return Picture(done.out) if output is None else None


@quiet_interrupts
def explore(matrix: Any, *, name: str | None = None, **options: Any) -> None:
    """Open a matrix in the terminal, and return when the user leaves it. Further arguments are options of the explorer."""
    name = name if name is not None else None if is_named(matrix) else "matrix"
    with operand(matrix) as (file, word):
        # Standard input is the keyboard: the program opens the file by its descriptor.
        descriptors = (file.fileno(),) if file is not None else ()
        status = interact({**options, "name": name}, [f"/dev/fd/{descriptors[0]}" if descriptors else word], descriptors)
    if status:
        raise Error(f"sparsight ended with status {status}")


def _load(file: BinaryIO) -> Any:
    """The matrix of scipy.sparse in an open file of its format npz."""
    try:
        sparse = importlib.import_module("scipy.sparse")
    except ImportError as error:
        raise ImportError("a matrix is returned as one of scipy.sparse: pip install scipy, or name a file as `output`") from error
    file.seek(0)
    return sparse.load_npz(file)


def _write_or_load(command: str, options: dict[str, Any], operands: list[str], stdin: BinaryIO | None, progress: bool | None) -> Any:
    with open_memory() as file:
        _check(run(command, {**options, "to": "npz"}, operands, stdin=stdin, stdout=file, progress=progress))
        return _load(file)


@quiet_interrupts
def convert(matrix: Any, output: Path | None = None, *, progress: bool | None = None, **options: Any) -> Any:
    """Write a matrix to the file `output`, whose ending determines the format, or return it as a matrix of scipy.sparse. Further
    arguments are options of `sparsight convert`, such as reorder="rcm"."""
    with operand(matrix) as (file, word):
        if output is None:
            return _write_or_load("convert", options, [word, "-"], file, progress)
        _check(run("convert", options, [word, os.fspath(output)], stdin=file, progress=progress))
    return None


@quiet_interrupts
def gen(spec: str, output: Path | None = None, *, progress: bool | None = None, **options: Any) -> Any:
    """Make a synthetic matrix, as gen("laplace2d", n=100) or gen("laplace2d,n=100"): write it to the file `output`, or return it as a
    matrix of scipy.sparse. Arguments that are no options of `sparsight gen` are parameters of the generator."""
    given = {key: value for key, value in options.items() if key in GEN_OPTIONS}
    parameters = [f"{key}={int(value) if isinstance(value, bool) else value}" for key, value in options.items() if key not in GEN_OPTIONS]
    operands = [",".join([spec, *parameters])]
    if output is None:
        return _write_or_load("gen", given, operands, None, progress)
    _check(run("gen", {**given, "output": os.fspath(output)}, operands, progress=progress))
    return None


def _file_names(names: Iterable[str], ending: str) -> Iterator[str]:
    """Names as those of files in a folder, each different: the program calls a matrix and a report by its file."""
    taken: set[str] = set()
    for name in names:
        plain = name.replace("/", "_").lstrip(".-") or "matrix"
        unique, number = plain, 2
        while unique in taken:
            unique, number = f"{plain} {number}", number + 1
        taken.add(unique)
        yield unique + ending


def _matrices(matrices: Any) -> list[tuple[str | None, Any]]:
    """Matrices with their names, which those of a list do not have."""
    if isinstance(matrices, dict):
        return list(matrices.items())
    if is_named(matrices) or hasattr(matrices, "shape"):
        matrices = [matrices]
    return [(None, matrix) for matrix in matrices]


@quiet_interrupts
def survey(matrices: Any, output: Path | None = None, *, progress: bool | None = None, **options: Any) -> Tables:
    """Report on several matrices, and compare their kernels. The table "matrices" has a row for each matrix, and each of its orders; the
    other tables are of kernels that were run. `matrices` is a list, or a dict of names and matrices; in the file `output` a matrix that is
    a file keeps its own name. `output` gets a line of JSON for each matrix, and resume=True continues there. Further arguments are options of `sparsight survey`."""
    named = [os.fspath(matrix) for _, matrix in _matrices(matrices) if is_named(matrix)]
    others = {os.fspath(matrix): name for name, matrix in _matrices(matrices) if is_named(matrix) and name is not None}
    held = [(name, matrix) for name, matrix in _matrices(matrices) if not is_named(matrix)]
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        records = os.path.abspath(output if output is not None else os.path.join(folder, "records.jsonl"))
        options = {**options, "output": records, "format": "json"}
        done = run("survey", options, named, progress=progress) if named or not held else None
        if held:
            names = list(_file_names((name or f"matrix {k}" for k, (name, _) in enumerate(held, 1)), ".npz"))
            for name, (_, matrix) in zip(names, held):
                with open(os.path.join(folder, name), "wb") as file:
                    write_npz(file.fileno(), arrays(matrix))
            if done is not None:
                _tables(done)
                options["resume"] = True
            done = run("survey", options, names, folder=folder, progress=progress)
        assert done is not None
        messages, told = done.messages, _tables(done)
        with open(records, encoding="utf-8") as lines:
            tables = Tables({"matrices": list(surveyed(lines, others)), **told})
        tables.messages = told.messages
    if messages:
        warnings.warn(messages, stacklevel=3)
    return tables


@quiet_interrupts
def compare(base: Any, *others: Any, names: Sequence[str] | None = None, **options: Any) -> Tables:
    """Compare reports with the first: what report() returned, or paths of saved reports and surveys. A single report has its orders
    compared. Further arguments are options of `sparsight compare`; `names` are those of the reports in the tables."""
    reports = [base, *others]
    if names is not None and len(names) != len(reports):
        raise ValueError(f"there are {len(names)} names for {len(reports)} reports: give one for each")
    with tempfile.TemporaryDirectory() as folder:
        files = _file_names(names if names is not None else (f"report {k}" for k in range(1, len(reports) + 1)), "")
        operands = []
        for item, name in zip(reports, files):
            if is_named(item):
                operands.append(os.path.abspath(os.fspath(item)))
            else:
                Report(item).save(pathlib.Path(folder) / name)
                operands.append(name)
        done = run("compare", {**options, "format": "json"}, operands, folder=folder, progress=False)
    tables = _tables(done)
    tables.slower = done.status == 1
    return tables


@quiet_interrupts
def kernels(**options: Any) -> Tables:
    """List the storage formats, the kernels with their parameters and the reasons why some cannot run here, and the profiles of GPUs:
    the tables "formats", "kernels" and "gpus"."""
    return _tables(_check(run("kernels", {**options, "json": True}, [], progress=False)))
