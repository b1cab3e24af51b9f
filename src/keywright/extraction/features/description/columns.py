"""Columns that describe a candidate to the default extractor: about a hundred numbers in groups with readable names.

Every group is a function from a ``Lookup`` to named columns, (shortlist,) each; ``describe`` puts them side by side.
Counts enter as logarithms, so that trees do not have to find the same split at every scale; values that depend on the
length of a document also enter as a rank among the document's candidates.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from keywright.core.arrays import Bools, Floats, Ints, Numbers, count_rows, locate_rows, pad_segments
from keywright.core.document_batches import count_marked, count_tokens, share_before
from keywright.core.documents import SECTION_KINDS, Case, SectionKind, WordFlag
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description import described_candidates
from keywright.extraction.features.functions.mentions import by_kind
from keywright.extraction.features.functions.words import SINGLE_WORD_WEIGHT, abbreviated_phrases, word_mentions
from keywright.text.tag_lexicon import CLASSES

Columns: TypeAlias = dict[str, Numbers]
ZONES: Final = (
    SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.HEADING, SectionKind.INTRODUCTION, SectionKind.RELATED,
    SectionKind.CONCLUSION, SectionKind.REFERENCES, SectionKind.CAPTION,
)  # fmt: skip
"""Sections with a column each."""
_NO_WORD: Final = int(WordFlag.STOP | WordFlag.PUNCTUATION)
_PER_TOKENS: Final = 1000
"""Tokens to which mentions are scaled; arbitrary: a readable unit, of no consequence for trees."""
WORDS_OF: Final = (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.HEADING, SectionKind.REFERENCES)
"""Sections whose words are looked for in candidates."""
_FLAGS: Final = {"stop": int(WordFlag.STOP), "digit": int(WordFlag.DIGIT), "hyphen": int(WordFlag.COMPOUND)}


@dataclass(frozen=True, eq=False)
class Lookup:
    """A shortlist with the tables' entries for it."""

    described: described_candidates.DescribedCandidates
    knowledge: Knowledge

    @cached_property
    def _counts(self) -> Mapping[str, Floats]:
        """Counts by table of the shortlist followed by its word forms, (shortlist + word forms,)."""
        described = self.described
        keys = described.shortlist.key, described.document.word_key[described.word_forms]
        return self.knowledge.counts(np.concatenate(keys))

    def phrase_counts(self, table: str) -> Floats:
        """Return the counts of the shortlist in a table, (shortlist,)."""
        return self._counts[table][: len(self.described.shortlist)]

    @cached_property
    def neighbours(self) -> tuple[tuple[Ints, Bools], tuple[Ints, Bools]]:
        """Words before and behind the mentions of the shortlist, see ``find_neighbours``."""
        return described_candidates.find_neighbours(self.described)

    @cached_property
    def tag_shares(self) -> Floats | None:
        """Shares of word classes, (words, classes), of words in the shortlist or beside it; None without a lexicon."""
        tags, document = self.knowledge.tags, self.described.document
        if tags is None:
            return None
        wanted = np.zeros(len(document.words), bool)
        for words in (self.described.word_forms, *(words for words, _ in self.neighbours)):
            wanted[words] = True
        shares = np.zeros((len(document.words), len(CLASSES)))
        shares[wanted] = tags.shares(document, np.flatnonzero(wanted))
        return shares

    @cached_property
    def words(self) -> described_candidates.WordValues:
        """All per-word values that columns are made of, by candidate."""
        document, forms = self.described.document, self.described.word_forms
        counts = {table: column[len(self.described.shortlist) :] for table, column in self._counts.items()}
        common, chosen = np.log1p(counts["background"]), np.log1p(counts["chosen_words"])
        flags, texts = document.word_flags[forms], map(document.words.__getitem__, forms.tolist())
        in_sections = np.zeros((len(SECTION_KINDS), len(document.words)), bool)
        in_sections[document.section, document.word] = True
        columns: dict[str, Floats | Bools] = {
            "mentions": word_mentions(document)[forms],
            "rarity": self.knowledge.background.rarity(counts["background"]),
            "general": np.log1p(counts["general"]),
            "chosen": chosen,
            "heads": np.log1p(counts["chosen_heads"]),
            "leaning": chosen - common,
            "letters": np.fromiter(map(len, texts), float, len(forms)),
            **{name: flags & flag > 0 for name, flag in _FLAGS.items()},
            **{kind.value: in_sections[kind.code, forms] for kind in WORDS_OF},
        }
        if self.tag_shares is not None:
            shares = self.tag_shares[forms]
            if (single := flags & WordFlag.LONE > 0).any():
                # Candidates contain only single letters that belong to a term, which count as nouns, and the article a.
                single &= np.fromiter((document.words[form] != "a" for form in forms.tolist()), bool, len(forms))
                shares = np.where(single[:, None], [letter == "N" for letter in CLASSES], shares)
            columns |= described_candidates.class_columns(shares)
        return self.described.word_values(columns)


