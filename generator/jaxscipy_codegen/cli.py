"""The command line: `jaxscipy-ext generate`, `jaxscipy-ext list`.

Exit codes: 0 all is well; 1 `--check` found differences; 2 mistakes in specs, arguments or the installation;
130 interrupted. Nothing is written unless everything is right.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxscipy_codegen.generate import Job

_EXTRA = 'pip install "jaxscipy_ext[generate]"'
_NEEDED = ("jinja2", "mpmath", "pydantic", "pydantic_core", "ruff", "sympy", "yaml")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = _parser().parse_args(argv)
    try:
        return options.run(options)
    except KeyboardInterrupt:
        print("\ninterrupted; nothing was written", file=sys.stderr)
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
    parser = argparse.ArgumentParser(prog="jaxscipy-ext", description="Generates JAX functions from specs.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    generate = commands.add_parser(
        "generate",
        help="write the modules that specs describe",
        description="Writes a module per spec. Without SPEC: all of jaxscipy_ext's own, into the package.",
    )
    generate.add_argument("specs", nargs="*", type=Path, metavar="SPEC", help="spec file, or folder of spec files")
    generate.add_argument("--out", type=Path, metavar="DIR", help="folder of the modules (your own specs need it)")
    generate.add_argument("--check", action="store_true", help="write nothing; print a diff and exit 1 if files differ")
    generate.set_defaults(run=_generate)
    listing = commands.add_parser("list", help="list functions, arguments and where their derivatives come from")
    listing.add_argument(
        "specs", nargs="*", type=Path, metavar="SPEC", help="spec file or folder; default: the shipped ones"
    )
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(run=_list)
    return parser


def _generate(options: argparse.Namespace) -> int:
    from jaxscipy_codegen import write

    def run(job: "Job") -> int:
        found = write.changes(job.files(_progress), job.complete)
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
        return 0

    return _with_errors(lambda: run(_job(options)))


def _job(options: argparse.Namespace) -> "Job":
    from jaxscipy_codegen.generate import Job

    return Job.of(options.specs, options.out)


def _list(options: argparse.Namespace) -> int:
    from jaxscipy_codegen.listing import rows, table

    def run() -> int:
        found = rows(options.specs)
        print(json.dumps(found, indent=2, ensure_ascii=False) if options.json else table(found))
        return 0

    return _with_errors(run)


def _with_errors(run: Callable[[], int]) -> int:
    """Run, and print what is wrong with specs, files or arguments as sentences."""
    from jaxscipy_codegen.errors import SpecError
    from jaxscipy_codegen.write import NotGenerated

    try:
        return run()
    except SpecError as error:
        _progress("")
        print(error, file=sys.stderr)
        count = len(error.problems)
        print(f"{count} mistake{'s' if count > 1 else ''}; nothing was written", file=sys.stderr)
    except (NotGenerated, OSError) as error:
        _progress("")
        print(f"{error}\nnothing was written", file=sys.stderr)
    return 2


def _progress(text: str) -> None:
    """One line on a terminal that is overwritten again and again; nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
