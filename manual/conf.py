"""Sphinx's configuration of the manual."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from launcher import revision  # noqa: E402

project = "GridFTP laboratory"
release = revision.version()
version = release
root_doc = "index"
extensions = ["myst_parser", "manual.mathml"]
nitpicky = True

# Headings of Markdown can be linked to, as on a forge.
myst_heading_anchors = 3

# --window is an option, and no dash before a word.
smartquotes = False

# A block is what its page says; a block in Markdown without a language is a command or a result.
highlight_language = "none"

html_theme = "furo"
html_title = f"GridFTP laboratory {release}"
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["manual.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = False
