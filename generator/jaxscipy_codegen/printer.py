"""Formula trees to JAX source: a rule prints as its author wrote it, with `jnp.` in front of the elementary functions.

A formula is a Python expression tree in the spec language (`ast.expr`): arguments, outputs, elementary functions and
functions of the specs by name. Printing rewrites the tree, never its order, so that rounding is that of the text.
"""

import ast
import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import mpmath

from jaxscipy_codegen.functions import CONSTANTS, ELEMENTARY
