"""What the README shows is true: its numbers, its spec entry, its generated code, its two commands."""

import doctest
import re
from pathlib import Path

import jax
import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (
    "python -m pip install . && python -m jaxscipy_ext",
    'python -m pip install -e ".[test]" && python -m pytest',
)


def block(language: str, beginning: str) -> list[str]:
    """The lines of the code block of that language that begins so."""
    found = re.search(rf"```{language}\n({re.escape(beginning)}.*?)```", README, re.DOTALL)
    assert found, beginning
    return found[1].splitlines()


def test_examples_print_what_they_say() -> None:
    x64 = jax.config.read("jax_enable_x64")
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    example = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    result = doctest.DocTestRunner(optionflags=flags).run(example)
    jax.config.update("jax_enable_x64", x64)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_the_ones_that_ci_runs(command: str) -> None:
    assert f"```sh\n{command}\n```" in README
    steps = [line.strip() for line in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()]
    assert set(command.split(" && ")) <= set(steps)


def test_spec_entry_is_the_one_in_the_specs() -> None:
    spec = (ROOT / "specs/bessel.yaml").read_text(encoding="utf-8").split("\n  jv:\n")[1].split("\n  jn:")[0]
    lines = spec.splitlines()
    assert [line for line in block("yaml", "jv:\n")[1:] if f"  {line}" not in lines] == []


def test_generated_code_is_the_generated_code() -> None:
    module = (ROOT / "jaxscipy_ext/special/bessel.py").read_text(encoding="utf-8")
    assert "\n".join(block("python", "@along(_jv)")) in module
