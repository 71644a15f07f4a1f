"""Names that a generated package doesn't have: those of a newer SciPy are taken away, asking for one says why."""

from importlib import metadata
from typing import Any

import scipy


def remove_newer(names: dict[str, Any], since: dict[str, str]) -> None:
    """Take from a package's `names` those that the installed SciPy is too old for."""
    for name, version in since.items():
        if _is_older_than(version):
            names.pop(name, None)  # a private function isn't there anyway


def _is_older_than(version: str) -> bool:
    return _numbers(scipy.__version__) < _numbers(version)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])


def absent(names: dict[str, Any], since: dict[str, str], name: str) -> str:
    """The version of a package with these `names` if `name` is `__version__`, else an `AttributeError`."""
    package = names["__name__"]
    if name == "__version__":
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            raise AttributeError(f"{package} isn't installed, so that its version isn't known") from None
    if name in since and _is_older_than(since[name]):
        raise AttributeError(f"{package}.{name} needs SciPy >= {since[name]}; {scipy.__version__} is installed")
    polynomial = f"; write eval_{name}, which evaluates that polynomial" if f"eval_{name}" in names else ""
    raise AttributeError(f"module {package!r} has no attribute {name!r}{polynomial}")
