"""Partial derivatives of every function, by the way its spec says, and the functions that kernels and stencils add.

All ways end in a `Partial`: a formula per output in the spec language, or the word that there is none and why. Partials
of the functions that are added (`jv_dv`, `betainc_dadb`) follow from equality of mixed partials: SymPy differentiates
the formulas, with every function of the specs as a SymPy function.
"""

from jaxscipy_codegen.derive.definitions import Definition as Definition
from jaxscipy_codegen.derive.definitions import Equation as Equation
from jaxscipy_codegen.derive.definitions import Host as Host
from jaxscipy_codegen.derive.definitions import Partial as Partial
from jaxscipy_codegen.derive.derivations import Derivations as Derivations
from jaxscipy_codegen.derive.families import ordinal as ordinal
