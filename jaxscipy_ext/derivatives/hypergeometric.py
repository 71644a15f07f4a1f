"""Parameter derivatives of the hypergeometric functions: the kernels of `confluent`, `gauss` and `tricomi`."""

from .confluent import hyp0f1_dv, hyp1f1_da, hyp1f1_db
from .gauss import hyp2f1_da, hyp2f1_db, hyp2f1_dc
from .tricomi import hyperu_da, hyperu_db

__all__ = ["hyp0f1_dv", "hyp1f1_da", "hyp1f1_db", "hyp2f1_da", "hyp2f1_db", "hyp2f1_dc", "hyperu_da", "hyperu_db"]
