"""Every code block in the README and in the documentation runs and prints what the page shows."""

import re
from collections.abc import Iterator
from pathlib import Path

import jax
import pages
import pytest

from jaxscipy_ext.runtime import native

pytest.importorskip("sphinx", reason='pages run where the site is built: pip install "jaxscipy_ext[docs]"')

ROOT = pages.ROOT
GENERATED = (ROOT / "docs/_build", ROOT / "docs/generated", ROOT / "docs/reference/families")
PAGES = [
    ROOT / "README.md",
    *sorted(p for p in ROOT.glob("docs/**/*.md") if not any(p.is_relative_to(folder) for folder in GENERATED)),
]
WITH_THE_WHEEL = {"your-own-functions", "a-scalar-routine", "a-random-sampler"}
"""Pages that tests/packaging follows with an installed wheel."""
KNOWN = {"python", "output", "console", "sh", "yaml", "text", "toml", "toctree", "image", "figure", "include", "math"}


@pytest.fixture(autouse=True)
def as_a_user_starts() -> Iterator[None]:
    """JAX's own settings, and the suite's again afterwards."""
    names = ("jax_enable_x64", "jax_traceback_filtering", "jax_compilation_cache_dir")
    before = {name: getattr(jax.config, name) for name in names}
    jax.config.update("jax_enable_x64", False)
    yield
    for name, value in before.items():
        jax.config.update(name, value)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page_prints_what_it_shows(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for need in re.findall(r"^% Needs (.*)\.$", text, re.MULTILINE):
        if need == "the native library" and not native.status().available:
            pytest.skip(f"no native library: {native.status().reason}")
        for module in re.findall(r"`(\w+)`", need):
            pytest.importorskip(module)
    found = list(pages.blocks(text))
    unknown = {block.language for block in found} - KNOWN
    assert not {language for language in unknown if not re.match(r"(py|myst|eval|card|grid|tab|note|div)", language)}
    runnable = [block for block in found if block.language in ("python", "console") and not block.file]
    if not runnable:
        pytest.skip("no code on this page")
    ran, complaints = pages.run(page, tmp_path)
    assert ran >= len(runnable)
    assert not complaints, "\n".join(complaints)


def test_a_wrong_number_is_seen(tmp_path: Path) -> None:
    page = ROOT / "docs" / "_build" / "wrong.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text("```python\n>>> 0.1 + 0.25\n0.38\n>>> 1 / 3\n0.3333\n```\n\n```python\nprint(1)\n```\n")
    ran, complaints = pages.run(page, tmp_path)
    page.unlink()
    assert ran == 3
    assert len(complaints) == 2
    assert "0.38" in complaints[0]
