"""XML as text: elements, attributes and comments with everything escaped, so that long outputs can be streamed."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'


def element(name: str, content: str | Sequence[str], pairs: Mapping[str, str] | None = None) -> str:
    r"""Return an element with a text, which is escaped, or with elements, each on a line of its own.

    >>> element("kwd-group", [element("kwd", "R&D")], {"xml:lang": "en"})
    '<kwd-group xml:lang="en">\n  <kwd>R&amp;D</kwd>\n</kwd-group>'
    """
    if isinstance(content, str):
        inside = escape(content)
    else:
        inside = "\n" + "".join(textwrap.indent(child, "  ") + "\n" for child in content if child)
    return f"<{name}{attributes(pairs or {})}>{inside}</{name}>"


def attributes(pairs: Mapping[str, str]) -> str:
    """Return attributes with a blank before each; those without a value are left out."""
    return "".join(f" {name}={quoteattr(value)}" for name, value in pairs.items() if value)


def comment(text: str) -> str:
    """Return a comment on a line of its own; hyphens in a row, which would end it, are parted."""
    return f"<!-- {text.replace('--', '- -').replace('--', '- -')} -->\n"
