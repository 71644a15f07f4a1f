"""`jaxscipy-ext list`."""

import argparse
import difflib
import json
import sys
from pathlib import Path
from typing import Any

from jaxscipy_codegen.cli.sentences import with_errors


def add(commands: Any) -> None:
    """Describe the command and its options."""
    command = commands.add_parser(
        "list",
        help="list functions, arguments and where their derivatives come from",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_WAYS,
    )
    command.add_argument(
        "specs",
        nargs="*",
        metavar="SPEC|NAME",
        help="spec file or folder, name of a function; default: all that is shipped",
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_run)


_WAYS = """ways to a derivative:
  derived      SymPy differentiates the formula
  given        a rule, checked against the host
  inverse      the implicit function theorem on the function that is inverted
  ode          the outputs are a function and its derivative
  kernel       a NumPy function; higher orders by differences of it
  stencil      a 16-point difference of the function itself
  discrete     zero: the argument is counted
  static       no derivative: a Python value
  unavailable  asking for it raises the reason
"""


def _run(options: argparse.Namespace) -> int:
    from jaxscipy_codegen.listing import rows, table

    def run() -> int:
        names = [given for given in options.specs if given.isidentifier() and not Path(given).exists()]
        found = rows([Path(given) for given in options.specs if given not in names])
        known = {row["name"] for row in found}
        for name in names:
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                print(f"no function {name}{f'; did you mean {close[0]}?' if close else ''}", file=sys.stderr)
                return 2
        found = [row for row in found if not names or row["name"] in names]
        print(json.dumps(found, indent=2, ensure_ascii=False) if options.json else table(found))
        return 0

    return with_errors(run)
