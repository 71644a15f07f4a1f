"""The same tasks for asv, which keeps their history: `cd tests/benchmarks && asv run`."""

from __future__ import annotations

from typing import Any

import import_time
from contenders import CALLBACK, NATIVE, SUBJECTS
from tasks import tasks

TASKS = {task.name: task for task in tasks(largest=6)}


class Ours:
    """Both paths of ours, every function and task."""

    params = ([NATIVE, CALLBACK], list(SUBJECTS), list(TASKS))
    param_names = ("path", "function", "task")
    timeout = 300

    def setup(self, path: str, function: str, task: str) -> None:
        contenders = SUBJECTS[function].contenders()
        if path not in contenders:
            raise NotImplementedError  # asv skips it: there is no native library
        self.run = TASKS[task].build(contenders[path], SUBJECTS[function])
        self.run()  # compile

    def time_it(self, path: str, function: str, task: str) -> Any:
        del path, function, task
        return self.run()


class Import:
    """`import jaxscipy_ext` above JAX and scipy.special."""

    def timeraw_import(self) -> tuple[str, str]:
        return "import jaxscipy_ext", import_time.BASE

    def track_import_ratio(self) -> float:
        return import_time.ratio(import_time.pairs(7))
