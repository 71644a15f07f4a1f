"""What every command says: mistakes as sentences, and how far it is."""

import os
import sys
from collections.abc import Callable


def with_errors(run: Callable[[], int]) -> int:
    """Run, and print what is wrong with specs, files or arguments as sentences."""
    from jaxscipy_codegen.errors import SpecError
    from jaxscipy_codegen.write import NotGenerated

    try:
        code = run()
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # `jaxscipy-ext list | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SpecError as error:
        progress("")
        print(error, file=sys.stderr)
        count = len(error.problems)
        print(f"{count} mistake{'s' if count > 1 else ''}; nothing was written", file=sys.stderr)
    except (NotGenerated, OSError) as error:
        progress("")
        print(f"{error}\nnothing was written", file=sys.stderr)
    return 2


def progress(text: str) -> None:
    """One line on a terminal that is overwritten again and again; nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
