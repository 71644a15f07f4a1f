"""From a library to the text of its modules: values for the templates, rendered, then formatted by the pinned ruff."""

from jaxscipy_codegen.emit.inits import family_init as family_init
from jaxscipy_codegen.emit.inits import package_init as package_init
from jaxscipy_codegen.emit.inits import user_init as user_init
from jaxscipy_codegen.emit.layout import formatted as formatted
from jaxscipy_codegen.emit.module_text import ModuleText as ModuleText
from jaxscipy_codegen.emit.target import PACKAGE as PACKAGE
from jaxscipy_codegen.emit.target import Target as Target
