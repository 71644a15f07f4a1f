"""`jaxscipy-ext new`."""

import argparse
import sys
from pathlib import Path
from typing import Any

from jaxscipy_codegen.cli.arguments import point
from jaxscipy_codegen.cli.sentences import with_errors


def add(commands: Any) -> None:
    """Describe the command and its options."""
    command = commands.add_parser(
        "new",
        help="draft the spec of a function of yours",
        description="Imports a host function, looks at it with small arrays and drafts its spec, saying what it saw.",
    )
    command.add_argument(
        "host", metavar="PACKAGE.MODULE.FUNCTION", help="the host: a ufunc, or a function of NumPy arrays"
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="spec file; an existing one gets one entry more")
    command.add_argument(
        "--at", nargs="+", default=[], type=point, metavar="NAME=VALUE", help="a point at which the host has numbers"
    )
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from jaxscipy_codegen import drafting, write
    from jaxscipy_codegen.probing import CannotProbe

    def run() -> int:
        try:
            draft = drafting.Draft(options.host, dict(options.at))
            path = options.out or Path(f"{drafting.module_name(draft.path.split('.')[-2])}.yaml")
            text = drafting.added(draft, path) if options.out else drafting.document(draft, path.stem)
            drafting.checked(text, path, draft.library)
        except (drafting.CannotDraft, CannotProbe) as error:
            print(f"{error}\nnothing was written", file=sys.stderr)
            return 2
        if options.out is None:
            print(text, end="")
            return 0
        before = path.read_text(encoding="utf-8") if path.exists() else None
        write.apply([write.Change(path, before, text)])
        for remark in draft.remarks:
            print(f"saw: {remark}")
        print(f"wrote {path}: edit it, then run\n    jaxscipy-ext generate {path} --out DIR")
        return 0

    return with_errors(run)
