"""The accuracy page: its command works, its numbers are what the command measures, and it covers every reference."""

import re
from pathlib import Path

import accuracy
import accuracy_references
import numpy as np
import pytest
import yaml
from accuracy_domains import ENTRIES, Entry

MEASURED = [entry for entry in ENTRIES if accuracy_references.path(entry).exists()]
SAMPLE = ("kv", "jv_complex", "gammainc", "betaincinv", "stdtr", "hyp1f1", "hyperu", "pbwa", "zeta", "mathieu_modcem2",
          "pro_ang1", "obl_rad2", "ellip_harm_2")  # fmt: skip


def find(name: str) -> Entry:
    return next(entry for entry in ENTRIES if entry.name == name)


@pytest.mark.parametrize("name", SAMPLE)
def test_first_reference_points(name: str) -> None:
    for result in accuracy.measure(find(name), 40):
        assert result.sound.sum() >= 30
        error, point = result.worst()[0]
        assert error <= accuracy.GOAL, f"{name} in {result.argument} at {point}: {error:.1e}"


def test_page_shows_what_is_measured(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="error maps need the extra docs")
    accuracy.main(["gammainc", "stdtrit", "--points", "25", "--out", str(tmp_path), "--no-cost"])
    page = (tmp_path / "accuracy.md").read_text(encoding="utf-8")
    (result,) = accuracy.measure(find("stdtrit"), 25)
    row = next(line for line in page.splitlines() if line.startswith("| `stdtrit` | `df` |"))
    assert [cell.strip() for cell in row.split("|")][4:6] == ["25", f"{result.largest:.0e}".replace("e-0", "e-")]
    assert (tmp_path / "pictures" / "accuracy-gamma.png").stat().st_size > 5000


def test_a_wrong_derivative_would_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="error maps need the extra docs")
    table = accuracy_references.load(find("gammainc"))
    monkeypatch.setattr(accuracy_references, "load", lambda _: table | {"slope": table["slope"] * (1 + 1e-9)})
    accuracy.main(["gammainc", "--points", "25", "--out", str(tmp_path), "--no-cost"])
    page = (tmp_path / "accuracy.md").read_text(encoding="utf-8")
    assert "| `gammainc` | `a` | 25 of 25 | 1e-9 |" in page


def test_page_in_the_docs_covers_every_reference() -> None:
    page = (accuracy.ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8").partition("## Where")[0]
    counts = {
        (row[0], row[1]): int(row[3]) for row in re.findall(r"^\| (.+?) \| `(\w+)` \| (.*?) \| (\d+) \|", page, re.M)
    }
    for entry in MEASURED:
        points = len(accuracy_references.load(entry)["args"])
        for argument in entry.arguments:
            assert counts[accuracy.label(entry), argument] == points, f"{entry.name}: run tests/derivatives/accuracy.py"


def test_the_choice_of_kernel_or_stencil_stands_in_the_spec_with_its_accuracy() -> None:
    for path in sorted((accuracy.ROOT / "specs").glob("*.yaml")):
        for function, entry in yaml.safe_load(path.read_text(encoding="utf-8"))["functions"].items():
            for argument, keys in entry.get("args", {}).items():
                derivative = (keys or {}).get("derivative", {})
                if "kernel" in derivative or "stencil" in derivative:
                    assert re.search(r"\de-\d", derivative.get("note", "")), (
                        f"{function} in {argument}: note what it attains"
                    )


@pytest.mark.parametrize("name", ["kv", "betaincinv", "hyp2f1_complex"])
def test_references_are_mpmath_s(name: str) -> None:
    entry = find(name)
    table = accuracy_references.load(entry)
    if entry.inverse is not None:
        return_to_x = [*table["args"][3]]
        return_to_x[entry.inverse] = table["value"][3].item()
        point = tuple(return_to_x)
    else:
        point = tuple(
            q.item() if k == len(table["args"][3]) - 1 else q.real.item() for k, q in enumerate(table["args"][3])
        )
    found = accuracy_references.compute(entry, point)
    assert found is not None
    tolerance = 1e-15 if entry.inverse is None else 1e-9  # x was rounded
    for j, slopes in enumerate(found[1]):
        np.testing.assert_allclose([complex(s) for s in slopes], table["slope"][3, j], rtol=tolerance)
