"""Runs the code blocks of a Markdown page and compares what they print with what the page shows.

`python tests/docs/pages.py docs/tutorial/first-gradient.md` runs one page and prints where it is wrong.

- `python` with prompts: a doctest. Numbers may differ by one unit in the last digit that is shown.
- `python` without prompts: executed; an `output` block right below it shows what it prints.
- `console`: `$ command` lines run in an empty folder that belongs to the page, with the output below them.
- A block below a line `File NAME:` (or `` `NAME`: ``) is written to that file of the folder.
- `% Needs the native library.` or ``% Needs `numpyro`.`` at the top says where a page can't run.
- `sh` and `yaml` without a file name are excerpts, which other tests compare with the files they are from.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = "JAXSCIPY_EXT_PAGES_INSTALLED"
"""Set in the environment: the packages of PYTHONPATH are tried, not those of this checkout."""
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)(?P=fence) *$", re.M | re.S
)
_FILE = re.compile(r"^(?:File )?`(?P<name>[\w./-]+)`:\s*$")
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?(?![\w])")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    text: str
    line: int
    file: str | None
    """The file that the page says it is."""


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page, in order."""
    for found in _FENCE.finditer(text):
        above = text[: found.start()].rstrip().rsplit("\n", 1)[-1]
        named = _FILE.match(above)
        indent = len(found["indent"])
        body = "".join(line[indent:] if line.strip() else line for line in found["body"].splitlines(keepends=True))
        yield Block(
            found["info"].strip().split(" ")[0].strip("{}"),
            body,
            text[: found.start()].count("\n") + 2,
            named["name"] if named else None,
        )


class Checker(doctest.OutputChecker):
    """Numbers count as equal if they differ by no more than one in the last digit that the page shows."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if super().check_output(want, got, optionflags):
            return True
        shown, found = _NUMBER.findall(want), _NUMBER.findall(got)
        if len(shown) != len(found) or "..." in want or not all(map(_close, shown, found)):
            return False
        return super().check_output(_NUMBER.sub("#", want), _NUMBER.sub("#", got), optionflags)


def _close(shown: str, found: str) -> bool:
    if shown == found:
        return True
    if "." not in shown + found:
        return False
    last = min(_last_digit(shown), _last_digit(found))
    return abs(float(shown) - float(found)) <= 1.5 * last


def _last_digit(number: str) -> float:
    mantissa, _, exponent = number.partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def same(want: str, got: str) -> bool:
    """Whether a program printed what the page shows."""
    return Checker().check_output(want, got, FLAGS)


def run(page: Path, folder: Path) -> tuple[int, list[str]]:
    """Run a page; the number of blocks and examples that ran, and what is wrong."""
    import jax

    os.environ.setdefault("MPLBACKEND", "Agg")
    jax.config.update("jax_traceback_filtering", "off")  # else JAX adds a note to exceptions, which a page doesn't show
    namespace: dict[str, Any] = {"__name__": "__main__"}
    complaints: list[str] = []
    ran = 0
    found = list(blocks(page.read_text(encoding="utf-8")))
    for k, block in enumerate(found):
        where = f"{page.relative_to(ROOT)}:{block.line}"
        if block.file:
            target = folder / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "python" and ">>> " in block.text:
            runner = doctest.DocTestRunner(Checker(), verbose=False, optionflags=FLAGS)
            test = doctest.DocTestParser().get_doctest(block.text, namespace, where, where, block.line - 1)
            report = io.StringIO()
            with _inside(folder):
                ran += runner.run(test, out=report.write, clear_globs=False).attempted
            namespace.update(test.globs)
            complaints += [report.getvalue()] if report.getvalue() else []
        elif block.language == "python":
            printed = io.StringIO()
            with _inside(folder), contextlib.redirect_stdout(printed):
                exec(compile(block.text, where, "exec"), namespace)  # noqa: S102
            ran += 1
            below = found[k + 1] if k + 1 < len(found) and found[k + 1].language == "output" else None
            want = below.text if below else ""
            if not same(want, printed.getvalue()):
                complaints.append(f"{where}: the page shows\n{want}and it prints\n{printed.getvalue()}")
        elif block.language == "console":
            for command, want in _commands(block.text):
                got = _shell(command, folder)
                ran += 1
                if not same(want, got):
                    complaints.append(f"{where}: {command}\nthe page shows\n{want}and it prints\n{got}")
    return ran, complaints


def _commands(text: str) -> Iterator[tuple[str, str]]:
    command, output = "", ""
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:].strip(), ""
        elif command.endswith("\\"):
            command = command[:-1] + line.strip()
        else:
            output += line
    if command:
        yield command, output


def _shell(command: str, folder: Path) -> str:
    """Run as a user would: `python` and `jaxscipy-ext` are those of this environment."""
    python = f'"{sys.executable}"'
    command = re.sub(r"(^|[;&|] *)jaxscipy-ext\b", rf"\1{python} -m jaxscipy_codegen", command)
    command = re.sub(r"(^|[;&|] *|=\S+ )python\b", rf"\1{python}", command)
    own = [] if INSTALLED in os.environ else [str(ROOT), str(ROOT / "generator")]
    path = os.pathsep.join([*own, os.environ.get("PYTHONPATH", "")])
    environment = {k: v for k, v in os.environ.items() if k != "XLA_FLAGS"} | {"PYTHONPATH": path}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, text=True, timeout=120, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """In that folder, from which modules can be imported."""
    before = Path.cwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        os.chdir(before)


if __name__ == "__main__":
    import tempfile

    os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
    wrong = 0
    for argument in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as temporary:
            import jax

            jax.config.update("jax_enable_x64", False)
            count, problems = run(Path(argument).resolve(), Path(temporary))
        print(f"{argument}: {count} examples, {len(problems)} wrong", *problems, sep="\n")
        wrong += len(problems)
    sys.exit(bool(wrong))
