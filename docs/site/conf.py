"""Sphinx's settings. The sources are written by `python -m docs.site`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # its own extension, `sections`, is next to it

project = "evenkeel"
extensions = ["myst_parser", "sphinx_needs", "sections"]
html_theme = "furo"
html_title = "evenkeel"
html_static_path = ["_static"]
html_css_files = ["site.css", "plays.css"]
html_js_files = ["runtime-loader.js", "diagrams.js", "drawing.js", "tables.js"]
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d5f8a", "color-brand-content": "#1d5f8a"},
    "dark_css_variables": {"color-brand-primary": "#7fc4ee", "color-brand-content": "#7fc4ee"},
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
myst_linkify_fuzzy_links = False
suppress_warnings = [
    "myst.xref_missing",  # documents name files of the repository, which are no pages
    "myst.header",
    "misc.highlighting_failure",  # examples of JSON with an ellipsis
]

needs_types = [
    {"directive": "clause", "title": "Clause", "prefix": "", "color": "#bfd8d2", "style": "node"}
]
needs_id_regex = "^[A-Z]{3}-[0-9]+$"
needs_fields = {
    "level": {"description": "Its severity.", "schema": {"type": "string"}},
    "chapter": {"description": "Its chapter.", "schema": {"type": "string"}},
    "editions": {"description": "The editions that it belongs to.", "schema": {"type": "string"}},
    "checked": {"description": "How many judges check it.", "schema": {"type": "string"}},
}
needs_layouts = {
    "clause": {
        "grid": "simple",
        "layout": {"head": ['<<meta("level")>> <<meta("editions")>>'], "meta": []},
    }
}
needs_build_json = False
needs_css = "blank.css"
