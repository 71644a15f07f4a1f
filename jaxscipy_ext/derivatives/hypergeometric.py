"""Parameter derivatives of the hypergeometric functions, from the modules of each of them."""

from .confluent import hyp1f1_da, hyp1f1_db
from .confluent_limit import hyp0f1_dv
from .gauss import hyp2f1_da, hyp2f1_db, hyp2f1_dc
from .tricomi import hyperu_da, hyperu_db

__all__ = ["hyp0f1_dv", "hyp1f1_da", "hyp1f1_db", "hyp2f1_da", "hyp2f1_db", "hyp2f1_dc", "hyperu_da", "hyperu_db"]
