"""YAML files as Python data that knows where it stands.

The rules are those of YAML 1.2's core schema (`no` and `on` are text, `1e-6` is a number). Duplicate keys, anchors,
merge keys and tags are refused; every mistake but a broken syntax is collected, so that they come all at once.
"""

from jaxscipy_codegen.yaml_source.data import Data as Data
from jaxscipy_codegen.yaml_source.data import Mapping as Mapping
from jaxscipy_codegen.yaml_source.data import Real as Real
from jaxscipy_codegen.yaml_source.data import Sequence as Sequence
from jaxscipy_codegen.yaml_source.data import Text as Text
from jaxscipy_codegen.yaml_source.data import Whole as Whole
from jaxscipy_codegen.yaml_source.reading import MAX_DEPTH as MAX_DEPTH
from jaxscipy_codegen.yaml_source.reading import read as read
