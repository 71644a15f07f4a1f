"""`python .ci/expect.py 0.10.x|0.12+ native|callback`: stop if this environment isn't what a CI step is meant to test.

Without this, a registry that lacks a version, or a build that fell back to the pure wheel, would pass unnoticed.
"""

import sys
from importlib.metadata import version

from jaxscipy_ext.runtime import native

wanted, path = sys.argv[1:]
status = native.status()
found = ", ".join(f"{name} {version(name)}" for name in ("jax", "jaxlib", "numpy", "scipy"))
sys.stdout.write(f"Python {sys.version.split()[0]}, {found}, {path}\n")
series = tuple(map(int, version("jax").split(".")[:2]))
bound = tuple(map(int, wanted.rstrip("+x.").split(".")))
if series < bound or (series > bound and not wanted.endswith("+")):
    sys.exit(f"CI must see jax {wanted} here; pip took {version('jax')}")
if status.available != (path == "native"):
    sys.exit(f"CI must take the {path} path here; the native library's status is {status}")
