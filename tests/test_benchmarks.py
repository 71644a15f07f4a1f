"""The benchmarks run, the native path is worth its name, and the comparison page is what its script writes."""

import re
import sys
from pathlib import Path

import pytest

from jaxscipy_ext.runtime import native

FOLDER = Path(__file__).parent / "benchmarks"
sys.path.insert(0, str(FOLDER))


def test_a_scan_step_is_far_faster_than_by_a_callback() -> None:
    import contenders
    import table
    from tasks import tasks

    if not native.status().available:
        pytest.skip(f"no native library: {native.status().reason}")
    scan = next(task for task in tasks(largest=2) if task.name == "scan step")
    row = table.measure(contenders.SUBJECTS["gammaln(x)"], scan, budget=0.1)
    assert {contenders.NATIVE, contenders.CALLBACK, contenders.RECIPE} <= set(row)
    assert row[contenders.RECIPE][0] > 20 * row[contenders.NATIVE][0]  # over 100 where nothing else runs


def test_the_comparison_page_is_what_the_script_writes() -> None:
    """But for our own counts, which change with every spec."""
    import comparison

    page, written = (
        re.sub(r"(?m)^\| \*\*jaxscipy_ext\*\* .*$", "", text)
        for text in (comparison.PAGE.read_text(encoding="utf-8"), comparison.text())
    )
    assert page == written, "run python tests/benchmarks/comparison.py"
