"""Matching: the forms of a run against the forms of the gold, and the counts that come of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from keywright.core.errors import BadRecord, NeedsUnmet, PartlyDone
from keywright.evaluation.formats.gold_sets import GoldDocument, GoldSet
from keywright.evaluation.measures.counts import Counts, counted
from keywright.evaluation.measures.document_means import Listed, mean_columns
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import (
    Entries,
    Form,
    GoldClass,
    NoGold,
    PhraseClass,
    Repeats,
    as_given,
    everything,
    is_mark,
)

Texts: TypeAlias = Mapping[str, Form]
"""Normalised texts by document id; empty where the protocol needs none."""


@dataclass(frozen=True, slots=True, eq=False)
class IndexedGold:
    """One gold set, or one class of its phrases, made ready for matching, once; columns over its documents.

    Attributes:
        gold: the set itself.
        ids: the documents, (documents,).
        entries: for each form the numbers of the gold entries that accept it, (documents,).
        sizes: gold entries, (documents,).
        part: which of the phrases.
    """

    gold: GoldSet
    ids: tuple[str, ...]
    entries: tuple[Entries, ...]
    sizes: tuple[int, ...]
    part: PhraseClass = PhraseClass.ALL


def normalised_texts(texts: Mapping[str, str] | None, ids: frozenset[str], protocol: Protocol) -> Texts:
    """The texts of the gold's documents under the protocol's normal form; empty where it needs none.

    Raises:
        NeedsUnmet: the protocol needs texts and there are none.
        BadRecord: one document has none.
    """
    if not protocol.needs_texts:
        return {}
    if not texts:
        message = f"protocol {protocol.name} tells present phrases by the documents' texts, and there are only phrases"
        raise NeedsUnmet(message, "name a data set that has the texts: --gold DATASET")
    if missing := sorted(ids - texts.keys()):
        message = f"{len(missing)} documents have no text, the first is {missing[0]!r}"
        raise BadRecord(message, f"protocol {protocol.name} tells present phrases by the documents' texts")
    return {name: protocol.normalise(texts[name]) for name in ids}


def indexed(
    gold: GoldSet, protocol: Protocol, texts: Texts | None = None, part: PhraseClass = PhraseClass.ALL
) -> IndexedGold:
    """The gold, or one class of it, under the protocol's rules; as ``indexed_classes``."""
    return indexed_classes(gold, protocol, texts or {}, (part,))[part]


def indexed_classes(
    gold: GoldSet, protocol: Protocol, texts: Texts, parts: Sequence[PhraseClass]
) -> dict[PhraseClass, IndexedGold]:
    """Several classes of the gold under the protocol's rules."""
    accepted = [_accepted(document, protocol) for document in gold.documents]
    ids = tuple(document.id for document in gold.documents)
    found = {}
    for part in parts:
        entries = accepted
        if part is not PhraseClass.ALL:
            entries = [_of_class(one, name, part, texts, protocol) for name, one in zip(ids, accepted, strict=True)]
        found[part] = IndexedGold(gold, ids, tuple(map(_inverted, entries)), tuple(map(len, entries)), part)
    return found


def ranked_forms(lists: Mapping[str, Sequence[str]], protocol: Protocol) -> Mapping[str, Sequence[Form]]:
    """The forms that take a rank, by document; cut at the deepest cutoff where all are numbers and classes one."""
    deepest = None if protocol.needs_texts else _deepest(protocol)
    plain = protocol.depth is None and protocol.one_word is None and protocol.accept is everything
    if plain and protocol.normalise is as_given and protocol.repeats is Repeats.KEPT:
        return {name: phrases[:deepest] for name, phrases in lists.items()}
    return {name: _ranked(phrases, protocol)[:deepest] for name, phrases in lists.items()}


def forms_of_class(
    forms: Mapping[str, Sequence[Form]], texts: Texts, part: PhraseClass, protocol: Protocol
) -> Mapping[str, Sequence[Form]]:
    """Those of the ranked forms that are of a class, for documents that have a text."""
    if part is PhraseClass.ALL:
        return forms
    present, deepest = part is PhraseClass.PRESENT, _deepest(protocol)
    test = protocol.presence
    return {
        name: [form for form in phrases if test(form, texts[name]) == present][:deepest]
        for name, phrases in forms.items()
        if name in texts
    }


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
    partial = getattr(matching, "partial", False)
    counts = counted(gold.ids, ranked, gold.sizes, cutoffs, protocol.short_list, partial=partial)
    if not protocol.means:
        return counts
    listed = Listed(counts, tuple(forms.get(name, ()) for name in gold.ids), gold.entries)
    left_out = protocol.no_gold in (NoGold.LEFT_OUT, NoGold.NOT_COUNTED)
    return replace(counts, means=mean_columns(protocol.means, listed, (counts.gold > 0) | (not left_out)))


def _deepest(protocol: Protocol) -> int | None:
    """The deepest cutoff; None where one depends on the document."""
    depths = [measure.k for measure in protocol.reported]
    return None if {"M", "O", "G", None} & set(depths) else max(k for k in depths if isinstance(k, int))


def _ranked(phrases: Sequence[str], protocol: Protocol) -> Sequence[Form]:
    """Forms of one document's predictions: normalised, accepted, repeats dropped if the protocol says so."""
    forms = list(map(protocol.normalise, phrases[: protocol.depth]))
    if protocol.one_word is not None:
        forms = _few_of_one_word(forms, protocol.one_word)
    forms = [form for form in forms if protocol.accept(form)]
    return forms if protocol.repeats is Repeats.KEPT else list(dict.fromkeys(forms))


def _few_of_one_word(forms: Sequence[Form], most: int) -> list[Form]:
    """The forms without those of one word past the first ``most``; what would be dropped later counts, too.

    A form that came before is no first one, whatever becomes of it here: a repeat is dropped with its first.
    """
    kept = []
    for form in forms:
        single = " " not in form
        if not single or most > 0:
            kept.append(form)
        most -= single
    return kept


def _accepted(document: GoldDocument, protocol: Protocol) -> list[set[Form]]:
    """The accepted forms of each gold entry of one document."""
    normalise = protocol.normalise_gold or protocol.normalise
    kept: list[set[Form]] = []
    seen: set[Form] = set()
    for entry in document.entries:
        forms = {form for form in map(normalise, protocol.alternatives(entry)) if protocol.accept_gold(form)}
        if forms and (protocol.gold_repeats is Repeats.KEPT or not forms & seen):
            kept.append(forms)
        seen |= forms
    return kept


def _of_class(
    entries: Sequence[set[Form]], name: str, part: PhraseClass, texts: Texts, protocol: Protocol
) -> list[set[Form]]:
    """The entries that have a form of a class, without their other forms."""
    present = part is PhraseClass.PRESENT
    if protocol.gold_class is GoldClass.MARK:
        marks = [place for place, forms in enumerate(entries) if any(map(is_mark, forms))]
        end = marks[0] if marks else len(entries)
        sides = entries[:end] if present else entries[end:]
        return [forms for forms in sides if not any(map(is_mark, forms))]
    text = texts[name]
    divided = ({form for form in forms if protocol.presence(form, text) == present} for forms in entries)
    return [forms for forms in divided if forms]


def _inverted(entries: Sequence[set[Form]]) -> dict[Form, tuple[int, ...]]:
    """For each form the numbers of the entries that accept it."""
    index: dict[Form, tuple[int, ...]] = {}
    for number, forms in enumerate(entries):
        for form in forms:
            index[form] = (*index.get(form, ()), number)
    return index
