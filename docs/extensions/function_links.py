"""Makes `jse.kv` in any page, and the names in the status table, links to the function's entry in the reference."""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

_NAME = re.compile(r"jse\.([A-Za-z_]\w*)(\(.*\))?")


class FunctionLinks(SphinxTransform):
    """Replaces inline code that names a function of ours by a reference to it; unknown names stay code."""

    default_priority = 500

    def apply(self, **_: object) -> None:
        """Visit every piece of inline code outside of headings and links."""
        in_table = self.env.docname == "status"
        for literal in list(self.document.findall(nodes.literal)):
            text = literal.astext()
            found = _NAME.fullmatch(text)
            name = found[1] if found else text if in_table and text.isidentifier() else None
            if name and not _inside(literal, nodes.title, nodes.reference, addnodes.pending_xref):
                link = addnodes.pending_xref(
                    "",
                    refdomain="py",
                    reftype="func",
                    reftarget=f"jaxscipy_ext.{name}",
                    refwarn=False,
                    refexplicit=True,
                )
                link["refdoc"] = self.env.docname
                literal.replace_self(link)
                link += literal


def _inside(node: nodes.Node, *kinds: type[nodes.Node]) -> bool:
    while node.parent is not None:
        node = node.parent
        if isinstance(node, kinds):
            return True
    return False


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_transform(FunctionLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
