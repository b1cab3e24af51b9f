"""Hits of a run against its gold, counted for each document, and counts aggregated to values.

Statistics are summed over documents, and a function of the sums gives the values: ``weights @ statistics`` with weights
(resamples, documents) has the totals of all resamples. Very many documents are summed block after block.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Numbers
from keywright.core.errors import BadRecord, NeedsUnmet, PartlyDone, list_names
from keywright.evaluation import rules
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.measures.counts import Counts, Cutoff, Listed, build_counts, quotient
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.rules import Average, Entries, Form, NoGold, PhraseClass, Repeats

Texts: TypeAlias = Mapping[str, Form]  # normalised texts by document id; empty where the protocol needs none


@dataclass(frozen=True, slots=True, eq=False)
class IndexedGold:
    """One gold set, or one class of its phrases, indexed for matching; columns over its documents."""

    gold: GoldSet
    ids: tuple[str, ...]
    entries: tuple[Entries, ...]  # for each form the numbers of the gold entries that accept it, (documents,)
    sizes: tuple[int, ...]  # gold entries, (documents,)
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
            listed_of = zip(accepted, ids, strict=True)
            entries = [_select_entries(forms, name, part, texts, protocol) for forms, name in listed_of]
        inverted = []
        for listed in entries:
            index: dict[Form, tuple[int, ...]] = {}
            for number, forms in enumerate(listed):
                index |= {form: (*index.get(form, ()), number) for form in forms}
            inverted.append(index)
        indexes[part] = IndexedGold(gold, ids, tuple(inverted), tuple(map(len, entries)), part)
    return indexes


def rank_forms(lists: Mapping[str, Sequence[str]], protocol: Protocol) -> Mapping[str, Sequence[Form]]:
    """Return the forms that take a rank, by document; without classes, cut at the deepest cutoff if all are numbers."""
    deepest = None if protocol.needs_texts else _deepest_cutoff(protocol)
    ranked: dict[str, Sequence[Form]] = {}
    for name, phrases in lists.items():
        forms = list(map(protocol.normalise, phrases[: protocol.depth]))
        if protocol.one_word is not None:  # before other filters: a form rejected later uses the limit up
            single = list(itertools.accumulate(" " not in form for form in forms))
            counted = zip(forms, single, strict=True)
            forms = [form for form, count in counted if " " in form or count <= protocol.one_word]
        if protocol.accept != rules.everything:  # saves a call per form
            forms = list(filter(protocol.accept, forms))
        ranked[name] = (forms if protocol.repeats is Repeats.KEPT else list(dict.fromkeys(forms)))[:deepest]
    return ranked


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
    listed, counted = Listed(counts, lists, gold.entries), (counts.gold > 0) | (not left_out)
    means: dict[str, Floats] = {}
    for family in protocol.means:
        table = np.where(counted[:, None], family.of(listed, family.measures), np.nan)
        means |= {str(measure): table[:, place] for place, measure in enumerate(family.measures)}
    return replace(counts, means=means)


def _deepest_cutoff(protocol: Protocol) -> int | None:
    """Return the deepest cutoff; None where one depends on the document."""
    depths = [measure.k for measure in protocol.reported]
    return None if {"M", "O", "G", None} & set(depths) else max(k for k in depths if isinstance(k, int))


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
    if protocol.gold_class is rules.GoldClass.MARK:
        marked = [any(map(rules.is_mark, forms)) for forms in entries]
        end = marked.index(True) if True in marked else len(entries)
        side = slice(0, end) if present else slice(end, None)
        return [forms for forms, mark in zip(entries[side], marked[side], strict=True) if not mark]
    divided = ([form for form in forms if protocol.presence(form, texts[name]) == present] for forms in entries)
    return [forms for forms in divided if forms]


HUNDRED: Final = 100  # test documents of SemEval-2010, by which its scorer divides
COLUMNS: Final = ("hits", "divisors", "predicted", "gold", "relevance")  # columns of counts
_AT_ONCE: Final = 10_000  # documents whose statistics are in memory together; arbitrary


class Values(NamedTuple):
    """Precision, recall and F as fractions, each (..., cutoffs)."""

    P: Floats
    R: Floats
    F: Floats


def tabulate_statistics(counts: Counts, average: Average, protocol: Protocol) -> Floats:
    """Return the columns that are summed over documents, (documents, 3 * cutoffs + 3).

    Three blocks of one column per cutoff, then gold entries, 1, and 1 where the document counts for R and F. Blocks,
    pooled: hits, divisors of precision, divisors where it counts; averaged: P, R and P where it counts (``macro``), or
    P, R and F.
    """
    population = np.ones(len(counts), dtype=bool)
    if protocol.no_gold in (NoGold.LEFT_OUT, NoGold.NOT_COUNTED):
        population = counts.gold > 0
    blocks: tuple[Numbers, ...] = counts.hits, counts.divisors, counts.divisors * population[:, None]
    if average is not Average.MICRO:
        # A document without gold has no hits, so that it adds nothing to a sum and needs no mask.
        precision, recall = quotient(counts.hits, counts.divisors), quotient(counts.hits, counts.gold[:, None])
        inner = precision if average is Average.MACRO else quotient(2 * precision * recall, precision + recall)
        blocks = precision, recall, inner
    sizes = np.stack([counts.gold, np.ones(len(counts)), population], axis=1)
    table = np.hstack([*blocks, sizes]).astype(np.float64)
    return table * population[:, None] if protocol.no_gold is NoGold.NOT_COUNTED else table


def compute_values(totals: Floats, cutoffs: tuple[Cutoff, ...], average: Average, protocol: Protocol) -> Values:
    """Compute measures from sums of the columns of ``statistics`` for the same average, (..., columns)."""
    n = len(cutoffs)
    first, second, third = (totals[..., at : at + n] for at in (0, n, 2 * n))
    gold, documents, population = (totals[..., at, None] for at in (3 * n, 3 * n + 1, 3 * n + 2))
    if protocol.documents is rules.Documents.HUNDRED:
        if average is Average.MICRO:
            second, third = (quotient(divisors * HUNDRED, documents) for divisors in (second, third))
        documents = population = np.full_like(documents, HUNDRED)
    if average is Average.MICRO:
        parts = (first, second), (first, gold), (first, third)
    else:
        parts = (first, documents), (second, population), (third, population)
    scale = 100.0 if protocol.unit is rules.Unit.PERCENT else 1.0
    precision, recall, inner = (_divide_totals(above, below, protocol) * scale for above, below in parts)
    if average is not Average.MEAN:
        exact = inner, recall
        both = exact if protocol.f_from is rules.FScore.EXACT else [_round_numbers(part, protocol) for part in exact]
        inner = _divide_totals(2 * both[0] * both[1], both[0] + both[1], protocol)
    return Values(*(_round_numbers(part, protocol) / scale for part in (precision, recall, inner)))


def _round_numbers(numbers: Floats, protocol: Protocol) -> Floats:
    """Round to the protocol's decimals as ``%.2f`` does, by the exact binary value."""
    if protocol.decimals is None:
        return numbers
    digits = [float(f"{number:.{protocol.decimals}f}") for number in numbers.ravel().tolist()]
    return np.array(digits, dtype=np.float64).reshape(numbers.shape)


