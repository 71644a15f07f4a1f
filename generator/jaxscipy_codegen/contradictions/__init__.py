"""Rules that contradict the hosts that they are derivatives of: looked for whenever modules are generated."""

from jaxscipy_codegen.contradictions.difference import numerical_derivative as numerical_derivative
from jaxscipy_codegen.contradictions.partials import POINTS as POINTS
from jaxscipy_codegen.contradictions.partials import problems as problems
