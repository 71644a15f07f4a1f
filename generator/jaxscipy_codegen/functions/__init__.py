"""The names of the formula language: one line each with its SymPy, NumPy, mpmath and JAX form, stated nowhere else.

Elementary names may stand in every formula. Meaning names (SymPy's) stand in `formula:`, reference names (mpmath's) in
`reference:`. Functions of the specs come from the specs.
"""

from jaxscipy_codegen.functions.elementary import CHOICES as CHOICES
from jaxscipy_codegen.functions.elementary import CONSTANTS as CONSTANTS
from jaxscipy_codegen.functions.elementary import ELEMENTARY as ELEMENTARY
from jaxscipy_codegen.functions.elementary import Constant as Constant
from jaxscipy_codegen.functions.elementary import Elementary as Elementary
from jaxscipy_codegen.functions.meanings import MEANINGS as MEANINGS
from jaxscipy_codegen.functions.meanings import REFERENCES as REFERENCES
from jaxscipy_codegen.functions.meanings import Meaning as Meaning
