"""The command line: `jaxscipy-ext new`, `generate`, `check`, `list`.

Exit codes: 0 all is well; 1 `--check` found differences, or `check` found something wrong; 2 mistakes in specs,
arguments or the installation; 130 interrupted. Nothing is written unless everything is right.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxscipy_codegen import interrupts

if TYPE_CHECKING:
    from jaxscipy_codegen.generate import Job

_EXTRA = 'pip install "jaxscipy_ext[generate]"'
_DTYPES = ("float32", "float64", "complex128")
_BACKENDS = ("auto", "native", "callback")
_TRANSFORMS = ("value", "jit", "vmap", "jvp", "vjp", "grad", "hessian")
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
    _add_new(commands)
    _add_check(commands)
    return parser


def _add_new(commands: Any) -> None:
    new = commands.add_parser(
        "new",
        help="draft the spec of a function of yours",
        description="Imports a host function, looks at it with small arrays and drafts its spec, saying what it saw.",
    )
    new.add_argument("host", metavar="PACKAGE.MODULE.FUNCTION", help="the host: a ufunc, or a function of NumPy arrays")
    new.add_argument("--out", type=Path, metavar="FILE", help="spec file; an existing one gets one entry more")
    new.add_argument(
        "--at", nargs="+", default=[], type=_value, metavar="NAME=VALUE", help="a point at which the host has numbers"
    )
    new.set_defaults(run=_new)


def _value(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=VALUE; write for example x=0.5") from None


def _new(options: argparse.Namespace) -> int:
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

    return _with_errors(run)


def _add_check(commands: Any) -> None:
    check = commands.add_parser(
        "check",
        help="verify functions against their hosts, numerically",
        description="Compares values with the host and derivatives with differences of it and with mpmath, under every "
        "transformation. Without NAME: all functions; names come before options. Exits with 1 if anything is wrong.",
    )
    check.add_argument("names", nargs="*", metavar="NAME", help="function; default: all")
    check.add_argument(
        "--spec", action="append", nargs="+", default=[], metavar="FILE", help="your own specs, in place of the shipped"
    )
    check.add_argument("--dtype", nargs="+", choices=_DTYPES, default=list(_DTYPES), help="default: all three")
    check.add_argument("--backend", nargs="+", choices=_BACKENDS, default=["auto"], help="default: auto")
    check.add_argument("--transform", nargs="+", choices=_TRANSFORMS, default=[], help="default: all")
    check.add_argument(
        "--points", type=_positive, default=16, metavar="N", help="sample points (and on every line; 16)"
    )
    check.add_argument("--seed", type=_natural, default=0, metavar="S", help="another set of points")
    check.add_argument("--device", choices=["cpu", "gpu"], default="cpu")
    check.add_argument("--jobs", type=_positive, default=None, metavar="N", help="processes; default: one per core")
    check.add_argument("--report", type=Path, metavar="FILE.html", help="write a page with tables and plots")
    check.add_argument("--json", type=Path, metavar="FILE.json", help="write the results as JSON")
    check.set_defaults(run=_check)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 1 or more")
    return int(text)


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 0 or more")
    return int(text)


def _not_writable(path: Path) -> str:
    """Why no file can be written there, and what to write instead; empty if one can."""
    if path.is_dir():
        return "is a folder; write the name of a file in it"
    if not path.resolve().parent.is_dir():
        return "its folder doesn't exist; write one that does"
    if not os.access(path if path.exists() else path.resolve().parent, os.W_OK):
        return "can't be written; write another path"
    return ""


def _check(options: argparse.Namespace) -> int:
    from jaxscipy_codegen import checking
    from jaxscipy_codegen.errors import did_you_mean

    for path in (options.report, options.json):
        if path is not None and (problem := _not_writable(path)):  # said now, not after a run of minutes
            print(f"{path}: {problem}", file=sys.stderr)
            return 2

    def run() -> int:
        settings = checking.Settings(
            tuple(str(path) for given in options.spec for path in given),
            transforms=tuple(options.transform),
            points=options.points,
            seed=options.seed,
            device=options.device,
        )
        if options.device == "gpu" and (problem := checking.no_gpu()):
            print(problem, file=sys.stderr)
            return 2
        try:
            tasks = checking.tasks(options.names, settings, options.dtype, options.backend)
        except KeyError as error:
            name = error.args[0]
            hint = did_you_mean(name, checking.known_names(settings))
            print(f"there is no function {name!r} with a spec; {hint}".rstrip("; "), file=sys.stderr)
            return 2
        if not tasks:
            print("nothing to check: none of the functions takes such arguments", file=sys.stderr)
            return 2
        progress = checking.Progress(len(tasks))
        jobs = 1 if options.device == "gpu" else options.jobs or checking.cores()

        def show(found: list[checking.Result]) -> None:
            print("\n".join(checking.summary(found)))
            if options.json is not None:
                text = json.dumps([result.as_json() for result in found], indent=1, ensure_ascii=False)
                options.json.write_text(text + "\n", encoding="utf-8")
            if options.report is not None:
                options.report.write_text(checking.page(found, settings), encoding="utf-8")

        try:
            with checking.generated(settings) as ready:
                found = checking.results(tasks, ready, jobs, progress)
        except checking.Interrupted as interrupted:
            show(interrupted.found)
            raise
        show(found)
        return 0 if all(result.passed for result in found) else 1

    return _with_errors(run)


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
        code = run()
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # `jaxscipy-ext list | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
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