def _divide_totals(a: Floats, b: Floats, protocol: Protocol) -> Floats:
    if protocol.zero_divisor is rules.ZeroDivisor.STOP and not np.all(b):
        message = "a divisor is 0: no match at a cutoff, or no gold at all"
        raise PartlyDone(message, "the reference stops here; a protocol with zero_divisor=zero reports 0")
    return quotient(a, b)


def sum_statistics(counts: Counts, average: Average, protocol: Protocol) -> Floats:
    """Return the sums of the columns of ``statistics``, (3 * cutoffs + 3,), equal to those of all rows at once."""
    sums = np.empty((0, 3 * len(counts.cutoffs) + 3))
    for block in split_blocks(counts):
        sums = np.vstack([sums, tabulate_statistics(block, average, protocol)]).sum(axis=0, keepdims=True)
    return np.asarray(sums.sum(axis=0))


def split_blocks(counts: Counts) -> Iterator[Counts]:
    """Yield the counts of some documents after the other, without their relevance."""
    return (counts.of_documents(slice(start, start + _AT_ONCE)) for start in range(0, len(counts), _AT_ONCE))


def compact_counts(counts: Counts) -> Counts:
    """Return the counts with whole numbers of two bytes, relevance of one, or of more where they do not fit."""
    columns: dict[str, Any] = {}
    for name in COLUMNS:
        column = getattr(counts, name)
        smallest = np.min_scalar_type(int(column.max(initial=0)))
        if column.dtype.kind == "i":  # signed as the column is, and then of two bytes
            smallest = np.result_type(np.int16, np.min_scalar_type(~int(column.max(initial=0))))
        columns[name] = column if column.dtype.kind == "f" else column.astype(smallest)
    return replace(counts, **columns)
