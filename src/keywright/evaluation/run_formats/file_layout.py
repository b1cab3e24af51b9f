"""A caller's words on a file of another tool, where its content does not show how to read it."""

from dataclasses import dataclass
from typing import Final

_ESCAPES: Final = {"\\t": "\t", "\\n": "\n", "tab": "\t"}


@dataclass(frozen=True, slots=True)
class Layout:
    r"""A format and names of fields; None for what is recognised.

    Attributes:
        form: name of a format of runs.
        id_field: key or column of the documents' ids.
        phrases_field: key or column of the phrases.
        separator: text between the phrases of one value; ``\t`` and ``\n`` are a tab and a line end.
    """

    form: str | None = None
    id_field: str | None = None
    phrases_field: str | None = None
    separator: str | None = None

    @property
    def between(self) -> str | None:
        """The separator with escapes replaced; None where it is recognised."""
        return self.separator if self.separator is None else _ESCAPES.get(self.separator, self.separator)


def layout_of(form: str | Layout | None) -> Layout:
    """Return a layout from the name of a format; a layout unchanged."""
    return form if isinstance(form, Layout) else Layout(form)
