"""How the default extractor describes a candidate: about ninety numbers in groups that people understand.

Every group is a function from a ``View`` and the ``Knowledge`` to named columns, (few,) each; ``described`` puts them
side by side. Counts enter as logarithms where trees would have to find the same cut at every scale; what depends on the
length of a document also enters as a rank among the document's candidates.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.documents import Case, SectionKind, WordFlag
from keywright.corpus.counts import PhraseCounts
from keywright.corpus.knowledge import Knowledge
from keywright.features.acronyms import among_spans
from keywright.features.tag_shares import SHARES, FirstMentions
from keywright.features.view import View
from keywright.text.abbreviations import abbreviations

Columns: TypeAlias = dict[str, Floats]
Group: TypeAlias = Callable[[View, Knowledge], Columns]

ZONES: Final = (
    SectionKind.TITLE,
    SectionKind.ABSTRACT,
    SectionKind.HEADING,
    SectionKind.INTRODUCTION,
    SectionKind.RELATED,
    SectionKind.CONCLUSION,
    SectionKind.REFERENCES,
    SectionKind.CAPTION,
)
_KINDS: Final = len(SectionKind)
_SINGLE: Final = 0.1
"""Cohesion of a single word, beside that of phrases (see ``cohesion.GeneralisedDice``)."""


def frequency(view: View, _: Knowledge) -> Columns:
    """How often, and how often for its own sake."""
    mentions = view.few.frequency.astype(float)
    of_words = view.over_words(view.mentions_of_words)
    own = np.maximum(mentions - view.around.next, 0)
    return {
        "mentions": np.log1p(mentions),
        "share of tokens": 1000 * mentions / max(1, len(view.document)),
        "own mentions": np.log1p(own),
        "mentions of its words": np.log(of_words.mean),
        "mentions of its rarest word": np.log(of_words.least),
        "mentions of its last word": np.log(of_words.last),
    }


def rarity(view: View, knowledge: Knowledge) -> Columns:
    """How rare elsewhere, as a phrase and by its words."""
    idf = _idf(knowledge.background, knowledge.background.of(view.few.key))
    of_words = view.over_words(_idf(knowledge.background, view.known(knowledge.background)))
    general = view.over_words(np.log1p(view.known(knowledge.general)))
    return {
        "rarity": idf,
        "rarity of its words": of_words.mean,
        "rarity of its commonest word": of_words.least,
        "rarity of its rarest word": of_words.most,
        "rarity of its first word": of_words.first,
        "rarity of its last word": of_words.last,
        "general words": general.mean,
        "general rarest word": general.least,
        "general last word": general.last,
    }


def keyphraseness(view: View, knowledge: Knowledge) -> Columns:
    """How often it, its words and its head are keyphrases elsewhere."""
    keys = view.few.key
    chosen, background = knowledge.chosen.of(keys), knowledge.background.of(keys)
    words = np.log1p(view.known(knowledge.chosen_words))
    held = view.over_words(words)
    heads = view.over_words(np.log1p(view.known(knowledge.chosen_heads)))
    of_words = view.over_words(words - np.log1p(view.known(knowledge.background)))
    return {
        "chosen": np.log1p(chosen),
        "chosen beside background": np.log1p(chosen) - np.log1p(background),
        "in titles": np.log1p(knowledge.titles.of(keys)),
        "noun of a dictionary": np.log1p(knowledge.nouns.of(keys)),
        "chosen words": held.mean,
        "least chosen word": held.least,
        "chosen last word": held.last,
        "head of keyphrases": heads.last,
        "leaning of its words": of_words.mean,
        "leaning of its last word": of_words.last,
        "least leaning word": of_words.least,
    }


def place(view: View, _: Knowledge) -> Columns:
    """Where it stands first and last, and how spread."""
    few, total = view.few, max(1, len(view.document))
    positions = few.positions / total
    mean = view.share(positions)
    return {
        "first mention": few.first / total,
        "first mention in tokens": np.log1p(few.first),
        "first sentence": np.log1p(view.document.sentence[few.first]) if len(few) else np.zeros(0),
        "last mention": few.last / total,
        "spread": (few.last - few.first) / total,
        "deviation": np.sqrt(np.maximum(view.share(positions**2) - mean**2, 0)),
    }


def zones(view: View, _: Knowledge) -> Columns:
    """In which sections, and how far its words are those of title, abstract, headings and references."""
    document = view.document
    section = document.section[view.few.positions].astype(np.int64)
    cells = np.bincount(view.owner * _KINDS + section, minlength=len(view.few) * _KINDS)
    counts = cells.reshape(len(view.few), _KINDS)
    found: Columns = {f"in {kind.value}": np.log1p(counts[:, kind.code]) for kind in ZONES}
    found["sections"] = (counts > 0).sum(axis=1).astype(float)
    for kind in (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.HEADING, SectionKind.REFERENCES):
        there = np.zeros(len(document.words))
        there[document.word[document.section == kind.code]] = 1
        found[f"words in {kind.value}"] = view.over_words(there).mean
    return found


def shape(view: View, _: Knowledge) -> Columns:
    """What it looks like, and what stands beside it."""
    few, document = view.few, view.document
    ends = few.positions + few.widths - 1
    case, flags = document.case, document.flags
    apart = np.ones(len(document) + 2, bool)
    apart[1:-1] = (flags & (WordFlag.STOP | WordFlag.PUNCTUATION)) > 0
    sentence = np.concatenate(([-1], document.sentence, [-2]))
    left = apart[few.positions] | (sentence[few.positions] != sentence[few.positions + 1])
    right = apart[ends + 2] | (sentence[ends + 2] != sentence[ends + 1])
    stop, digit, hyphen = (
        view.over_words(((document.word_flags & flag) > 0).astype(float)).mean
        for flag in (WordFlag.STOP, WordFlag.DIGIT, WordFlag.COMPOUND)
    )
    letters = view.over_words(np.fromiter(map(len, document.words), float, len(document.words)))
    return {
        "words": few.length.astype(float),
        "letters": letters.mean * few.length,
        "letters of its longest word": letters.most,
        "capitals": view.share(case[few.positions] >= Case.CAPITAL),
        "capital at its end": view.share(case[ends] >= Case.CAPITAL),
        "acronym": view.share((case[few.positions] >= Case.UPPER) & (few.widths == 1)),
        "stop words": stop * few.length,
        "digits": digit,
        "hyphens": hyphen,
        "bounded left": view.share(left),
        "bounded right": view.share(right),
        "bounded": view.share(left & right),
        **_abbreviated(view),
    }


def grammar(view: View, knowledge: Knowledge) -> Columns:
    """What parts of speech its words usually are; nothing is known for languages without a lexicon."""
    if knowledge.tags is None:
        return {name: np.full(len(view.few), np.nan) for name in SHARES}
    mentions = FirstMentions.of(knowledge.tags, view.few, view.document)
    return {name: feature(mentions) for name, feature in SHARES.items()}


def nesting(view: View, _: Knowledge) -> Columns:
    """How far it is part of longer phrases, and whether its parts hold together."""
    mentions = view.few.frequency.astype(float)
    around, words = view.around, view.over_words(view.mentions_of_words)
    length = view.few.length
    together = np.where(length > 1, length * np.log10(np.maximum(mentions, 1)) * mentions / (words.mean * length), 0)
    return {
        "independence": 1 - around.next / np.maximum(mentions, 1),
        "beside the longer": np.log1p(around.most) - np.log1p(mentions),
        "inside longer ones": around.inside,
        "c-value": np.log2(length + 1) * np.maximum(mentions - around.most, 0),
        "cohesion": np.where(length > 1, together, _SINGLE * np.log10(mentions + 1)),
        "share of its rarest word": mentions / words.least,
        "share of its last word": mentions / words.last,
    }


def document(view: View, _: Knowledge) -> Columns:
    """What kind of document it stands in."""
    there = [float((view.document.section == kind.code).any()) for kind in ZONES[:2]]
    constant = [np.log1p(len(view.document)), np.log1p(len(view.found)), *there]
    names = ("tokens of the document", "candidates of the document", "document has title", "document has abstract")
    return {name: np.full(len(view.few), value) for name, value in zip(names, constant, strict=True)}


GROUPS: Final[Mapping[str, Group]] = {
    "how often": frequency,
    "how rare": rarity,
    "known as a keyphrase": keyphraseness,
    "where": place,
    "in which sections": zones,
    "how it is written": shape,
    "well-formed": grammar,
    "on its own": nesting,
    "the document": document,
}
"""Groups of columns by the names that people see."""

_RANKED: Final[Mapping[str, bool]] = {
    "weight": True,
    "mentions": True,
    "own mentions": True,
    "first mention": False,
    "cohesion": True,
    "c-value": True,
    "chosen beside background": True,
    "leaning of its words": True,
}
"""Columns that are also ranked within a document, and whether the largest is first."""
RANKS: Final = "beside the other candidates"


def described(
    view: View, knowledge: Knowledge, weight: Floats, without: Collection[str] = ()
) -> tuple[Floats, tuple[tuple[str, str], ...]]:
    """All columns of the few candidates, and their names with the group of each.

    Args:
        view: the candidates.
        knowledge: of phrases and words.
        weight: what a first ranking made of each, (few,).
        without: groups left out, to see what they are worth.

    Returns:
        Numbers (few, columns), and pairs of group and name (columns,).
    """
    found: list[tuple[str, str, Floats]] = [(RANKS, "weight", weight)]
    for group, columns in GROUPS.items():
        if group not in without:
            found += [(group, name, column) for name, column in columns(view, knowledge).items()]
    if RANKS in without:
        found = found[1:]
    else:
        for _, name, column in tuple(found):
            if name in _RANKED:
                found.append((RANKS, f"rank of {name}", _ranks(-column if _RANKED[name] else column)))
    rows = np.empty((len(view.few), len(found)), np.float32)
    for at, (_, _, column) in enumerate(found):
        rows[:, at] = column
    return rows, tuple((group, name) for group, name, _ in found)


def _idf(table: PhraseCounts, counts: Floats) -> Floats:
    return np.asarray(np.log2((table.documents + 1) / (counts + 1)))


def _ranks(column: Floats) -> Floats:
    """Rank of each number, the smallest first, equal ones in reading order, as a logarithm."""
    ranks = np.empty(len(column))
    ranks[np.argsort(column, kind="stable")] = np.log1p(np.arange(len(column)))
    return ranks


def _abbreviated(view: View) -> Columns:
    """Whether the document abbreviates it, or it is such an abbreviation."""
    pairs = abbreviations(view.document)
    return {
        "abbreviation": among_spans(view.few, view.document, (pair.short for pair in pairs)),
        "abbreviated": among_spans(view.few, view.document, (pair.long for pair in pairs)),
    }
