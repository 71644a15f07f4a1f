"""Words of the command line that more is asked of than to be text."""

import argparse
import os
from pathlib import Path


def point(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=VALUE; write for example x=0.5") from None


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 1 or more")
    return int(text)


def natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 0 or more")
    return int(text)


def not_writable(path: Path) -> str:
    """Why no file can be written there, and what to write instead; empty if one can."""
    if path.is_dir():
        return "is a folder; write the name of a file in it"
    if not path.resolve().parent.is_dir():
        return "its folder doesn't exist; write one that does"
    if not os.access(path if path.exists() else path.resolve().parent, os.W_OK):
        return "can't be written; write another path"
    return ""
