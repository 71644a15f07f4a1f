"""Formulas of specs: what they may say, and how they are read.

`read` knows the grammar, `Vocabulary` the names that a formula at its place may use. `symbolic` turns a formula into
SymPy, `evaluate` into numbers; the printer prints `Formula.tree` as written (SymPy reorders, which changes rounding).
"""

from jaxscipy_codegen.formula.constants import MAX_EXPONENT as MAX_EXPONENT
from jaxscipy_codegen.formula.constants import NAMED as NAMED
from jaxscipy_codegen.formula.constants import constant as constant
from jaxscipy_codegen.formula.formula import MAX_LENGTH as MAX_LENGTH
from jaxscipy_codegen.formula.formula import Formula as Formula
from jaxscipy_codegen.formula.formula import called_name as called_name
from jaxscipy_codegen.formula.formula import read as read
from jaxscipy_codegen.formula.grammar import MAX_CONSTANT as MAX_CONSTANT
from jaxscipy_codegen.formula.grammar import MAX_DEPTH as MAX_DEPTH
from jaxscipy_codegen.formula.grammar import FormulaError as FormulaError
