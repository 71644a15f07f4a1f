"""Settings of the site: `python -m sphinx -W docs docs/_build/html`. Neither the build nor a reader needs a network."""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs" / "extensions"))

project = "jaxscipy_ext"
author = "jaxscipy_ext contributors"
copyright = "jaxscipy_ext contributors"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
    "local_mathjax",
    "pictures",
    "reference_pages",
    "function_links",
]
exclude_patterns = ["_build", "generated", "extensions"]
suppress_warnings = ["myst.header"]  # headings of included files begin where they begin

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 3
myst_url_schemes = ["http", "https", "mailto"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
default_role = "code"  # docstrings write code with single backquotes
add_module_names = False
napoleon_use_rtype = False
python_use_unqualified_type_names = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "pydata_sphinx_theme"
html_title = "jaxscipy_ext"
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["search.js"]
html_show_sourcelink = False
html_copy_source = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "jaxscipy_ext", "image_light": "_static/logo.svg", "image_dark": "_static/logo.svg"},
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {page: [] for page in ("index", "comparison", "accuracy", "status", "changelog")}
