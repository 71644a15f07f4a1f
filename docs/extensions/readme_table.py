"""The table of families in the README: `python docs/extensions/readme_table.py` writes it, a test compares it."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import composed_functions
from jaxscipy_codegen import _resources
from jaxscipy_codegen.load import load

README = Path(__file__).resolve().parents[2] / "README.md"
BEGIN, END = "<!-- families: python docs/extensions/readme_table.py -->", "<!-- end of families -->"
COLUMNS = 3


def counts() -> Iterator[tuple[str, int]]:
    """Title and number of names of every family: functions and aliases."""
    library = load([_resources.specs()])
    for module in sorted(library, key=lambda module: chapter(module.chapter)):
        yield module.title.partition(":")[0], sum(library[name].public for name in module.functions)
    for group in composed_functions.groups():
        yield group.title, len(group.names)


def chapter(text: str | None) -> tuple[float, ...]:
    """`DLMF 10.61` as something to sort by; what has no chapter comes last."""
    numbers = [float(number) for number in re.findall(r"\d+", text or "")]
    return (numbers[0], numbers[1] if len(numbers) > 1 else 0.0) if numbers else (99.0, 0.0)


def table() -> str:
    """The table, several families a row, and the total."""
    found = list(counts())
    rows = ["| family | names " * COLUMNS + "|", "| --- | ---: " * COLUMNS + "|"]
    grouped = zip_longest(*[iter(found)] * COLUMNS, fillvalue=("", ""))
    rows += ["".join(f"| {title} | {count} " for title, count in row) + "|" for row in grouped]
    total = sum(count for _, count in found)
    return "\n".join([f"{total} names in {len(found)} families:", "", *rows])


def written(begin: str = BEGIN, end: str = END) -> str:
    """What the README has between two marks."""
    return README.read_text(encoding="utf-8").split(begin)[1].split(end)[0].strip("\n")


def replace(begin: str, end: str, block: str) -> None:
    """Put a block between two marks of the README."""
    text = README.read_text(encoding="utf-8")
    head, tail = text.split(begin)[0], text.split(end)[1]
    README.write_text(f"{head}{begin}\n\n{block}\n\n{end}{tail}", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    replace(BEGIN, END, table())
