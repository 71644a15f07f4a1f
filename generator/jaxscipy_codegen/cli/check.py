"""`jaxscipy-ext check`."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from jaxscipy_codegen.cli.arguments import natural, not_writable, positive
from jaxscipy_codegen.cli.sentences import with_errors

_DTYPES = ("float32", "float64", "complex128")
_BACKENDS = ("auto", "native", "callback")
_TRANSFORMS = ("value", "jit", "vmap", "jvp", "vjp", "grad", "hessian")


def add(commands: Any) -> None:
    """Describe the command and its options."""
    command = commands.add_parser(
        "check",
        help="verify functions against their hosts, numerically",
        description="Compares values with the host and derivatives with differences of it and with mpmath, under every "
        "transformation. Without NAME: all functions; names come before options. Exits with 1 if anything is wrong.",
    )
    command.add_argument("names", nargs="*", metavar="NAME", help="function; default: all")
    command.add_argument(
        "--spec", action="append", nargs="+", default=[], metavar="FILE", help="your own specs, in place of the shipped"
    )
    command.add_argument("--dtype", nargs="+", choices=_DTYPES, default=list(_DTYPES), help="default: all three")
    command.add_argument("--backend", nargs="+", choices=_BACKENDS, default=["auto"], help="default: auto")
    command.add_argument("--transform", nargs="+", choices=_TRANSFORMS, default=[], help="default: all")
    command.add_argument(
        "--points", type=positive, default=16, metavar="N", help="sample points (and on every line; 16)"
    )
    command.add_argument("--seed", type=natural, default=0, metavar="S", help="another set of points")
    command.add_argument("--device", choices=["cpu", "gpu"], default="cpu")
    command.add_argument("--jobs", type=positive, default=None, metavar="N", help="processes; default: one per core")
    command.add_argument("--report", type=Path, metavar="FILE.html", help="write a page with tables and plots")
    command.add_argument("--json", type=Path, metavar="FILE.json", help="write the results as JSON")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from jaxscipy_codegen import checking
    from jaxscipy_codegen.errors import did_you_mean

    for path in (options.report, options.json):
        if path is not None and (problem := not_writable(path)):  # said now, not after a run of minutes
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

    return with_errors(run)
