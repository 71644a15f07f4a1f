"""`python -m jaxscipy_codegen` is `jaxscipy-ext`."""

import sys

from jaxscipy_codegen.cli import main

if __name__ == "__main__":
    sys.exit(main())
