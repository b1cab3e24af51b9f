"""How the default extractor describes a candidate: about a hundred numbers in groups that people understand.

Every group is a function from what is ``Known`` to named columns, (few,) each; ``described`` puts them
side by side. Counts enter as logarithms where trees would have to find the same cut at every scale; what depends on the
length of a document also enters as a rank among the document's candidates.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Floats, Numbers
from keywright.core.documents import Case, SectionKind, WordFlag
from keywright.corpus.knowledge import Knowledge
from keywright.features.description.described_candidates import View
from keywright.features.description.lookup import WORDS_OF, Known
from keywright.features.description.neighbours import NAMES, neighbours
from keywright.features.description.tag_shares import SHARES
from keywright.features.functions.acronyms import among_spans
from keywright.text.abbreviations import abbreviations

Columns: TypeAlias = dict[str, Numbers]
Group: TypeAlias = Callable[[Known], Columns]

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
_ZONES: Final = [kind.code for kind in ZONES]
_IN_ZONES: Final = [f"in {kind.value}" for kind in ZONES]
_WORDS_IN: Final = {f"words in {kind.value}": kind.value for kind in WORDS_OF}
_CAPITAL, _UPPER = int(Case.CAPITAL), int(Case.UPPER)
_NO_NAME: Final = int(WordFlag.STOP | WordFlag.PUNCTUATION)
_SINGLE: Final = 0.1
"""Cohesion of a single word, beside that of phrases (see ``cohesion.GeneralisedDice``)."""


def frequency(known: Known) -> Columns:
    """How often, and how often for its own sake."""
    view, words = known.view, known.words
    mentions = view.few.frequency.astype(float)
    return {
        "mentions": np.log1p(mentions),
        "share of tokens": 1000 * mentions / max(1, len(view.document)),
        "own mentions": np.log1p(np.maximum(mentions - view.around.next, 0)),
        "mentions of its words": np.log(words.mean("mentions")),
        "mentions of its rarest word": np.log(words.least("mentions")),
        "mentions of its last word": np.log(words.last("mentions")),
    }


def rarity(known: Known) -> Columns:
    """How rare elsewhere, as a phrase and by its words."""
    words = known.words
    return {
        "rarity": known.knowledge.background.rarity(known.phrases("background")),
        "rarity of its words": words.mean("rarity"),
        "rarity of its commonest word": words.least("rarity"),
        "rarity of its rarest word": words.most("rarity"),
        "rarity of its first word": words.first("rarity"),
        "rarity of its last word": words.last("rarity"),
        "general words": words.mean("general"),
        "general rarest word": words.least("general"),
        "general last word": words.last("general"),
    }


def keyphraseness(known: Known) -> Columns:
    """How often it, its words and its head are keyphrases elsewhere."""
    words, chosen = known.words, np.log1p(known.phrases("chosen"))
    return {
        "chosen": chosen,
        "chosen beside background": chosen - np.log1p(known.phrases("background")),
        "in titles": np.log1p(known.phrases("titles")),
        "noun of a dictionary": np.log1p(known.phrases("nouns")),
        "chosen words": words.mean("chosen"),
        "least chosen word": words.least("chosen"),
        "chosen last word": words.last("chosen"),
        "head of keyphrases": words.last("heads"),
        "leaning of its words": words.mean("leaning"),
        "leaning of its last word": words.last("leaning"),
        "least leaning word": words.least("leaning"),
    }


def place(known: Known) -> Columns:
    """Where it stands first and last, and how spread."""
    view, few, total = known.view, known.view.few, max(1, len(known.view.document))
    positions = few.positions / total
    mean = view.share(positions)
    return {
        "first mention": few.first / total,
        "first mention in tokens": np.log1p(few.first),
        "first sentence": np.log1p(view.document.sentence[few.first]),
        "last mention": few.last / total,
        "spread": (few.last - few.first) / total,
        "deviation": np.sqrt(np.maximum(view.share(positions**2) - mean**2, 0)),
    }


def zones(known: Known) -> Columns:
    """In which sections, and how far its words are those of title, abstract, headings and references."""
    counts = known.view.in_sections
    found: Columns = dict(zip(_IN_ZONES, np.log1p(counts.T[_ZONES]), strict=True))
    found["sections"] = np.count_nonzero(counts, axis=1)
    return found | {name: known.words.mean(section) for name, section in _WORDS_IN.items()}


def shape(known: Known) -> Columns:
    """What it looks like, and what stands beside it."""
    few, document, words = known.view.few, known.view.document, known.words
    starts, ends = few.positions, few.positions + few.widths
    case, sentence = document.case, np.concatenate(([-1], document.sentence, [-2]))
    apart = np.ones(len(document) + 2, bool)
    apart[1:-1] = (document.word_flags & _NO_NAME > 0)[document.word]
    left = apart[starts] | (sentence[starts] != sentence[starts + 1])
    right = apart[ends + 1] | (sentence[ends + 1] != sentence[ends])
    begins, acronym = case[starts], case[starts] >= _UPPER
    return {
        "words": few.length,
        "letters": words.mean("letters") * few.length,
        "letters of its longest word": words.most("letters"),
        **known.view.shares(
            {
                "capitals": begins >= _CAPITAL,
                "capital at its end": case[ends - 1] >= _CAPITAL,
                "acronym": acronym & (few.widths == 1),
            }
        ),
        "stop words": words.mean("stop") * few.length,
        "digits": words.mean("digit"),
        "hyphens": words.mean("hyphen"),
        **known.view.shares({"bounded left": left, "bounded right": right, "bounded": left & right}),
        **_abbreviated(known.view),
    }


def grammar(known: Known) -> Columns:
    """What parts of speech its words usually are; nothing is known for languages without a lexicon."""
    if known.knowledge.tags is None:
        return {name: np.full(len(known.view.few), np.nan) for name in SHARES}
    return {name: feature(known.words) for name, feature in SHARES.items()}


def beside(known: Known) -> Columns:
    """What stands before and behind it, by parts of speech; nothing is known for languages without a lexicon."""
    if known.shares is None:
        return {name: np.full(len(known.view.few), np.nan) for name in NAMES}
    return dict(neighbours(known.view, known.beside, known.shares))


def nesting(known: Known) -> Columns:
    """How far it is part of longer phrases, and whether its parts hold together."""
    few, around = known.view.few, known.view.around
    mentions, length = few.frequency.astype(float), few.length
    of_words = known.words.mean("mentions") * length
    together = length * np.log10(mentions) * mentions / of_words
    return {
        "independence": 1 - around.next / mentions,
        "beside the longer": np.log1p(around.most) - np.log1p(mentions),
        "inside longer ones": around.inside,
        "c-value": np.log2(length + 1) * np.maximum(mentions - around.most, 0),
        "cohesion": np.where(length > 1, together, _SINGLE * np.log10(mentions + 1)),
        "share of its rarest word": mentions / known.words.least("mentions"),
        "share of its last word": mentions / known.words.last("mentions"),
    }


def document(known: Known) -> Columns:
    """What kind of document it stands in."""
    document = known.view.document
    there = [float((document.section == code).any()) for code in _ZONES[:2]]
    constant = [np.log1p(len(document)), np.log1p(len(known.view.found)), *there]
    names = ("tokens of the document", "candidates of the document", "document has title", "document has abstract")
    return dict(zip(names, np.repeat(constant, len(known.view.few)).reshape(len(names), -1), strict=True))


GROUPS: Final[Mapping[str, Group]] = {
    "how often": frequency,
    "how rare": rarity,
    "known as a keyphrase": keyphraseness,
    "where": place,
    "in which sections": zones,
    "how it is written": shape,
    "well-formed": grammar,
    "its neighbours": beside,
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
    known = Known(view, knowledge)
    found: list[tuple[str, str, Numbers]] = [(RANKS, "weight", weight)]
    for group, columns in GROUPS.items():
        if group not in without:
            found += [(group, name, column) for name, column in columns(known).items()]
    if RANKS in without:
        found = found[1:]
    else:
        ranked = {name: column for _, name, column in found if name in _RANKED}
        found += [(RANKS, f"rank of {name}", ranks) for name, ranks in zip(ranked, _ranks(ranked), strict=True)]
    rows = np.empty((len(found), len(view.few)), np.float32)
    np.concatenate([column for _, _, column in found], out=rows.reshape(-1), casting="unsafe")
    return rows.T, tuple((group, name) for group, name, _ in found)


def _ranks(columns: Columns) -> Floats:
    """Rank in each column, the first one first, equal ones in reading order, as a logarithm, (columns, few)."""
    signs = [-1 if _RANKED[name] else 1 for name in columns]
    order = np.argsort(np.array(list(columns.values())) * np.array(signs)[:, None], axis=1, kind="stable")
    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, np.log1p(np.arange(order.shape[1]))[None, :], axis=1)
    return ranks


def _abbreviated(view: View) -> Columns:
    """Whether the document abbreviates it, or it is such an abbreviation."""
    pairs = abbreviations(view.document)
    return {
        "abbreviation": among_spans(view.few, view.document, (pair.short for pair in pairs)),
        "abbreviated": among_spans(view.few, view.document, (pair.long for pair in pairs)),
    }
