"""Explore, report and plot sparse matrices with the program sparsight.

A matrix is one of SciPy's (scipy.sparse, matrices and arrays alike), a dense numpy array of two dimensions, or a string that
the program takes for a matrix: the path of a file, or gen:SPEC. SciPy itself is not needed.

    sparsight.explore(A)                                opens it in the terminal
    sparsight.report(A)["matrices"][0]["nnz"]           what sparsight-report(5) describes
    sparsight.report(A, kernels="csr-*", repeat=10)     with kernels timed
    sparsight.plot(A, "pattern.png")                    a picture

Options of the program are keyword arguments: --drop-zeros is drop_zeros=True, lists are lists or strings. The program is
sparsight in PATH, or what the environment variable SPARSIGHT names.
"""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import warnings

import numpy

__version__ = "0.1.0"
__all__ = ["Error", "explore", "report", "plot"]


class Error(RuntimeError):
    """What the program said when it failed."""


def _program():
    named = os.environ.get("SPARSIGHT") or "sparsight"
    found = shutil.which(named)
    if not found:
        raise Error(f"the program {named} is not found: install sparsight, or name it in the environment variable SPARSIGHT")
    return found


def _values(data):
    """The values in a type that the program reads: bool as 0 and 1, others that numpy alone has in double precision."""
    data = numpy.asarray(data)
    if data.dtype == bool:
        return data.astype(numpy.int8)
    if data.dtype.kind in "iu" or data.dtype in (numpy.float32, numpy.float64, numpy.complex64, numpy.complex128):
        return data
    return data.astype(numpy.complex128 if data.dtype.kind == "c" else numpy.float64)


def _arrays(matrix):
    """The arrays that scipy.sparse.save_npz would write, or those of a coo matrix if there is no such format."""
    kind = getattr(matrix, "format", None)
    if kind is None:
        matrix = numpy.asarray(matrix)
        if matrix.ndim != 2:
            raise TypeError(f"a matrix has two dimensions, and this has {matrix.ndim}")
        row, col = numpy.nonzero(matrix)
        return {"format": b"coo", "shape": matrix.shape, "row": row, "col": col, "data": _values(matrix[row, col])}
    if len(matrix.shape) != 2:
        raise TypeError(f"a matrix has two dimensions, and this has {len(matrix.shape)}")
    if kind not in ("csr", "csc", "bsr", "coo", "dia"):
        matrix, kind = matrix.tocsr(), "csr"
    arrays = {"format": kind.encode(), "shape": matrix.shape, "data": _values(matrix.data)}
    for name in {"coo": ("row", "col"), "dia": ("offsets",)}.get(kind, ("indices", "indptr")):
        arrays[name] = getattr(matrix, name)
    return arrays


@contextlib.contextmanager
def _operand(matrix):
    """A file that holds the matrix, from its beginning, or None where `matrix` is a string, and what the program is told. The
    file has no name, so that nothing is left behind."""
    if isinstance(matrix, (str, os.PathLike)):
        yield None, os.fspath(matrix)
        return
    if hasattr(os, "memfd_create"):
        file = os.fdopen(os.memfd_create("matrix", 0), "w+b")
    else:
        file = tempfile.TemporaryFile()
    with file:
        numpy.savez(file, **_arrays(matrix))
        file.flush()
        file.seek(0)
        yield file, "-"


def _options(options):
    words = []
    for name, value in options.items():
        word = "--" + name.replace("_", "-")
        if value is True:
            words.append(word)
        elif value is not None and value is not False:
            if isinstance(value, (list, tuple)):
                value = ",".join(str(item) for item in value)
            words.append(f"{word}={value}")
    return words


def _run(command, matrix, options, operands=()):
    """Run a command on a matrix. Returns its standard output, its messages, and whether it ended well."""
    with _operand(matrix) as (file, name):
        done = subprocess.run([_program(), command, *_options(options), "--", *operands, name],
                              stdin=file or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout, done.stderr.decode(errors="replace").strip(), done.returncode == 0


def report(matrix, **options):
    """The report of a matrix as a dict, which sparsight-report(5) describes. Further arguments are options of
    `sparsight report`. Raises Error if the matrix or an option is refused; what does not keep the report from being made is
    a warning."""
    out, said, well = _run("report", matrix, {**options, "format": "json"})
    document = json.loads(out) if out else {}
    if not document.get("matrices"):
        raise Error(said or "sparsight has printed no report")
    if said:
        warnings.warn(said, stacklevel=2)
    return document


def plot(matrix, output=None, what=None, **options):
    """A picture of a matrix: the pattern, or what `what` names. It is written to the file `output`, whose ending says the
    form, or returned as the bytes of a PNG. Further arguments are options of `sparsight plot`."""
    operands = [what] if what else []
    if output is not None:
        _, said, well = _run("plot", matrix, {**options, "output": os.fspath(output)}, operands)
        if not well:
            raise Error(said)
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plot.png")
        plot(matrix, path, what, **options)
        with open(path, "rb") as file:
            return file.read()


def explore(matrix, **options):
    """Open a matrix in the terminal, and return when the user leaves it. Further arguments are options of the explorer."""
    with _operand(matrix) as (file, name):
        descriptors = ()
        if file:
            # Standard input is the keyboard: the matrix goes by another number, which the program opens by its name.
            descriptors, name = (file.fileno(),), f"/dev/fd/{file.fileno()}"
        done = subprocess.run([_program(), *_options(options), "--", name], pass_fds=descriptors)
    if done.returncode:
        raise Error(f"sparsight ended with status {done.returncode}")
