"""What a spec may say: frozen pydantic models, one per YAML mapping, that are also what the generator works with.

A field stands for a YAML key (docs/ and `specs/schema.json` are made from the descriptions here); a property is what
follows from the keys. `position` and `name` (the key an entry stands under) come from the file.
"""

from jaxscipy_codegen.fields import Domain as Domain
from jaxscipy_codegen.model.function import Alias as Alias
from jaxscipy_codegen.model.function import Argument as Argument
from jaxscipy_codegen.model.function import Entry as Entry
from jaxscipy_codegen.model.function import Function as Function
from jaxscipy_codegen.model.function import KnownException as KnownException
from jaxscipy_codegen.model.function import Output as Output
from jaxscipy_codegen.model.library import Library as Library
from jaxscipy_codegen.model.library import Module as Module
from jaxscipy_codegen.model.library import schema_json as schema_json
from jaxscipy_codegen.model.node import Node as Node
from jaxscipy_codegen.model.ways import SINGLE as SINGLE
from jaxscipy_codegen.model.ways import TO_SAY as TO_SAY
from jaxscipy_codegen.model.ways import WAY_KEYS as WAY_KEYS
from jaxscipy_codegen.model.ways import Derivative as Derivative
from jaxscipy_codegen.model.ways import Derived as Derived
from jaxscipy_codegen.model.ways import Discrete as Discrete
from jaxscipy_codegen.model.ways import Given as Given
from jaxscipy_codegen.model.ways import Inverse as Inverse
from jaxscipy_codegen.model.ways import Kernel as Kernel
from jaxscipy_codegen.model.ways import Near as Near
from jaxscipy_codegen.model.ways import Ode as Ode
from jaxscipy_codegen.model.ways import Stencil as Stencil
from jaxscipy_codegen.model.ways import StencilOptions as StencilOptions
from jaxscipy_codegen.model.ways import Unavailable as Unavailable
from jaxscipy_codegen.model.ways import Way as Way
