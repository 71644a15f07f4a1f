"""Between formula trees and SymPy. Functions of the specs are SymPy functions whose derivatives are their partials."""

from jaxscipy_codegen.symbolic.calls import Expr as Expr
from jaxscipy_codegen.symbolic.calls import NoDerivative as NoDerivative
from jaxscipy_codegen.symbolic.calls import Partials as Partials
from jaxscipy_codegen.symbolic.calls import SpecCall as SpecCall
from jaxscipy_codegen.symbolic.calls import SpecFunctions as SpecFunctions
from jaxscipy_codegen.symbolic.spelling import Meaning as Meaning
from jaxscipy_codegen.symbolic.spelling import Meanings as Meanings
from jaxscipy_codegen.symbolic.to_sympy import ToSympy as ToSympy
from jaxscipy_codegen.symbolic.to_tree import to_tree as to_tree
