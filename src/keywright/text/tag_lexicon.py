"""A part-of-speech lexicon of word forms: how often each is a noun, an adjective ... in running text.

It needs no tagger and sees no context: a word form has shares of the classes of ``tag_classes``, a form that the
lexicon does not know those of its ending. Ambiguous words keep their ambiguity, which is what features want. There is
one look-up for each distinct word of a document.
"""

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.core.errors import BrokenFile, MissingData
from keywright.text.keys import hash_of
from keywright.text.tag_classes import BARRIER

CLASSES: Final = "NJGVIDPX"
"""Letter of each column of shares, as in ``tag_classes``: noun, adjective, gerund or participle, verb, preposition,
determiner, possessive, other."""

LANGUAGES: Final = {"en": "tags_en.npz"}
"""Languages with a bundled lexicon, and its file."""

LONGEST_ENDING: Final = 4
_WHOLE: Final = 255
_MOST_REMEMBERED: Final = 1_000_000
_MOSTLY: Final = 0.5
_LETTERS: Final = int(WordFlag.LETTER | WordFlag.SYMBOLIC)
_NO_WORD: Final = [float(letter == BARRIER) for letter in CLASSES]


def endings(form: str) -> list[str]:
    """Patterns that stand for an unknown form, the most general first: ``*``, ``*g``, ``*ng`` ... up to four letters.

    A form with a digit has ``0*...``, one with a hyphen or slash ``-*...``: what ends alike is not tagged alike there.

    >>> endings("IL-6".lower())
    ['0*', '0*6', '0*-6', '0*l-6']
    """
    shape = "0*" if any(map(str.isdigit, form)) else "-*" if "-" in form or "/" in form else "*"
    longest = min(LONGEST_ENDING, len(form) - 1)
    return [shape, *(shape + form[-length:] for length in range(1, longest + 1))]


