"""Vocabularies in SKOS: what their statements say about concepts (W3C, SKOS Reference; SKOS-XL, its appendix B)."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from keywright.core.errors import BrokenFile, EmptyInput
from keywright.extraction.vocabularies.concept_builder import ConceptBuilder, ConceptsRead
from keywright.extraction.vocabularies.concepts import ALTERNATIVE, HIDDEN, PREFERRED
from keywright.extraction.vocabularies.rdf_files import is_in_pieces, quads, quads_in_pieces
from keywright.reading.limits import Limits
from keywright.reading.sources import DEFAULT_LIMITS

if TYPE_CHECKING:
    import pyoxigraph

_SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
_XL: Final = "http://www.w3.org/2008/05/skos-xl#"
_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_DEPRECATED: Final = "http://www.w3.org/2002/07/owl#deprecated"
_NOT_CONCEPTS: Final = frozenset(f"{_SKOS}{name}" for name in ("ConceptScheme", "Collection", "OrderedCollection"))
_PREFIXES: Final = {"NamedNode": "", "BlankNode": "_:"}
"""Beginnings of the names of nodes, by their types in pyoxigraph."""
_KINDS: Final = {"prefLabel": PREFERRED, "altLabel": ALTERNATIVE, "hiddenLabel": HIDDEN}


def read_skos(
    path: Path, form: str, languages: frozenset[str] = frozenset(), limits: Limits = DEFAULT_LIMITS
) -> ConceptsRead:
    """Return the concepts of a file in SKOS, packed or not, of a ``form`` of ``rdf_format``.

    ``languages``: codes whose labels are kept, beside labels without; none keeps all. Raises UnreadableInput, or a
    subclass; EmptyInput: it has no concepts with labels. Broken statements of Turtle and N-Triples are counted.
    """
    try:
        return _collect_statements(quads(path, form, limits), ConceptBuilder(languages), path.name)
    except BrokenFile:
        if not is_in_pieces(form):
            raise
    # Only a damaged file is read again, in pieces, which is slower.
    builder = ConceptBuilder(languages)
    return _collect_statements(quads_in_pieces(path, form, limits, builder), builder, path.name)


def _collect_statements(statements: "Iterable[pyoxigraph.Quad]", builder: ConceptBuilder, name: str) -> ConceptsRead:
    collector = _Collector(builder)
    handlers, number = collector.handlers, 0
    for statement in statements:
        number += 1
        handler = handlers.get(statement.predicate.value)
        if handler is not None:
            handler(statement.subject, statement.object)
    collector.add_named_labels()
    read = builder.finish()
    if not len(read.concepts):
        problems = "".join(
            f"; {count:,} {reason}, first {read.first[reason]}" for reason, count in read.left_out.items()
        )
        hint = "expected skos:Concept with skos:prefLabel"
        raise EmptyInput(f"{name} holds no concepts with labels in {number:,} statements{problems}", hint)
    return read


class _Collector:
    """Statements by their predicates; the labels of SKOS-XL have names of their own, and texts elsewhere."""

    def __init__(self, builder: ConceptBuilder) -> None:
        self._builder = builder
        self._named: list[tuple[int, int, int]] = []
        self._texts: dict[int, tuple[str, str]] = {}

    @property
    def handlers(self) -> Mapping[str, Callable[[Any, Any], None]]:
        """Functions of subject and object, by predicate."""
        handlers: dict[str, Callable[[Any, Any], None]] = {
            _TYPE: self._type,
            _DEPRECATED: self._mark_deprecated,
            f"{_SKOS}broader": self._link,
            f"{_SKOS}narrower": lambda subject, below: self._link(below, subject),
            f"{_SKOS}notation": self._notation,
            f"{_SKOS}inScheme": self._scheme,
            f"{_SKOS}topConceptOf": self._scheme,
            f"{_SKOS}hasTopConcept": lambda scheme, concept: self._scheme(concept, scheme),
            f"{_XL}literalForm": self._text,
        }
        for name, kind in _KINDS.items():
            handlers[f"{_SKOS}{name}"] = self._label(kind)
            handlers[f"{_XL}{name}"] = self._named_label(kind)
        return handlers

    def add_named_labels(self) -> None:
        """Add the labels whose texts are elsewhere; one without text is left out as empty."""
        for concept, kind, label in self._named:
            self._builder.add_label(concept, kind, *self._texts.get(label, ("", "")))

    def _number(self, node: Any) -> int:
        """Return the number of a node; literals have none, -1."""
        prefix = _PREFIXES.get(type(node).__name__)
        return -1 if prefix is None else self._builder.number(prefix + node.value)

    def _type(self, subject: Any, kind: Any) -> None:
        if kind.value == f"{_SKOS}Concept":
            self._builder.add_concept(self._number(subject))
        elif kind.value in _NOT_CONCEPTS:
            self._builder.others.add(self._number(subject))

    def _mark_deprecated(self, subject: Any, value: Any) -> None:
        if value.value in {"true", "1"}:
            self._builder.deprecated.add(self._number(subject))

    def _link(self, below: Any, above: Any) -> None:
        places = self._number(below), self._number(above)
        if min(places) >= 0:
            self._builder.add_link(*places)

    def _notation(self, subject: Any, value: Any) -> None:
        self._builder.add_notation(self._number(subject), " ".join(value.value.split()))

    def _scheme(self, subject: Any, scheme: Any) -> None:
        concept, number = self._number(subject), self._number(scheme)
        if min(concept, number) >= 0:
            self._builder.add_scheme(concept, number)

    def _label(self, kind: int) -> Callable[[Any, Any], None]:
        add, number = self._builder.add_label, self._number
        return lambda subject, label: add(number(subject), kind, label.value, getattr(label, "language", None) or "")

    def _named_label(self, kind: int) -> Callable[[Any, Any], None]:
        return lambda subject, label: self._named.append((self._number(subject), kind, self._number(label)))

    def _text(self, label: Any, text: Any) -> None:
        self._texts[self._number(label)] = text.value, text.language or ""
