"""Makes the wheel: a zip archive of the module with its metadata, as PEP 427 and PEP 517 have it. The same sources give the
same bytes. `python3 backend.py FOLDER` makes it there; pip calls build_wheel."""

import base64
import hashlib
import os
import pathlib
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
EARLIEST = (1980, 1, 1, 0, 0, 0)  # dates of zip archives begin here


def version():
    """The version that the module itself says."""
    return re.search(r'^__version__ = "(.*)"$', (HERE / "sparsight" / "__init__.py").read_text(), re.M).group(1)


def setting(name):
    """What pyproject.toml says of a word; Python 3.8 has no reader of TOML."""
    return re.search(rf'^{name} = "(.*)"$', (HERE / "pyproject.toml").read_text(), re.M).group(1)


def metadata():
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {setting('name')}\n"
        f"Version: {version()}\n"
        f"Summary: {setting('description')}\n"
        f"License: {setting('license')}\n"
        f"Requires-Python: {setting('requires-python')}\n"
        "Requires-Dist: numpy\n"
        "Description-Content-Type: text/markdown\n\n" + (HERE / "README.md").read_text()
    )


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Make the wheel in a folder, and return its name."""
    stem = f"{setting('name')}-{version()}"
    name = f"{stem}-py3-none-any.whl"
    files = {f"sparsight/{path.name}": path.read_bytes() for path in sorted((HERE / "sparsight").glob("*.py"))}
    files[f"{stem}.dist-info/METADATA"] = metadata().encode()
    files[f"{stem}.dist-info/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: sparsight\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{stem}.dist-info/RECORD"] = (record + f"{stem}.dist-info/RECORD,,\n").encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            info = zipfile.ZipInfo(path, EARLIEST)
            info.external_attr = 0o644 << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return name


if __name__ == "__main__":
    print(build_wheel(sys.argv[1] if len(sys.argv) > 1 else "."))
