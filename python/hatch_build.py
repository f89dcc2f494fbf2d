"""The hook of hatchling that puts the program into the wheel.

The environment variable SPARSIGHT_PROGRAM names a folder with the program: bin/sparsight, the libraries that it loads in lib/,
data/, man/ and COPYING, as `make wheel` makes it. Without the variable the program is built from the sources around this folder, without
CUDA and MPI. If it is `none`, the wheel has the module alone, which runs the program of PATH. An editable install runs the
program of the build folder."""

import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: The folders of the program, and where the package has them.
FOLDERS = {"bin": "sparsight/bin", "lib": "sparsight/lib", "data": "sparsight/data"}


def build_program(sources: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Configure and build the sources in a folder, and return the folder with the program."""
    if not (sources / "configure.ac").is_file():
        raise RuntimeError(
            f"{sources} has no sources of the program: build a checkout of sparsight, name a folder with bin/sparsight in the "
            "environment variable SPARSIGHT_PROGRAM, or set it to none for the module alone"
        )
    if not (sources / "configure").is_file():
        subprocess.run(["autoreconf", "-fi"], cwd=sources, check=True)
    subprocess.run([str(sources / "configure"), "-q", "--without-cuda", "--without-mpi"], cwd=folder, check=True)
    subprocess.run(["make", "-s", f"-j{os.cpu_count() or 1}", "python-program"], cwd=folder, check=True)
    return folder / "python" / "program"


class ProgramHook(BuildHookInterface):
    def initialize(self, version, build_data):
        named = os.environ.get("SPARSIGHT_PROGRAM", "")
        if self.target_name != "wheel" or version == "editable" or named == "none":
            return
        if named:
            program = pathlib.Path(named)
        else:
            # It lives until the wheel is written.
            self.built = tempfile.TemporaryDirectory()
            program = build_program(pathlib.Path(self.root).parent, pathlib.Path(self.built.name))
        if not os.access(program / "bin" / "sparsight", os.X_OK):
            raise RuntimeError(f"{program} has no bin/sparsight: let SPARSIGHT_PROGRAM name a folder that `make python-program` made")
        for name, place in FOLDERS.items():
            for path in sorted(p for p in (program / name).rglob("*") if p.is_file()):
                build_data["force_include"][str(path)] = f"{place}/{path.relative_to(program / name).as_posix()}"
        if (program / "COPYING").is_file():
            build_data["force_include"][str(program / "COPYING")] = "sparsight/COPYING"
        # Hatchling before 1.24 has no shared_data in build_data.
        shared = self.build_config.target_config.setdefault("shared-data", {})
        for path in sorted((program / "man").rglob("*.[1-9]")):
            shared[str(path)] = f"share/man/{path.relative_to(program / 'man').as_posix()}"
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        print(f"the program of {program} is in the wheel", file=sys.stderr)
