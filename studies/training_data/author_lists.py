"""The lists of author keyphrases behind the shipped lexicon, to subtract those of a training document from it.

Some of the lists belong to documents that the default is trained on or studied with. The lexicon never has the list of
a new document, so in training it must not have the document's list.
"""

import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Keys
from keywright.core.errors import MissingData
from keywright.core.zstandard import zstd
from keywright.datasets.collection import load
from keywright.datasets.files import MIRROR, mirror_folder
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.text.keys import gold_keys, phrase_key
from keywright.text.stems import stemmer
from studies.training_data.training_documents import GUARDED

MIX: Final = "train/train_mix_en.jsonl.zst"
THESES_FR: Final = "train/papyrus_fr.jsonl.zst"
LISTS: Final = "lexicons/kp20k_keyphrase_lists.jsonl.zst"
TASK: Final = ("semeval2010/train", "semeval2010/test", "semeval2010_abstracts/test")
"""Guarded data sets whose gold is that of the shared task."""
MIN_SHARED: Final = 2  # minimum number of phrases that a document's list shares with its gold; arbitrary

MIN_SHARE: Final = 0.6  # minimum share of the shorter of list and gold that is shared; arbitrary

_ELIDED: Final = re.compile(r"\b(?:[cdjlmnst]|qu)['\N{RIGHT SINGLE QUOTATION MARK}]", re.IGNORECASE)


def subtract_counts(table: PhraseCounts, entries: Sequence[Keys], least: int = 1) -> PhraseCounts:
    """Return the table without some known entries, each as often as given; those below ``least`` become 0."""
    keys, times = np.unique(np.concatenate([np.zeros(0, np.uint64), *entries]), return_counts=True)
    rest = np.array(table.counts, np.int64)
    in_table = table.of(keys) > 0
    rest[np.searchsorted(table.keys, keys[in_table])] -= times[in_table]
    return replace(table, counts=np.where(rest < least, 0, rest))


@dataclass(frozen=True, eq=False)
class AuthorLists:
    """Lists of author keyphrases of one language.

    Attributes:
        language: of the lists.
        lists: phrases of each list.
        holding: numbers of the lists with a phrase, by its key.
    """

    language: str
    lists: tuple[Sequence[str], ...]
    holding: dict[int, list[int]]

    @classmethod
    def of(cls, lists: Iterable[Sequence[str]], language: str) -> "AuthorLists":
        """Index lists by their phrases."""
        indexed = tuple(map(tuple, lists))
        holding: dict[int, list[int]] = defaultdict(list)
        for number, phrases in enumerate(indexed):
            for key in keys_of(phrases, language).tolist():
                holding[key].append(number)
        return cls(language, indexed, dict(holding))

    def like(self, gold: Keys) -> frozenset[int]:
        """Return the numbers of the lists that may belong to a document with this gold, (keys,)."""
        shared = Counter(number for key in gold.tolist() for number in self.holding.get(key, ()))
        return frozenset(
            number
            for number, common in shared.items()
            if common >= MIN_SHARED and common >= MIN_SHARE * min(len(self.lists[number]), len(gold))
        )

    def taken_out(self, knowledge: Knowledge, numbers: Iterable[int]) -> Knowledge:
        """Return the knowledge without the counts of these lists; unchanged if there are none."""
        phrase_lists = [self.lists[number] for number in sorted(numbers)]
        if not phrase_lists:
            return knowledge
        words = [words_of(phrase, self.language) for phrases in phrase_lists for phrase in phrases]
        return replace(
            knowledge,
            chosen=subtract_counts(knowledge.chosen, [keys_of(phrases, self.language) for phrases in phrase_lists]),
            chosen_words=subtract_counts(knowledge.chosen_words, [keys_of(parts, self.language) for parts in words]),
            chosen_heads=subtract_counts(
                knowledge.chosen_heads, [keys_of(parts[-1:], self.language) for parts in words]
            ),
        )

    def without_own(self, knowledge: Knowledge, gold: Keys) -> Knowledge:
        """Return the knowledge without the counts of lists that may belong to this gold."""
        return self.taken_out(knowledge, self.like(gold))


@lru_cache(maxsize=2)
def author_lists(language: str = "en", mirror: Path | None = None) -> AuthorLists:
    """Return the lists of a language, read once.

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
    """Yield the lists of authors in a language, English or French, that may be counted.

    Raises:
        MissingData: they are not in this folder.
    """
    if language == "en":
        return english_lists(mirror)
    return (record["keyphrases"] for record in records(mirror / THESES_FR))


def english_lists(mirror: Path) -> Iterator[list[str]]:
    """Yield the lists whose licences allow counting, without those that resemble gold of a guarded data set."""
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
    """Return whether a list of this size may come from the paper whose gold shares ``common`` phrases with it."""
    of_list = common >= MIN_SHARED and common >= MIN_SHARE * size
    of_authors = kind == "author" and common > MIN_SHARED and common >= MIN_SHARE * len(keys)
    return of_list or of_authors


def task_gold(mirror: Path) -> list[tuple[str, frozenset[int]]]:
    """Return kind and keys of each answer of SemEval-2010, training and test; answers are stemmed already."""
    answers = []
    for split, kind in product(("train", "test"), ("author", "reader", "combined")):
        path = _there(mirror / f"semeval2010/{split}_answer/{split}.{kind}.stem.final")
        for line in filter(None, path.read_text(encoding="utf-8").splitlines()):
            forms = line.split(" : ", 1)[1].replace("+", ",").split(",")
            answers.append((kind, frozenset(phrase_key(form, str) for form in forms)))
    return answers


def other_gold(mirror: Path) -> list[tuple[str, frozenset[int]]]:
    """Return kind and keys of the gold of each document of the other guarded data sets; all of kind ``author``."""
    answers = []
    for name in (name for name in GUARDED if name not in TASK):
        for labelled in load(name, mirror):
            gold = [entry for entry in labelled.gold if entry.by in GUARDED[name]]
            answers.append(("author", frozenset(gold_keys(gold, labelled.document.language or "en").tolist())))
    return answers


def keys_of(phrases: Iterable[str], language: str = "en") -> Keys:
    """Return the distinct keys of phrases, ascending, without phrases that have neither letter nor digit."""
    return np.array(sorted({_key_of(phrase, language) for phrase in phrases} - {0}), np.uint64)


@cache  # authors choose the same phrases again and again, and their words more so
def _key_of(phrase: str, language: str) -> int:
    return phrase_key(phrase, stemmer(language))


def words_of(phrase: str, language: str) -> list[str]:
    """Return the words of a keyphrase, elided French ones split as in documents: *droits*, *d'*, *enfant*."""
    return (_ELIDED.sub(r"\g<0> ", phrase) if language == "fr" else phrase).split()


def records(path: Path) -> Iterator[Any]:
    """Yield the records of a packed JSON Lines file.

    Raises:
        MissingData: there is no such file.
    """
    with _there(path).open("rb") as packed, zstd.open(packed) as stream:
        for line in io.TextIOWrapper(stream, encoding="utf-8"):
            yield json.loads(line)


def _there(path: Path) -> Path:
    if not path.is_file():
        raise MissingData(f"there is no {path.name} in {path.parent}", f"{MIRROR} names the folder of all data")
    return path
