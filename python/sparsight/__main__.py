"""The command sparsight of the package: it becomes the program."""

from __future__ import annotations

import os
import sys

from sparsight._program import Error, program


def main() -> int:
    """Replace this process by the program, with the same arguments. Returns only if there is no program."""
    try:
        path = program()
        os.execv(path, [path, *sys.argv[1:]])
    except (Error, OSError) as error:
        print(f"sparsight: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
