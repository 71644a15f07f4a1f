"""Looking at a host by calling it with small arrays: what shapes it takes, what it returns, where it is defined.

Everything that is concluded is also said (`Seen.remarks`): the author of the spec can judge it.
"""

from jaxscipy_codegen.probing.calls import CannotProbe as CannotProbe
from jaxscipy_codegen.probing.calls import Seen as Seen
from jaxscipy_codegen.probing.probe import Probe as Probe
