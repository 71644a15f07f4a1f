"""Text from specs as Python source: nothing written there can leave its docstring, string or comment."""

import re
import textwrap
import unicodedata

WIDTH = 120

# Control characters, invisible formatting (bidirectional overrides among them), surrogates, private use, odd line ends.
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# A comment that starts so is an order to a tool.
_DIRECTIVE = re.compile(r"^(fmt|isort|mypy|noqa|pragma|pylint|pyright|ruff|type|yapf|flake8|pyrefly)\b", re.IGNORECASE)


def printable(text: str, keep: str = "") -> str:
    """`text` with invisible and control characters written as escapes, those in `keep` apart."""
    return "".join(
        char if char in keep or unicodedata.category(char) not in _UNSAFE_CATEGORIES else ascii(char)[1:-1]
        for char in text
    )


def comment(text: str) -> str:
    """One line that is safe after `# `, and no directive to a linter."""
    line = " ".join(printable(" ".join(text.split())).replace("#", "no. ").split())
    return f"see {line}" if _DIRECTIVE.match(line) else line


def string(text: str) -> str:
    """A Python string literal on one line, in double quotes as ruff writes it."""
    quoted = printable(" ".join(text.split()))
    literal = repr(quoted)
    if literal.startswith("'") and '"' not in quoted:
        return '"' + literal[1:-1] + '"'
    return literal


def docstring(text: str, indent: str = "    ") -> str:
    """A docstring literal (quotes included) whose lines after the first are indented.

    Raw if there are backslashes (LaTeX) and the text allows it, else with escapes.
    """
    lines = [line.rstrip() for line in printable(text.expandtabs(), keep="\n").strip().split("\n")]
    body = "\n".join([lines[0], *(indent + line if line else "" for line in lines[1:])])
    last = "\n" + indent if len(lines) > 1 else ""
    can_be_plain = '"""' not in body and (bool(last) or not body.endswith(('"', "\\"))) and not body.startswith('"')
    if can_be_plain and "\\" not in body:
        return f'"""{body}{last}"""'
    if can_be_plain:
        return f'r"""{body}{last}"""'
    escaped = body.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{escaped}{last}"""'


def filled(text: str, indent: str = "", hanging: str | None = None, width: int = WIDTH - 4) -> str:
    """Paragraphs of `text` wrapped to `width`; `hanging` is the indent of the lines after the first."""
    return "\n\n".join(
        textwrap.fill(
            " ".join(paragraph.split()),
            width,
            initial_indent=indent,
            subsequent_indent=indent if hanging is None else hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for paragraph in re.split(r"\n\s*\n", text.strip())
    )
