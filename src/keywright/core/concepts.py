"""A concept of a controlled vocabulary, as results name it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from keywright.core.json_values import check_object, check_text, check_texts


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept of a controlled vocabulary, such as a subject heading.

    Attributes:
        uri: its identifier.
        label: its preferred label.
        language: tag of the label's language, such as ``fi``; empty for a label without one.
        notation: its code in the vocabulary, such as a class number; empty without one.
        scheme: URI of the scheme that it belongs to; empty if unknown.
        broader: URIs of the concepts directly above it.
    """

    uri: str
    label: str
    language: str = ""
    notation: str = ""
    scheme: str = ""
    broader: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values; null for what is unknown."""
        return {
            "uri": self.uri,
            "label": self.label,
            "language": self.language or None,
            "notation": self.notation or None,
            "scheme": self.scheme or None,
            "broader": list(self.broader),
        }

    @classmethod
    def from_dict(cls, value: Any) -> "Concept":
        """Return the concept of JSON values.

        Raises:
            KeyError, TypeError, ValueError: they are not those of a concept.
        """
        record: Mapping[str, Any] = check_object(value)
        optional = {name: check_text(record.get(name) or "", name) for name in ("language", "notation", "scheme")}
        broader = check_texts(record.get("broader", []), "broader")
        return cls(check_text(record["uri"], "uri"), check_text(record["label"], "label"), **optional, broader=broader)


def outermost(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans in order, without those inside others.

    >>> outermost([(12, 16), (4, 16), (20, 24)])
    ((4, 16), (20, 24))
    """
    outer: list[tuple[int, int]] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not outer or end > outer[-1][1]:
            outer.append((start, end))
    return tuple(outer)
