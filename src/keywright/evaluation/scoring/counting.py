"""Hits of a run against its gold: both normalised, split into classes, matched, and counted for each document."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from keywright.core.errors import BadRecord, NeedsUnmet, PartlyDone, list_names
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.measures.counts import Counts, Listed, build_counts, measure_documents
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Entries, Form, GoldClass, NoGold, PhraseClass, Repeats, everything, is_mark

Texts: TypeAlias = Mapping[str, Form]
"""Normalised texts by document id; empty where the protocol needs none."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexedGold:
    """One gold set, or one class of its phrases, indexed for matching; columns over its documents.

    Attributes:
        entries: for each form the numbers of the gold entries that accept it, (documents,).
        sizes: gold entries, (documents,).
    """

    gold: GoldSet
    ids: tuple[str, ...]
    entries: tuple[Entries, ...]
    sizes: tuple[int, ...]
    part: PhraseClass = PhraseClass.ALL


def normalise_texts(texts: Mapping[str, str] | None, ids: frozenset[str], protocol: Protocol) -> Texts:
    """Normalise the texts of the gold's documents as the protocol does; empty where it needs none."""
    if not protocol.needs_texts:
        return {}
    reason = f"protocol {protocol.name} decides by the documents' texts which phrases are present"
    if not texts:
        hint = "give gold with texts: a data set, or a table or records with `text`; keywright-1 scores phrases alone"
        raise NeedsUnmet(f"{reason}, and there are only phrases", hint)
    if missing := sorted(ids - texts.keys()):
        raise BadRecord(f"{len(missing)} documents have no text: {list_names(missing)}", reason)
    return {name: protocol.normalise(texts[name]) for name in ids}


def index_classes(
    gold: GoldSet, protocol: Protocol, texts: Texts, parts: Sequence[PhraseClass] = (PhraseClass.ALL,)
) -> dict[PhraseClass, IndexedGold]:
    """Index classes of the gold under the protocol's rules."""
    accepted = [_accept_entries(document, protocol) for document in gold.documents]
    ids = tuple(document.id for document in gold.documents)
    indexes = {}
    for part in parts:
        entries = accepted
        if part is not PhraseClass.ALL:
            entries = [
                _select_entries(forms, name, part, texts, protocol) for name, forms in zip(ids, accepted, strict=True)
            ]
        indexes[part] = IndexedGold(gold, ids, tuple(map(_invert_entries, entries)), tuple(map(len, entries)), part)
    return indexes


def rank_forms(lists: Mapping[str, Sequence[str]], protocol: Protocol) -> Mapping[str, Sequence[Form]]:
    """Return the forms that take a rank, by document; without classes, cut at the deepest cutoff if all are numbers."""
    deepest = None if protocol.needs_texts else _deepest_cutoff(protocol)
    return {name: _rank_list(phrases, protocol)[:deepest] for name, phrases in lists.items()}


def forms_of_class(
    forms: Mapping[str, Sequence[Form]], texts: Texts, part: PhraseClass, protocol: Protocol
) -> Mapping[str, Sequence[Form]]:
    """Select the ranked forms of a class, for documents that have a text."""
    if part is PhraseClass.ALL:
        return forms
    present, deepest = part is PhraseClass.PRESENT, _deepest_cutoff(protocol)
    return {
        name: [form for form in phrases if protocol.presence(form, texts[name]) == present][:deepest]
        for name, phrases in forms.items()
        if name in texts
    }


def count_hits(gold: IndexedGold, forms: Mapping[str, Sequence[Form]], protocol: Protocol) -> Counts:
    """Count the hits of one gold set; a document without an answer has an empty list."""
    cutoffs = tuple(dict.fromkeys(measure.k for measure in protocol.measures if measure.k is not None))
    lists = tuple(forms.get(name, ()) for name in gold.ids)
    if protocol.no_gold is NoGold.STOP:
        lowest = min((k for k in cutoffs if isinstance(k, int)), default=1)
        for name, size, ranking in zip(gold.ids, gold.sizes, lists, strict=True):
            if not size and len(ranking) >= lowest:
                message = f"document {name!r} has no {gold.gold.by} gold, so that its recall divides by 0"
                raise PartlyDone(message, "the reference stops here; a protocol with no_gold=zero counts recall 0")
    hits = [protocol.matching(ranking, entries) for ranking, entries in zip(lists, gold.entries, strict=True)]
    counts = build_counts(gold.ids, hits, gold.sizes, cutoffs, protocol.short_list, partial=protocol.partial)
    if not protocol.means:
        return counts
    left_out = protocol.no_gold in (NoGold.LEFT_OUT, NoGold.NOT_COUNTED)
    listed = Listed(counts, lists, gold.entries)
    return replace(counts, means=measure_documents(protocol.means, listed, (counts.gold > 0) | (not left_out)))


def _deepest_cutoff(protocol: Protocol) -> int | None:
    """Return the deepest cutoff; None where one depends on the document."""
    depths = [measure.k for measure in protocol.reported]
    return None if {"M", "O", "G", None} & set(depths) else max(k for k in depths if isinstance(k, int))


def _rank_list(phrases: Sequence[str], protocol: Protocol) -> Sequence[Form]:
    """Normalise one document's predictions; drop those that are not accepted, and repeats if the protocol says so.

    The limit on one-word predictions applies before other filters, so a form rejected later, or a repeat, still uses it
    up.
    """
    forms = list(map(protocol.normalise, phrases[: protocol.depth]))
    if protocol.one_word is not None:
        single = itertools.accumulate(" " not in form for form in forms)
        forms = [form for form, count in zip(forms, single, strict=True) if " " in form or count <= protocol.one_word]
    if protocol.accept != everything:  # saves a call per form
        forms = list(filter(protocol.accept, forms))
    return forms if protocol.repeats is Repeats.KEPT else list(dict.fromkeys(forms))


def _accept_entries(document: GoldDocument, protocol: Protocol) -> list[list[Form]]:
    """Return the accepted forms of each gold entry of one document, each once, in the order of its alternatives."""
    normalise = protocol.normalise_gold or protocol.normalise
    accepted: list[list[Form]] = []
    earlier: set[Form] = set()
    for entry in document.entries:
        forms = list(dict.fromkeys(filter(protocol.accept_gold, map(normalise, protocol.alternatives(entry)))))
        if forms and (protocol.gold_repeats is Repeats.KEPT or earlier.isdisjoint(forms)):
            accepted.append(forms)
        earlier.update(forms)
    return accepted


def _select_entries(
    entries: Sequence[list[Form]], name: str, part: PhraseClass, texts: Texts, protocol: Protocol
) -> list[list[Form]]:
    """Select the entries that have a form of a class, without their other forms."""
    present = part is PhraseClass.PRESENT
    if protocol.gold_class is GoldClass.MARK:
        marked = [any(map(is_mark, forms)) for forms in entries]
        end = marked.index(True) if True in marked else len(entries)
        side = slice(0, end) if present else slice(end, None)
        return [forms for forms, mark in zip(entries[side], marked[side], strict=True) if not mark]
    divided = ([form for form in forms if protocol.presence(form, texts[name]) == present] for forms in entries)
    return [forms for forms in divided if forms]


def _invert_entries(entries: Sequence[list[Form]]) -> dict[Form, tuple[int, ...]]:
    """Map each form to the numbers of the entries that accept it."""
    index: dict[Form, tuple[int, ...]] = {}
    for number, forms in enumerate(entries):
        for form in forms:
            index[form] = (*index.get(form, ()), number)
    return index