def frequency(lookup: Lookup) -> Columns:
    """Return mentions, inside and outside of longer candidates, and mentions of the words."""
    described, words = lookup.described, lookup.words
    mentions = described.shortlist.frequency.astype(float)
    return {
        "mentions": np.log1p(mentions),
        "share of tokens": _PER_TOKENS * mentions / described.tokens,
        "own mentions": np.log1p(np.maximum(mentions - described.longer.next_mentions, 0)),
        "mentions of its words": np.log(words.mean["mentions"]),
        "mentions of its rarest word": np.log(words.min["mentions"]),
        "mentions of its last word": np.log(words.last["mentions"]),
    }


def rarity(lookup: Lookup) -> Columns:
    """Return the rarity elsewhere of the phrase and of its words."""
    words = lookup.words
    return {
        "rarity": lookup.knowledge.background.rarity(lookup.phrase_counts("background")),
        "rarity of its words": words.mean["rarity"],
        "rarity of its commonest word": words.min["rarity"],
        "rarity of its rarest word": words.max["rarity"],
        "rarity of its first word": words.first["rarity"],
        "rarity of its last word": words.last["rarity"],
        "general words": words.mean["general"],
        "general rarest word": words.min["general"],
        "general last word": words.last["general"],
    }


def keyphraseness(lookup: Lookup) -> Columns:
    """Return how often the phrase, its words and its head are keyphrases elsewhere."""
    words, chosen = lookup.words, np.log1p(lookup.phrase_counts("chosen"))
    return {
        "chosen": chosen,
        "chosen beside background": chosen - np.log1p(lookup.phrase_counts("background")),
        "in titles": np.log1p(lookup.phrase_counts("titles")),
        "noun of a dictionary": np.log1p(lookup.phrase_counts("nouns")),
        "chosen words": words.mean["chosen"],
        "least chosen word": words.min["chosen"],
        "chosen last word": words.last["chosen"],
        "head of keyphrases": words.last["heads"],
        "leaning of its words": words.mean["leaning"],
        "leaning of its last word": words.last["leaning"],
        "least leaning word": words.min["leaning"],
    }


def position(lookup: Lookup) -> Columns:
    """Return the first and last position of the mentions and their spread."""
    described = lookup.described
    shortlist, document = described.shortlist, described.document
    positions = share_before(shortlist.positions, document)
    mean = described.mean_over_mentions(positions)
    first_sentence = document.sentence[shortlist.first] - document.first_sentences[described.number]
    return {
        "first mention": share_before(shortlist.first, document),
        "first mention in tokens": np.log1p(shortlist.first - document.bounds[described.number]),
        "first sentence": np.log1p(first_sentence),
        "last mention": share_before(shortlist.last, document),
        "spread": (shortlist.last - shortlist.first) / described.tokens,
        "deviation": np.sqrt(np.maximum(described.mean_over_mentions(positions**2) - mean**2, 0)),
    }


def zones(lookup: Lookup) -> Columns:
    """Return mentions by section, and the share of words that title, abstract, headings and references contain."""
    counts = by_kind(lookup.described.shortlist, lookup.described.document)
    in_zones = np.log1p(counts.T[[kind.code for kind in ZONES]])
    return {
        **{f"in {kind.value}": column for kind, column in zip(ZONES, in_zones, strict=True)},
        "sections": np.count_nonzero(counts, axis=1),
        **{f"words in {kind.value}": lookup.words.mean[kind.value] for kind in WORDS_OF},
    }


def shape(lookup: Lookup) -> Columns:
    """Return the length, the spelling, and whether signs or stop words surround the mentions."""
    described, words = lookup.described, lookup.words
    shortlist, document, case = described.shortlist, described.document, described.document.case
    starts, ends = shortlist.positions, shortlist.positions + shortlist.widths
    # Sentinels before the first and after the last token make both ends of the document boundaries without a test.
    sentence = np.concatenate(([-1], document.sentence, [-2]))
    no_word = np.ones(len(document) + 2, bool)
    no_word[1:-1] = (document.word_flags & _NO_WORD > 0)[document.word]
    left = no_word[starts] | (sentence[starts] != sentence[starts + 1])
    right = no_word[ends + 1] | (sentence[ends + 1] != sentence[ends])
    short_form, long_form = abbreviated_phrases(shortlist, document)
    return {
        "words": shortlist.length,
        "letters": words.mean["letters"] * shortlist.length,
        "letters of its longest word": words.max["letters"],
        **described.shares_of_mentions(
            {
                "capitals": case[starts] >= Case.CAPITAL,
                "capital at its end": case[ends - 1] >= Case.CAPITAL,
                "acronym": (case[starts] >= Case.UPPER) & (shortlist.widths == 1),
            }
        ),
        "stop words": words.mean["stop"] * shortlist.length,
        "digits": words.mean["digit"],
        "hyphens": words.mean["hyphen"],
        **described.shares_of_mentions({"bounded left": left, "bounded right": right, "bounded": left & right}),
        "abbreviation": short_form,
        "abbreviated": long_form,
    }