@dataclass(frozen=True, eq=False)
class TagLexicon:
    """Shares of the classes ``CLASSES`` by word form.

    Attributes:
        keys: ``hash_of`` lower-case forms and of the patterns of ``endings``, ascending, (entries,).
        table: shares as whole numbers, of which a row has about 255, (entries, classes).
        capitals: how often a token of each class is written with a capital where no sentence begins, (classes,).
        card: where the lexicon comes from: name, sources, licence, date, what it was checked against.
    """

    keys: Keys
    table: Ints
    capitals: Floats
    card: Mapping[str, Any] = field(default_factory=dict)
    _rows: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, shares: Mapping[str, Sequence[float] | Floats], capitals: Floats, **card: Any) -> "TagLexicon":
        """A lexicon of forms and patterns with their shares, (classes,) each, of whatever sum."""
        rows = np.array(list(shares.values()), float).reshape(-1, len(CLASSES))
        keys = np.array(list(map(hash_of, shares)), np.uint64)
        order = np.argsort(keys)
        table = np.rint(_WHOLE * rows / rows.sum(axis=1, keepdims=True)).astype(np.uint8)
        return cls(keys[order], table[order], np.asarray(capitals, float), card)

    def shares(self, document: AnalysedDocument, words: Ints | None = None) -> Floats:
        """Shares of the classes for word forms of a document, 0 to 1, rows sum to 1, (words, classes).

        What is no word (signs, numbers, addresses) is of class X. Words that the document writes with capitals inside
        sentences are more often names: their shares follow Bayes' rule, by how often each class is written so. Words
        that are neither known nor end like any known one are nouns.

        Args:
            document: the document.
            words: which of its distinct words; all when None.
        """
        if words is None:
            words = np.arange(len(document.words))
        forms = list(map(document.words.__getitem__, words.tolist()))
        found = self._fractions[self._rows_of(forms)].astype(np.float64)
        capital = _capital_share(document)[words]
        some = np.flatnonzero(capital)
        given = found[some]
        written = (given @ self.capitals)[:, None]
        name = np.divide(given * self.capitals, written, out=given.copy(), where=written > 0)
        found[some] += capital[some, None] * (name - given)
        letters = document.word_flags[words] & _LETTERS
        found[letters != WordFlag.LETTER] = _NO_WORD
        return found

    @cached_property
    def _fractions(self) -> Floats:
        """The table as shares; its last row, which -1 takes, is a noun's, (entries + 1, classes)."""
        table = np.append(self.table, [[letter == "N" for letter in CLASSES]], axis=0).astype(np.float32)
        return np.asarray(table / (table @ np.ones((len(CLASSES), 1), np.float32)))

    def _rows_of(self, forms: Sequence[str]) -> Ints:
        """Row of each form, else of its longest known ending, else -1, (forms,); each form is looked up once."""
        try:
            return np.fromiter(map(self._rows.__getitem__, forms), np.int64, len(forms))
        except KeyError:
            self._remember(forms)
        return np.fromiter(map(self._rows.__getitem__, forms), np.int64, len(forms))

    def _remember(self, forms: Sequence[str]) -> None:
        """Look up those forms that are new."""
        if len(self._rows) > _MOST_REMEMBERED:  # bounds the memory of long-lived processes
            self._rows.clear()
        new = [form for form in forms if form not in self._rows]
        found = _places(new, self.keys)
        unknown = np.flatnonzero(found < 0)
        found[unknown] = self._rows_of_endings([new[place] for place in unknown.tolist()])
        self._rows.update(zip(new, found.tolist(), strict=True))

    def _rows_of_endings(self, forms: Sequence[str]) -> Ints:
        """Row of the longest known ending of each form, else -1, (forms,)."""
        patterns = [endings(form) for form in forms]
        number = np.array([len(some) for some in patterns], np.int64)
        places = _places([pattern for some in patterns for pattern in some], self.keys)
        rank = np.where(places >= 0, np.arange(len(places)), -1)  # a longer ending stands behind a shorter one
        begins = np.cumsum(number) - number
        longest = np.maximum.reduceat(rank, begins) if len(forms) else rank
        return np.where(longest >= begins, places[longest], -1)

    @cached_property
    def fingerprint(self) -> str:
        """Start of the SHA-256 of the arrays: the lexicon's part in a signature."""
        return str(self.card.get("sha256") or self._hash())[:8]

    def __len__(self) -> int:
        """Number of entries."""
        return len(self.keys)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel without what was remembered."""
        return type(self), (self.keys, self.table, self.capitals, self.card)

    def save(self, path: Path) -> None:
        """Write as one file, with ``entries`` and ``sha256`` added to the card."""
        card = {**self.card, "entries": len(self), "sha256": self._hash()}
        text = np.frombuffer(json.dumps(card, ensure_ascii=False, sort_keys=True).encode(), np.uint8)
        arrays: dict[str, Any] = {"keys": self.keys, "table": self.table, "capitals": self.capitals, "card": text}
        np.savez(path, allow_pickle=False, **arrays)

    @classmethod
    def load(cls, path: Path) -> "TagLexicon":
        """A saved lexicon.

        Raises:
            MissingData: there is no such file.
            BrokenFile: it is no lexicon, or its size is not what its card says.
        """
        if not path.is_file():
            raise MissingData(f"no part-of-speech lexicon at {path}")
        try:
            with np.load(path, allow_pickle=False) as file:
                keys, table, capitals = file["keys"], file["table"], file["capitals"]
                card = json.loads(file["card"].tobytes())
                entries = int(card["entries"])
        except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            raise BrokenFile(f"{path.name} is no part-of-speech lexicon: {error}") from error
        shapes = keys.shape, table.shape, capitals.shape
        if shapes != ((entries,), (entries, len(CLASSES)), (len(CLASSES),)):
            raise BrokenFile(f"{path.name} has arrays of shapes {shapes} where its card says {entries} entries")
        return cls(keys, table, capitals, card)

    def _hash(self) -> str:
        digest = hashlib.sha256(np.ascontiguousarray(self.keys, "<u8").tobytes())
        digest.update(np.ascontiguousarray(self.table, np.uint8).tobytes())
        digest.update(np.ascontiguousarray(self.capitals, "<f8").tobytes())
        return digest.hexdigest()


@lru_cache(maxsize=len(LANGUAGES))
def tag_lexicon(language: str) -> TagLexicon | None:
    """The bundled lexicon of a language, read on first use; None for a language without one.

    Its card, made by ``tools/train/build_tag_lexicon.py``, names the sources and their licences.
    """
    if language not in LANGUAGES:
        return None
    with resources.as_file(resources.files("keywright") / "models" / LANGUAGES[language]) as path:
        return TagLexicon.load(Path(path))


def _places(names: Sequence[str], keys: Keys) -> Ints:
    """Row of each name among ascending keys, -1 for none, (names,)."""
    if not len(keys):
        return np.full(len(names), -1)
    wanted = np.fromiter(map(hash_of, names), np.uint64, len(names))
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)


def _capital_share(document: AnalysedDocument) -> Floats:
    """Share of each word's tokens inside sentences that begin with, hold or are all capitals, 0 to 1, (words,).

    All 0 where most words of the document are written so: then capitals say nothing.
    """
    letters = (document.word_flags & WordFlag.LETTER > 0)[document.word]
    inside = letters[1:] & (document.sentence[1:] == document.sentence[:-1])
    capital = inside & (document.case[1:] != Case.LOWER)
    if np.count_nonzero(capital) > _MOSTLY * np.count_nonzero(inside):
        return np.zeros(len(document.words))
    word = document.word[1:]
    mentions = np.bincount(word[inside], minlength=len(document.words))
    return np.asarray(np.bincount(word[capital], minlength=len(document.words)) / np.maximum(mentions, 1))
