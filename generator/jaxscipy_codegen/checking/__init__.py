"""The command `check`: functions of the specs against their hosts, numerically."""

from jaxscipy_codegen.checking.console import Progress as Progress
from jaxscipy_codegen.checking.console import summary as summary
from jaxscipy_codegen.checking.one_function import no_gpu as no_gpu
from jaxscipy_codegen.checking.one_function import run as run
from jaxscipy_codegen.checking.own_modules import generated as generated
from jaxscipy_codegen.checking.page import page as page
from jaxscipy_codegen.checking.pool import Interrupted as Interrupted
from jaxscipy_codegen.checking.pool import cores as cores
from jaxscipy_codegen.checking.pool import results as results
from jaxscipy_codegen.checking.results import Result as Result
from jaxscipy_codegen.checking.settings import Settings as Settings
from jaxscipy_codegen.checking.settings import Task as Task
from jaxscipy_codegen.checking.settings import known_names as known_names
from jaxscipy_codegen.checking.settings import tasks as tasks
