"""`jaxscipy-ext generate`."""

import argparse
import sys
from pathlib import Path
from typing import Any

from jaxscipy_codegen.cli.sentences import progress, with_errors


def add(commands: Any) -> None:
    """Describe the command and its options."""
    command = commands.add_parser(
        "generate",
        help="write the modules that specs describe",
        description="Writes a module per spec. Without SPEC: all of jaxscipy_ext's own, into the package.",
    )
    command.add_argument("specs", nargs="*", type=Path, metavar="SPEC", help="spec file, or folder of spec files")
    command.add_argument("--out", type=Path, metavar="DIR", help="folder of the modules (your own specs need it)")
    command.add_argument("--check", action="store_true", help="write nothing; print a diff and exit 1 if files differ")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from jaxscipy_codegen import write
    from jaxscipy_codegen.generate import Job

    def run() -> int:
        job = Job.of(options.specs, options.out)
        found = write.changes(job.files(progress), job.complete, None if job.root else job.folder)
        if options.check:
            for change in found:
                print(change.diff(job.shown(change.path)), end="")
            if found:
                print(f"{len(found)} file(s) differ; run\n    {job.command}", file=sys.stderr)
            return 1 if found else 0
        write.apply(found)
        for change in found:
            print(f"{'removed' if change.after is None else 'wrote'} {job.shown(change.path)}")
        if not found:
            print("everything is up to date")
        for remark in job.remarks:
            print(f"note: {remark}", file=sys.stderr)
        return 0

    return with_errors(run)
