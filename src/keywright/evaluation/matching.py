"""Matching: the forms of a run against the forms of the gold, and the counts that come of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from keywright.core.errors import PartlyDone
from keywright.evaluation.counts import Counts, counted
from keywright.evaluation.gold_sets import GoldDocument, GoldSet
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Entries, Form, NoGold, Repeats, as_given, everything


@dataclass(frozen=True, slots=True, eq=False)
class IndexedGold:
    """One gold set made ready for matching, once; columns over its documents.

    Attributes:
        gold: the set itself.
        ids: the documents, (documents,).
        entries: for each form the numbers of the gold entries that accept it, (documents,).
        sizes: gold entries, (documents,).
    """

    gold: GoldSet
    ids: tuple[str, ...]
    entries: tuple[Entries, ...]
    sizes: tuple[int, ...]


def indexed(gold: GoldSet, protocol: Protocol) -> IndexedGold:
    """The gold under the protocol's rules of normalisation, alternatives and repeats."""
    accepted = [_accepted(document, protocol) for document in gold.documents]
    ids = tuple(document.id for document in gold.documents)
    return IndexedGold(gold, ids, tuple(map(_inverted, accepted)), tuple(map(len, accepted)))


def ranked_forms(lists: Mapping[str, Sequence[str]], protocol: Protocol) -> Mapping[str, Sequence[Form]]:
    """The forms that take a rank, by document; cut at the deepest cutoff where all are numbers."""
    depths = [measure.k for measure in protocol.measures]
    deepest = None if "M" in depths or "O" in depths else max(k for k in depths if isinstance(k, int))
    if protocol.normalise is as_given and protocol.accept is everything and protocol.repeats is Repeats.KEPT:
        return {name: phrases[:deepest] for name, phrases in lists.items()}
    return {name: _ranked(phrases, protocol)[:deepest] for name, phrases in lists.items()}


def count(gold: IndexedGold, forms: Mapping[str, Sequence[Form]], protocol: Protocol) -> Counts:
    """Counts of one gold set; a document without an answer has an empty list.

    Raises:
        PartlyDone: a document has no gold, its list reaches the lowest cutoff, and the protocol stops there.
    """
    cutoffs = tuple(dict.fromkeys(measure.k for measure in protocol.measures if measure.k is not None))
    if protocol.no_gold is NoGold.STOP:
        lowest = min((k for k in cutoffs if isinstance(k, int)), default=1)
        for name, size in zip(gold.ids, gold.sizes, strict=True):
            if not size and len(forms.get(name, ())) >= lowest:
                message = f"document {name!r} has no {gold.gold.by} gold, so that its recall divides by 0"
                raise PartlyDone(message, "the reference stops here; a protocol with no_gold=zero counts recall 0")
    matching = protocol.matching
    ranked = [matching(forms.get(name, ()), entries) for name, entries in zip(gold.ids, gold.entries, strict=True)]
    return counted(gold.ids, ranked, gold.sizes, cutoffs, protocol.short_list)


def _ranked(phrases: Sequence[str], protocol: Protocol) -> Sequence[Form]:
    """Forms of one document's predictions: normalised, accepted, repeats dropped if the protocol says so."""
    forms = [form for form in map(protocol.normalise, phrases) if protocol.accept(form)]
    return forms if protocol.repeats is Repeats.KEPT else list(dict.fromkeys(forms))


def _accepted(document: GoldDocument, protocol: Protocol) -> list[set[Form]]:
    """The accepted forms of each gold entry of one document."""
    kept: list[set[Form]] = []
    seen: set[Form] = set()
    for entry in document.entries:
        forms = {form for form in map(protocol.normalise, protocol.alternatives(entry)) if protocol.accept_gold(form)}
        if forms and (protocol.gold_repeats is Repeats.KEPT or not forms & seen):
            kept.append(forms)
        seen |= forms
    return kept


def _inverted(entries: Sequence[set[Form]]) -> dict[Form, tuple[int, ...]]:
    """For each form the numbers of the entries that accept it."""
    index: dict[Form, tuple[int, ...]] = {}
    for number, forms in enumerate(entries):
        for form in forms:
            index[form] = (*index.get(form, ()), number)
    return index
