"""What the README shows is true: its spec entry, its table, its two commands (its examples: tests/docs)."""

import re
from pathlib import Path

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


def test_table_of_families_is_that_of_the_specs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "extensions"))
    import readme_table

    assert readme_table.written() == readme_table.table(), "run: python docs/extensions/readme_table.py"


def test_speed_table_is_that_of_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "extensions"))
    import readme_speed
    import readme_table

    written = readme_table.written(readme_speed.BEGIN, readme_speed.END)
    assert written == readme_speed.table(), "run: python docs/extensions/readme_speed.py"


def test_readme_is_two_screens_and_its_links_lead_somewhere() -> None:
    assert len(README.splitlines()) <= 120
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert len(links) > 5
    assert not [link for link in links if not (ROOT / link).exists()]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_the_ones_that_ci_runs(command: str) -> None:
    assert f"```sh\n{command}\n```" in README
    steps = [line.strip() for line in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()]
    assert set(command.split(" && ")) <= set(steps)


def test_spec_entry_is_the_one_in_the_specs() -> None:
    spec = (ROOT / "specs/bessel.yaml").read_text(encoding="utf-8").split("\n  kv:\n")[1].split("\n  kve:")[0]
    lines = spec.splitlines()
    assert [line for line in block("yaml", "kv:\n")[1:] if f"  {line}" not in lines] == []
