"""Files that nobody imports agree with each other: citation, workflows, hooks, release checklist."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HIDDEN = (ROOT / ".github", ROOT / ".pre-commit-config.yaml")
pytestmark = pytest.mark.skipif(
    not all(path.exists() for path in HIDDEN), reason="no checkout: .github isn't part of the source distribution"
)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_citation_has_the_version_and_licence_of_the_project() -> None:
    citation = yaml.safe_load(text("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["version"] == PROJECT["project"]["version"]
    assert citation["license"] == PROJECT["project"]["license"]


def test_changelog_begins_with_the_version_of_the_project() -> None:
    first = next(line for line in text("CHANGELOG.md").splitlines() if line.startswith("## "))
    assert first.split()[1] == PROJECT["project"]["version"]


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_workflows_and_forms_are_yaml_with_what_they_need(path: Path) -> None:
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.parent.name == "workflows":
        assert content["name"] and content["permissions"] and content[True]  # YAML 1.1 reads `on` as True
        for job in content["jobs"].values():
            assert job["runs-on"] and job["steps"]
            assert all(("uses" in step) != ("run" in step) for step in job["steps"])
    elif path.name != "config.yml":
        assert content["name"] and content["description"]
        assert all(part["type"] in {"textarea", "input", "markdown"} for part in content["body"])


@pytest.mark.parametrize("name", [".github/workflows/tests.yml", "RELEASING.md", "CONTRIBUTING.md"])
def test_steps_of_ci_that_are_named_exist(name: str) -> None:
    steps = set(re.findall(r"^(\w+)\(\) \{", text(".ci/run"), re.M))
    named = {step for call in re.findall(r"bash \.ci/run((?: [a-z]+)*)", text(name)) for step in call.split()}
    assert named <= steps
    assert named


def test_hooks_call_tools_that_the_project_installs() -> None:
    hooks = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    tools = {hook["entry"].split()[0] for hook in hooks}
    assert tools <= {"ruff", "jaxscipy-ext", "lint-imports", "basedpyright"}


def test_extras_that_are_named_exist() -> None:
    extras = PROJECT["project"]["optional-dependencies"].keys()
    for name in ("README.md", "CONTRIBUTING.md", ".ci/run", ".github/workflows/docs.yml", "docs/reference/package.md"):
        named = {extra for group in re.findall(r"\.\[([a-z,]+)\]", text(name)) for extra in group.split(",")}
        assert named <= extras, name
