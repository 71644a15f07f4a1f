"""`jaxscipy-ext list`."""

import argparse
import json
from pathlib import Path
from typing import Any

from jaxscipy_codegen.cli.sentences import with_errors


def add(commands: Any) -> None:
    """Describe the command and its options."""
    command = commands.add_parser("list", help="list functions, arguments and where their derivatives come from")
    command.add_argument(
        "specs", nargs="*", type=Path, metavar="SPEC", help="spec file or folder; default: the shipped ones"
    )
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from jaxscipy_codegen.listing import rows, table

    def run() -> int:
        found = rows(options.specs)
        print(json.dumps(found, indent=2, ensure_ascii=False) if options.json else table(found))
        return 0

    return with_errors(run)
