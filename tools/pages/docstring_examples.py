"""Show the examples of docstrings as code in the Python reference: griffe reads them as quotations otherwise."""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)+", re.MULTILINE)
"""Lines from a prompt to the next empty line."""


def fenced(text: str) -> str:
    """Return a docstring with its examples in fences."""
    return EXAMPLE.sub(lambda match: f"\n```pycon\n{match[0].rstrip()}\n```\n", text)


class DocstringExamples(griffe.Extension):
    """An extension that changes docstrings as they are read."""

    def on_instance(self, *, obj: griffe.Object, **_arguments: Any) -> None:
        """Put the examples of an object's docstring in fences."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