def grammar(lookup: Lookup) -> Columns:
    """Return the typical parts of speech of the words; nan for languages without a lexicon."""
    if lookup.knowledge.tags is None:
        return {name: np.full(len(lookup.described.shortlist), np.nan) for name in described_candidates.SHARES}
    return {name: feature(lookup.words) for name, feature in described_candidates.SHARES.items()}


def neighbourhood(lookup: Lookup) -> Columns:
    """Return the parts of speech before and after the mentions; nan for languages without a lexicon."""
    if lookup.tag_shares is None:
        return {name: np.full(len(lookup.described.shortlist), np.nan) for name in described_candidates.NAMES}
    return dict(described_candidates.neighbours(lookup.described, *lookup.neighbours, lookup.tag_shares))


def nesting(lookup: Lookup) -> Columns:
    """Return how far the phrase is part of longer candidates, and how far its words belong together."""
    shortlist, longer, words = lookup.described.shortlist, lookup.described.longer, lookup.words
    mentions, length = shortlist.frequency.astype(float), shortlist.length
    dice = length * np.log10(mentions) * mentions / (words.mean["mentions"] * length)
    return {
        "independence": 1 - longer.next_mentions / mentions,
        "beside the longer": np.log1p(longer.most_mentions) - np.log1p(mentions),
        "inside longer ones": longer.share_inside,
        "c-value": np.log2(length + 1) * np.maximum(mentions - longer.most_mentions, 0),
        "cohesion": np.where(length > 1, dice, SINGLE_WORD_WEIGHT * np.log10(mentions + 1)),
        "share of its rarest word": mentions / words.min["mentions"],
        "share of its last word": mentions / words.last["mentions"],
    }


def document(lookup: Lookup) -> Columns:
    """Return properties of the document, equal for all its candidates."""
    described, document = lookup.described, lookup.described.document
    candidates = count_rows(described.candidates.first.searchsorted(document.bounds))
    values = {
        "tokens of the document": np.log1p(count_tokens(document)),
        "candidates of the document": np.log1p(candidates),
        "document has title": count_marked(document.section == SectionKind.TITLE.code, document) > 0,
        "document has abstract": count_marked(document.section == SectionKind.ABSTRACT.code, document) > 0,
    }
    return {name: value[described.number] for name, value in values.items()}


GROUPS: Final[Mapping[str, Callable[[Lookup], Columns]]] = {
    "how often": frequency, "how rare": rarity, "known as a keyphrase": keyphraseness, "where": position,
    "in which sections": zones, "how it is written": shape, "well-formed": grammar, "its neighbours": neighbourhood,
    "on its own": nesting, "the document": document,
}  # fmt: skip
"""Groups of columns by the names that people see, which are part of the trained columns' names."""
_RANKED: Final[Mapping[str, int]] = {
    "weight": -1, "mentions": -1, "own mentions": -1, "first mention": 1, "cohesion": -1, "c-value": -1,
    "chosen beside background": -1, "leaning of its words": -1,
}  # fmt: skip
"""Columns that are also ranked within a document: by descending value (-1) or by ascending value (1)."""
RANKS: Final = "beside the other candidates"


def describe(
    described: described_candidates.DescribedCandidates,
    knowledge: Knowledge,
    weight: Floats,
    without: Collection[str] = (),
) -> tuple[Floats, tuple[tuple[str, str], ...]]:
    """Return columns of the shortlist, (shortlist, columns), without some groups, and pairs of group and name."""
    lookup = Lookup(described, knowledge)
    columns: list[tuple[str, str, Numbers]] = [(RANKS, "weight", weight)]
    for group, columns_of in GROUPS.items():
        if group not in without:
            columns += [(group, name, column) for name, column in columns_of(lookup).items()]
    if RANKS in without:
        columns = columns[1:]
    else:
        ranked = {name: column for _, name, column in columns if name in _RANKED}
        ranks = zip(ranked, _ranks(ranked, described.bounds), strict=True)
        columns += [(RANKS, f"rank of {name}", rank) for name, rank in ranks]
    # One copy of all columns into 32-bit rows: the trees were trained on this precision.
    rows = np.empty((len(columns), len(described.shortlist)), np.float32)
    np.concatenate([column for _, _, column in columns], out=rows.reshape(-1), casting="unsafe")
    return rows.T, tuple((group, name) for group, name, _ in columns)


def _ranks(columns: Columns, bounds: Ints) -> Floats:
    """Return the log of each rank in its document, equal ones in reading order, (columns, shortlist)."""
    signs = np.array([_RANKED[name] for name in columns])
    # Padded to a row for each document: one sort of the last axis ranks all documents and columns.
    order = np.argsort(pad_segments(np.array(list(columns.values())) * signs[:, None], bounds), axis=-1, kind="stable")
    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, np.log1p(np.arange(order.shape[-1]))[None, None, :], axis=-1)
    document, place = locate_rows(bounds)
    return np.asarray(ranks[:, document, place])
