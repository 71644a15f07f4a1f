"""What a run says on a terminal: a progress bar, a table at the end, and each failure with what shows it again."""

import sys
import time
from collections.abc import Iterator, Sequence

from jaxscipy_codegen.checking.results import Result


class Progress:
    """A bar on a terminal; elsewhere nothing, or a run in a log would be longer than its result."""

    def __init__(self, total: int) -> None:
        self.total, self.count, self.failed, self.started = total, 0, 0, time.monotonic()
        self._show("")

    def __call__(self, result: Result) -> None:
        self.count += 1
        self.failed += not result.passed
        seconds = time.monotonic() - self.started
        left = seconds / self.count * (self.total - self.count)
        failed = f"  {self.failed} failed" if self.failed else ""
        self._show(f"  {left // 60:.0f}:{left % 60:02.0f} left{failed}  {result.task.name}")

    def _show(self, words: str) -> None:
        if sys.stderr.isatty():
            bar = "█" * round(24 * self.count / self.total)
            end = "\n" if self.count == self.total else ""
            print(f"\r\x1b[K{bar:░<24} {self.count}/{self.total}{words}", end=end, file=sys.stderr, flush=True)


def summary(found: Sequence[Result]) -> Iterator[str]:
    """The table, every failure, and the counts."""
    if not found:
        return
    yield from _table(found)
    failures = [result for result in found if not result.passed]
    for result in failures:
        yield f"\n{_failure(result)}"
    exceptions = [f"{result.task.name}: {words}" for result in found for words in result.exceptions]
    if exceptions:
        yield "\n" + "\n".join(dict.fromkeys(exceptions))
    undecided = [(result.task, result.undecided) for result in found if result.undecided]
    if undecided:
        yield "\nPassed, but at no point could differences tell:"
        yield from (f"{task.name} ({task.dtype}, {task.backend}): {', '.join(whats)}" for task, whats in undecided)
    seconds = sum(result.seconds for result in found)
    yield f"\n{len(found) - len(failures)} passed, {len(failures)} failed  ({seconds:.0f} s of work)"


def _table(found: Sequence[Result]) -> Iterator[str]:
    """One line per function: the largest error of values and derivatives in every precision."""
    width = max(len(result.task.name) for result in found)
    columns = list(dict.fromkeys((result.task.dtype, result.task.backend) for result in found))
    several = len({backend for _, backend in columns}) > 1
    titles = [f"{dtype} {backend}" if several else dtype for dtype, backend in columns]
    yield f"{'function':<{width}}  {'':<4}  " + "  ".join(f"{title:>{max(len(title), 8)}}" for title in titles)
    by_name: dict[str, dict[tuple[str, str], Result]] = {}
    for result in found:
        by_name.setdefault(result.task.name, {})[(result.task.dtype, result.task.backend)] = result
    for name, row in by_name.items():
        state = "ok" if all(result.passed for result in row.values()) else "FAIL"
        cells = [
            f"{f'{row[column].largest:.0e}' if column in row else '':>{max(len(title), 8)}}"
            for column, title in zip(columns, titles, strict=True)
        ]
        yield f"{name:<{width}}  {state:<4}  {'  '.join(cells)}".rstrip()


def _failure(result: Result) -> str:
    """What failed: the worst point, both numbers, the error, and what to run to see it again."""
    first = result.failures[0]
    words = [part for part in first.note.split("; ") if part not in result.exceptions]
    reason = "; ".join(filter(None, words)) or "wrong at the point below"
    lines = [f"{result.task.name} ({result.task.dtype}, {result.task.backend}): {first.what}: {reason}"]
    if first.worst is not None:
        lines.append(f"    inputs    {', '.join(f'{name} = {x!r}' for name, x in result.inputs(first).items())}")
        lines.append(f"    expected  {first.worst.expected!r}")
        lines.append(f"    got       {first.worst.got!r}")
        lines.append(f"    error     {first.error:.3g} relative")
    others = [check.what for check in result.failures[1:]]
    if others:
        lines.append(f"    also      {', '.join(dict.fromkeys(others))}")
    lines.append(f"    again     {result.command}{f' --transform {first.transform}' if first.transform else ''}")
    return "\n".join(lines)
