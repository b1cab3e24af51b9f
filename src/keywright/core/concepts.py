"""A concept of a controlled vocabulary, as results name it."""

from dataclasses import dataclass


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
