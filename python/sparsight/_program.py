"""Finding the program, and running it."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import pathlib
import selectors
import shutil
import signal
import subprocess
import sys
from typing import Any, BinaryIO, Callable, Iterator, NamedTuple, Sequence, TypeVar, cast

HERE = pathlib.Path(__file__).resolve().parent

#: Seconds that an interrupted program has to remove its temporary files.
PATIENCE = 5.0

#: The program begins its progress line with this, and erases the line so.
CLEAR_LINE = b"\r\x1b[K"


class Error(RuntimeError):
    """The message of the program when it fails."""


class Done(NamedTuple):
    """The end of a run."""

    out: bytes
    messages: str
    status: int


def _is_launcher(path: str) -> bool:
    """True for the command that pip makes of main(), which would find itself."""
    try:
        with open(path, "rb") as file:
            return b"sparsight.__main__" in file.read(1024)
    except OSError:
        return True


def _packaged() -> Iterator[pathlib.Path]:
    """The program of this package, and that of a checkout's build."""
    yield HERE / "bin" / "sparsight"
    checkout = HERE.parent.parent
    if (checkout / "configure.ac").is_file():
        yield checkout / "build" / "sparsight"


def program() -> str:
    """Return the path of the program: the environment variable SPARSIGHT names it, or else it is that of this
    package, of the checkout of an editable install, or of PATH. Raises Error if there is none."""
    named = os.environ.get("SPARSIGHT")
    if named:
        found = shutil.which(named)
        if found:
            return found
        raise Error(f"the environment variable SPARSIGHT names the program {named}, which does not exist: correct or unset it")
    for path in _packaged():
        if os.access(path, os.X_OK):
            return str(path)
    for folder in os.get_exec_path():
        path = pathlib.Path(folder) / "sparsight"
        if os.access(path, os.X_OK) and path.is_file() and not _is_launcher(str(path)):
            return str(path)
    raise Error("the program sparsight is not found: install it, or name it in the environment variable SPARSIGHT")


F = TypeVar("F", bound=Callable[..., Any])


def quiet_interrupts(function: F) -> F:
    """Shorten the traceback of KeyboardInterrupt to the caller's own lines: the module's lines say nothing then."""

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        __tracebackhide__ = True  # for IPython
        try:
            return function(*arguments, **options)
        except KeyboardInterrupt as interrupt:
            raise interrupt.with_traceback(None) from None

    return cast(F, call)


def words(options: dict[str, Any]) -> list[str]:
    """Options as the program reads them: drop_zeros=True is --drop-zeros, and lists are separated by commas."""
    given = []
    for name, value in options.items():
        word = "--" + name.replace("_", "-")
        if value is True:
            given.append(word)
        elif value is not None and value is not False:
            if isinstance(value, (list, tuple)):
                value = ",".join(str(item) for item in value)
            given.append(f"{word}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return given


def end(child: subprocess.Popen[bytes]) -> None:
    """End an interrupted program, which removes its temporary files first. The terminal's Control-C has reached it, too."""
    with contextlib.suppress(ProcessLookupError):
        child.send_signal(signal.SIGINT)
    try:
        child.wait(PATIENCE)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        child.kill()
        child.wait()


class _Line:
    """A progress line, in a notebook or on a terminal, from its first words until close()."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self.show, self.shown = show, ""

    def update(self, text: str) -> None:
        if text != self.shown:
            self.shown = text
            self.show(text)

    def close(self) -> None:
        self.update("")


def _notebook_line() -> _Line:
    display: Any = importlib.import_module("IPython.display").display
    handles: list[Any] = []

    def show(text: str) -> None:
        data = {"text/plain": text}
        if handles:
            handles[0].update(data, raw=True)
        else:
            handles.append(display(data, raw=True, display_id=True))

    return _Line(show)


def _terminal_line() -> _Line:
    def show(text: str) -> None:
        sys.stderr.write("\r\x1b[K" + text)
        sys.stderr.flush()

    return _Line(show)


def progress_line(wanted: bool | None) -> _Line | None:
    """The line that shows progress: None if it is unwanted, or if nobody would see it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if wanted is False:
        return None
    if shell is not None and hasattr(shell, "kernel"):
        return _notebook_line()
    return _terminal_line() if wanted or sys.stderr.isatty() else None


def _split(stream: bytes) -> tuple[str, str]:
    """Divide the program's standard error into messages and the latest words of its progress line."""
    first, *pieces = stream.split(CLEAR_LINE)
    said, latest = [first], ""
    for piece in pieces:
        line, newline, rest = piece.rpartition(b"\n")
        if newline:
            said.append(line + newline)
        latest = rest.decode(errors="replace")
    return b"".join(said).decode(errors="replace"), latest


def _watch(child: subprocess.Popen[bytes], terminal: int, line: _Line) -> tuple[bytes, str]:
    """Read the program's output until it ends, and show its progress. Its standard error is a terminal, since the program shows
    progress to people only."""
    out, err = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(terminal, selectors.EVENT_READ, err)
        if child.stdout is not None:
            selector.register(child.stdout, selectors.EVENT_READ, out)
        while selector.get_map():
            for key, _ in selector.select():
                try:
                    some = os.read(key.fd, 1 << 16)
                except OSError:  # a terminal without a writer
                    some = b""
                if not some:
                    selector.unregister(key.fileobj)
                key.data.extend(some)
            line.update(_split(bytes(err))[1])
    line.close()
    return bytes(out), _split(bytes(err))[0]


def run(
    command: str,
    options: dict[str, Any],
    operands: Sequence[str],
    stdin: BinaryIO | None = None,
    stdout: BinaryIO | None = None,
    descriptors: Sequence[int] = (),
    folder: str | None = None,
    progress: bool | None = None,
) -> Done:
    """Run a command of the program until its end. Its standard output goes to the file `stdout`, or is returned. If the caller is
    interrupted, the program ends first."""
    line = progress_line(progress)
    terminal = -1
    error: int = subprocess.PIPE
    if line is not None:
        import pty
        import tty

        try:
            terminal, error = pty.openpty()
            tty.setraw(error)
        except OSError:  # a container without /dev/pts
            line = None
    try:
        child = subprocess.Popen(
            [program(), command, *words(options), "--", *operands],
            stdin=stdin if stdin is not None else subprocess.DEVNULL,
            stdout=stdout if stdout is not None else subprocess.PIPE,
            stderr=error,
            pass_fds=descriptors,
            cwd=folder,
        )
        if line is not None:
            os.close(error)
            error = -1
        try:
            if line is not None:
                out, messages = _watch(child, terminal, line)
            else:
                out, said = child.communicate()
                messages = said.decode(errors="replace")
            child.wait()
        except BaseException:
            end(child)
            raise
        finally:
            if child.stdout is not None:
                child.stdout.close()
            if child.stderr is not None:
                child.stderr.close()
    finally:
        if line is not None:
            line.close()
            os.close(terminal)
            if error >= 0:
                os.close(error)
    return Done(out or b"", messages.strip(), child.returncode)


def interact(options: dict[str, Any], operands: Sequence[str], descriptors: Sequence[int]) -> int:
    """Run the explorer on the terminal, and return its exit status. Control-C belongs to the explorer until it ends, which
    leaves the terminal as it was."""
    child = subprocess.Popen([program(), *words(options), "--", *operands], pass_fds=descriptors)
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # another thread than the main one, which gets no signals
        return child.wait()
    try:
        return child.wait()
    finally:
        signal.signal(signal.SIGINT, before)
