"""The lists of author keyphrases behind the shipped lexicon, to take those of a training document out of it.

The lexicon was counted from lists of which some belong to documents that the default is trained on or studied with. No
list of a new document is in the lexicon, so there the document's own must not be either.
"""

import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Any, Final

import numpy as np
import zstandard

from keywright.core.arrays import Keys
from keywright.core.errors import MissingData
from keywright.corpus.knowledge import Knowledge
from keywright.corpus.subtract_counts import subtract_counts
from keywright.datasets.collection import load
from keywright.datasets.data_folders import MIRROR, mirror_folder
from keywright.datasets.training_mix import GUARDED
from keywright.text.gold_keys import gold_keys
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer

MIX: Final = "train/train_mix_en.jsonl.zst"
THESES_FR: Final = "train/papyrus_fr.jsonl.zst"
LISTS: Final = "lexicons/kp20k_keyphrase_lists.jsonl.zst"
TASK: Final = ("semeval2010/train", "semeval2010/test", "semeval2010_abstracts/test")
"""Guarded data sets whose gold is that of the shared task."""
SHARED, SHARE = 2, 0.6
"""A list that shares so many phrases, and this part of the shorter of both, with a document's gold may be its own."""

_ELIDED: Final = re.compile(r"\b(?:[cdjlmnst]|qu)['\N{RIGHT SINGLE QUOTATION MARK}]", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class AuthorLists:
    """Lists of author keyphrases of one language.

    Attributes:
        language: of the lists.
        lists: phrases of each.
        holding: numbers of the lists with a phrase, by its key.
    """

    language: str
    lists: tuple[Sequence[str], ...]
    holding: dict[int, list[int]]

    @classmethod
    def of(cls, lists: Iterable[Sequence[str]], language: str) -> "AuthorLists":
        """Lists, made ready to be found by their phrases."""
        known = tuple(map(tuple, lists))
        holding: dict[int, list[int]] = defaultdict(list)
        for number, phrases in enumerate(known):
            for key in keys_of(phrases, language).tolist():
                holding[key].append(number)
        return cls(language, known, dict(holding))

    def like(self, gold: Keys) -> frozenset[int]:
        """Numbers of the lists that may be those of a document with this gold, (keys,)."""
        shared = Counter(number for key in gold.tolist() for number in self.holding.get(key, ()))
        return frozenset(
            number
            for number, common in shared.items()
            if common >= SHARED and common >= SHARE * min(len(self.lists[number]), len(gold))
        )

    def taken_out(self, knowledge: Knowledge, numbers: Iterable[int]) -> Knowledge:
        """The knowledge less what these lists contributed; as it is where there are none."""
        own = [self.lists[number] for number in sorted(numbers)]
        if not own:
            return knowledge
        words = [words_of(phrase, self.language) for phrases in own for phrase in phrases]
        return replace(
            knowledge,
            chosen=subtract_counts(knowledge.chosen, [keys_of(phrases, self.language) for phrases in own]),
            chosen_words=subtract_counts(knowledge.chosen_words, [keys_of(one, self.language) for one in words]),
            chosen_heads=subtract_counts(knowledge.chosen_heads, [keys_of(one[-1:], self.language) for one in words]),
        )

    def without_own(self, knowledge: Knowledge, gold: Keys) -> Knowledge:
        """The knowledge less what lists that look like this gold contributed."""
        return self.taken_out(knowledge, self.like(gold))


@lru_cache(maxsize=2)
def author_lists(language: str = "en", mirror: Path | None = None) -> AuthorLists:
    """The lists of a language, read once.

    Args:
        language: English or French.
        mirror: folder of data; the one named by KEYWRIGHT_MIRROR when None.

    Raises:
        MissingData: there is no such folder, or the lists are not in it.
    """
    folder = mirror or mirror_folder()
    if folder is None:
        raise MissingData("the lists of author keyphrases are not on this machine", f"name their folder in {MIRROR}")
    return AuthorLists.of(lists_of_phrases(folder, language), language)


def lists_of_phrases(mirror: Path, language: str = "en") -> Iterator[list[str]]:
    """Lists of authors in a language, English or French, that may be counted.

    Raises:
        MissingData: they are not in this folder.
    """
    if language == "en":
        return english_lists(mirror)
    return (record["keyphrases"] for record in records(mirror / THESES_FR))


def english_lists(mirror: Path) -> Iterator[list[str]]:
    """The lists that their licences let us count and that look like no gold of the guarded data sets."""
    theses = (record["keyphrases"] for record in records(mirror / MIX) if record["source"] == "papyrus")
    gold = [*task_gold(mirror), *other_gold(mirror)]
    papers_of: dict[int, list[int]] = {}
    for paper, (_, answers) in enumerate(gold):
        for key in answers:
            papers_of.setdefault(key, []).append(paper)
    for phrases in chain(theses, records(mirror / LISTS)):
        keys = keys_of(phrases)
        shared = Counter(paper for key in keys.tolist() for paper in papers_of.get(key, ()))
        if not any(resembles(len(keys), *gold[paper], common) for paper, common in shared.items()):
            yield phrases


def resembles(size: int, kind: str, keys: frozenset[int], common: int) -> bool:
    """Whether a list of this size may come from the paper whose gold shares so many phrases with it."""
    of_list = common >= SHARED and common >= SHARE * size
    of_authors = kind == "author" and common > SHARED and common >= SHARE * len(keys)
    return of_list or of_authors


def task_gold(mirror: Path) -> list[tuple[str, frozenset[int]]]:
    """Kind and keys of each answer of SemEval-2010, of training and test; answers are stemmed already."""
    found = []
    for split, kind in product(("train", "test"), ("author", "reader", "combined")):
        path = _there(mirror / f"semeval2010/{split}_answer/{split}.{kind}.stem.final")
        for line in filter(None, path.read_text(encoding="utf-8").splitlines()):
            forms = line.split(" : ", 1)[1].replace("+", ",").split(",")
            found.append((kind, frozenset(phrase_key(form, str) for form in forms)))
    return found


def other_gold(mirror: Path) -> list[tuple[str, frozenset[int]]]:
    """Kind and keys of the gold of each document of the other guarded data sets; the kind is ``author`` for all."""
    found = []
    for name in (name for name in GUARDED if name not in TASK):
        for one in load(name, mirror):
            gold = [entry for entry in one.gold if entry.by in GUARDED[name]]
            found.append(("author", frozenset(gold_keys(gold, one.document.language or "en").tolist())))
    return found


def keys_of(phrases: Iterable[str], language: str = "en") -> Keys:
    """Distinct keys of phrases, ascending, without those that have neither letter nor digit."""
    stem = stemmer(language)
    return np.array(sorted({phrase_key(phrase, stem) for phrase in phrases} - {0}), np.uint64)


def words_of(phrase: str, language: str) -> list[str]:
    """Words of a keyphrase; elided French ones apart, as in documents: *droits*, *d'*, *enfant*."""
    return (_ELIDED.sub(r"\g<0> ", phrase) if language == "fr" else phrase).split()


def records(path: Path) -> Iterator[Any]:
    """Lines of a packed JSON Lines file.

    Raises:
        MissingData: there is no such file.
    """
    with _there(path).open("rb") as packed, zstandard.ZstdDecompressor().stream_reader(packed) as stream:
        for line in io.TextIOWrapper(stream, encoding="utf-8"):
            yield json.loads(line)


def _there(path: Path) -> Path:
    if not path.is_file():
        raise MissingData(f"there is no {path.name} in {path.parent}", f"{MIRROR} names the folder of all data")
    return path
