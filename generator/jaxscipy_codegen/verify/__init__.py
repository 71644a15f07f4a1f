"""Rules against the hosts that they are derivatives of."""

from jaxscipy_codegen.verify.verify import POINTS as POINTS
from jaxscipy_codegen.verify.verify import problems as problems
