"""The hook of hatchling that puts the program into the wheel, and its sources into the source distribution.

The environment variable SPARSIGHT_PROGRAM names a folder with the program: bin/sparsight, the libraries that it loads in lib/,
their licences in licences/, data/ and man/, as `make python-program` makes it. Without the variable the program is built, without
CUDA and MPI, from the sources around this folder, or from those in sources/, where a source distribution has them. If it is `none`,
the wheel has the module alone, which runs the program of PATH. An editable install runs the program of the build folder."""

import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: The folders of the program, and where the package has them.
FOLDERS = {"bin": "sparsight/bin", "lib": "sparsight/lib", "data": "sparsight/data"}


def find_sources(root: pathlib.Path) -> pathlib.Path:
    """The sources of the program: in a source distribution, or around the package."""
    for sources in (root / "sources", root.parent):
        if (sources / "configure.ac").is_file():
            return sources
    raise RuntimeError(
        f"{root.parent} has no sources of the program: build a checkout of sparsight, name a folder with bin/sparsight in the "
        "environment variable SPARSIGHT_PROGRAM, or set it to none for the module alone"
    )


#: The packages of Debian that the program needs at least.
NEEDED = "build-essential autoconf automake pkg-config zlib1g-dev libarchive-dev libjansson-dev libncurses-dev"

#: The packages of Debian with what a build runs. configure names those of the libraries.
REMEDIES = {"autoreconf": "autoconf automake pkg-config", "make": "make"}


def run_tool(words: list, folder: pathlib.Path) -> None:
    """Run a program of the build. Its messages are above the error, which names the program, the folder and the remedy."""
    name = pathlib.Path(words[0]).name
    try:
        subprocess.run(words, cwd=folder, check=True)
        return
    except FileNotFoundError:
        fault, remedy = "is not found", f"install it (on Debian: apt-get install {REMEDIES.get(name, name)})"
    except subprocess.CalledProcessError as error:
        fault, remedy = f"failed with status {error.returncode}", f"correct what its messages say (on Debian: apt-get install {NEEDED})"
    raise RuntimeError(
        f"the program of sparsight cannot be built in {folder}: {name} {fault}: {remedy}; or set the environment variable "
        "SPARSIGHT_PROGRAM to none for the module alone, which runs the program of PATH"
    )


def run_make(sources: pathlib.Path, folder: pathlib.Path, *targets: str) -> None:
    """Configure the sources in a folder, and make targets there."""
    if (sources.parent / "hatch_build.py").is_file():
        # They are those of a source distribution. pip unpacks files at times of its own, but configure must not look older than
        # what it is made from.
        for path in sorted(sources.rglob("*")):
            os.utime(path, (0, 0))
    if not (sources / "configure").is_file():
        run_tool(["autoreconf", "-fi"], sources)
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    run_tool([str(sources / "configure"), "-q", "--without-cuda", "--without-mpi"], folder)
    run_tool(["make", "-s", f"-j{jobs}", *targets], folder)


class ProgramHook(BuildHookInterface):
    def initialize(self, version, build_data):
        # What is made lives until the archive is written.
        self.made = tempfile.TemporaryDirectory()
        named = os.environ.get("SPARSIGHT_PROGRAM", "")
        if self.target_name == "sdist":
            self.add_sources(build_data)
        elif self.target_name == "wheel" and version != "editable" and named != "none":
            self.add_program(pathlib.Path(named) if named else None, build_data)

    def add_sources(self, build_data):
        """The files of the program's own tarball. They make a source distribution that pip can build, with a compiler and the
        libraries."""
        sources, made = find_sources(pathlib.Path(self.root)), pathlib.Path(self.made.name)
        if sources.parent != pathlib.Path(self.root):
            run_make(sources, made, "distdir", "distdir=sources")
            sources = made / "sources"
        for path in sorted(p for p in sources.rglob("*") if p.is_file()):
            build_data["force_include"][str(path)] = f"sources/{path.relative_to(sources).as_posix()}"

    def add_program(self, program, build_data):
        if program is None:
            made = pathlib.Path(self.made.name)
            run_make(find_sources(pathlib.Path(self.root)), made, "python-program")
            program = made / "python" / "program"
        if not os.access(program / "bin" / "sparsight", os.X_OK):
            raise RuntimeError(f"{program} has no bin/sparsight: let SPARSIGHT_PROGRAM name a folder that `make python-program` made")
        folders = {**FOLDERS, "licences": f"sparsight-{self.metadata.version}.dist-info/licenses/libraries"}
        for name, place in folders.items():
            for path in sorted(p for p in (program / name).rglob("*") if p.is_file()):
                build_data["force_include"][str(path)] = f"{place}/{path.relative_to(program / name).as_posix()}"
        # Hatchling before 1.24 has no shared_data in build_data.
        shared = self.build_config.target_config.setdefault("shared-data", {})
        for path in sorted((program / "man").rglob("*.[1-9]")):
            shared[str(path)] = f"share/man/{path.relative_to(program / 'man').as_posix()}"
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        print(f"the program of {program} is in the wheel", file=sys.stderr)
