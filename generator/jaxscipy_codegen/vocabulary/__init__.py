"""Which names a formula may use, by the place where it stands in a spec."""

from jaxscipy_codegen.vocabulary.names import Signature as Signature
from jaxscipy_codegen.vocabulary.names import Vocabulary as Vocabulary
from jaxscipy_codegen.vocabulary.places import of_condition as of_condition
from jaxscipy_codegen.vocabulary.places import of_constant as of_constant
from jaxscipy_codegen.vocabulary.places import of_meaning as of_meaning
from jaxscipy_codegen.vocabulary.places import of_reference as of_reference
from jaxscipy_codegen.vocabulary.places import of_rule as of_rule
from jaxscipy_codegen.vocabulary.places import of_second as of_second
from jaxscipy_codegen.vocabulary.places import signatures as signatures
