"""Formula trees to JAX source."""

from jaxscipy_codegen.printer.printer import Printed as Printed
from jaxscipy_codegen.printer.printer import Printer as Printer
from jaxscipy_codegen.printer.printer import Table as Table
from jaxscipy_codegen.printer.scope import Scope as Scope
