"""Where the shipped specs and templates are: beside this package in a wheel, two folders up in a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    for folder in (_PACKAGE / name, _PACKAGE.parents[1] / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        f"the folder {name}/ is neither beside {_PACKAGE} nor two folders up; install jaxscipy-ext[generate] again"
    )


def specs() -> Path:
    """The folder of the shipped specs."""
    return _folder("specs")


def templates() -> Path:
    """The folder of the Jinja2 templates."""
    return _folder("templates")


def checkout() -> Path | None:
    """The root of the checkout that this package runs from; None in an installed wheel."""
    root = _PACKAGE.parents[1]
    return root if (root / "specs").is_dir() and (root / "pyproject.toml").is_file() else None
