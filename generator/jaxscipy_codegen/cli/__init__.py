"""The command line: `jaxscipy-ext new`, `generate`, `check`, `list`.

Exit codes: 0 all is well; 1 `--check` found differences, or `check` found something wrong; 2 mistakes in specs,
arguments or the installation; 130 interrupted. Nothing is written unless everything is right.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from jaxscipy_codegen import interrupts
from jaxscipy_codegen.cli import check, generate, listing, new

_EXTRA = 'pip install "jaxscipy_ext[generate]"'
_NEEDED = ("jinja2", "mpmath", "pydantic", "pydantic_core", "ruff", "sympy", "yaml")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = _parser().parse_args(argv)
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # your own hosts are modules of the folder that you are in
    try:
        with interrupts.terminating():
            return options.run(options)
    except KeyboardInterrupt as interrupted:
        print(f"\ninterrupted; {str(interrupted) or 'nothing was written'}", file=sys.stderr)
        return 130
    except ImportError as error:
        # SymPy answers to a missing mpmath with a sentence of its own.
        missing = (error.name or "").partition(".")[0] or next((name for name in _NEEDED if name in str(error)), "")
        if missing not in _NEEDED:
            raise
        print(f"jaxscipy-ext needs {missing}, which isn't installed; run\n    {_EXTRA}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has left; Python would complain about it at exit
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jaxscipy-ext", description="Drafts, generates, checks and lists JAX functions from specs."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (generate, listing, new, check):
        command.add(commands)
    return parser
