"""Part-of-speech tags as eight classes, and a lexicon: how often a word form is a noun, an adjective ... in text.

The lexicon needs no tagger and ignores the context: a word form has shares of the classes, an unknown form those of its
ending. Ambiguous words stay ambiguous, as features need. There is one look-up for each distinct word of a document.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.document_batches import Analysed, count_marked, count_tokens
from keywright.core.documents import AnalysedDocument, Case, WordFlag
from keywright.core.errors import NeedsUnmet, describe_install
from keywright.core.saving import MODELS, hash_columns, load_columns, save_columns
from keywright.text.keys import hash_of
from keywright.text.word_borders import forget_words

BARRIER: Final = "X"  # class of tokens that are in no phrase

_CLASSES: Final = (
    (re.compile("NN|NOUN|PROPN"), "N"), (re.compile("JJ|ADJ"), "J"), (re.compile("VB[GN]"), "G"),
    (re.compile("VB|MD|VERB|AUX"), "V"), (re.compile("IN$|ADP"), "I"),
    (re.compile("DT|PDT|WDT|PRP\\$|DET"), "D"), (re.compile("POS"), "P"),
)  # fmt: skip
_CONTENT: Final = "NJGV"


def tag_classes(document: AnalysedDocument) -> str:
    """Return one letter per token, (tokens,), from its tag (else ``NeedsUnmet``): of Penn or of Universal Dependencies.

    N noun, J adjective, G gerund or past participle, V other verb form or modal, I preposition, D determiner, P the 's
    of a possessor, X everything else: adverbs, numbers, signs, addresses and formulas with any tag, and single letters
    tagged as one of N, J, G, V.
    """
    if document.tag is None:
        message = f"document {document.source.id!r} was analysed without part-of-speech tags"
        raise NeedsUnmet(message, f"analyse with a TaggedAnalyser, of the extra tags: {describe_install('tags')}")
    of_tags = (next((one for start, one in _CLASSES if start.match(tag)), BARRIER) for tag in document.tags)
    letters = np.frombuffer("".join(of_tags).encode(), np.uint8)
    classes = letters[document.tag] if len(letters) else np.zeros(0, np.uint8)
    flags = document.flags
    lone = (flags & WordFlag.LONE > 0) & np.isin(classes, np.frombuffer(_CONTENT.encode(), np.uint8))
    no_word = flags & (WordFlag.LETTER | WordFlag.SYMBOLIC) != WordFlag.LETTER
    return np.where(no_word | lone, np.uint8(ord(BARRIER)), classes).tobytes().decode("ascii")


CLASSES: Final = "NJGVIDPX"
"""Letter of each column of shares, as in ``tag_classes``: noun, adjective, gerund or participle, verb, preposition,
determiner, possessive, other."""

LANGUAGES: Final = {"en": "tags_en.npz"}  # languages whose lexicon was counted in tagged text, and its file
WORD_CLASSES: Final = "word_classes.npz"
"""File of the classes of words in some forty other languages, made by ``tools/train/build_word_classes.py``."""
LISTED_AS: Final = {"no": "nb", "hr": "sh", "bs": "sh", "sr": "sh"}  # languages that share the words of another name

LONGEST_ENDING: Final = 4  # letters; arbitrary. The bundled lexicon is built with it
_WHOLE: Final = 255  # sum of a row of shares, which are bytes
_MOSTLY: Final = 0.5  # share of words with capitals above which a document's capitals are ignored; arbitrary
_LETTERS: Final = int(WordFlag.LETTER | WordFlag.SYMBOLIC)
_NO_WORD: Final = [float(letter == BARRIER) for letter in CLASSES]


def endings(form: str) -> list[str]:
    """Return patterns that match an unknown form, the most general first: ``*``, ``*g``, ``*ng``, up to four letters.

    A form with a digit has ``0*...``, one with a hyphen or slash ``-*...``, as their endings are tagged differently.
    """
    shape = "0*" if any(map(str.isdigit, form)) else "-*" if "-" in form or "/" in form else "*"
    longest = min(LONGEST_ENDING, len(form) - 1)
    return [shape, *(shape + form[-length:] for length in range(1, longest + 1))]


@dataclass(frozen=True, eq=False)
class TagLexicon:
    """Shares of the classes ``CLASSES`` by word form.

    ``keys``: ``hash_of`` lower-case forms and of the patterns of ``endings``, ascending, (entries,); ``table``: shares
    as whole numbers, of which a row has about 255, (entries, classes); ``capitals``: share of tokens of each class
    written with a capital inside sentences, (classes,); ``card``: name, sources, licence, date and checks.
    """

    keys: Keys
    table: Ints
    capitals: Floats
    card: Mapping[str, Any] = field(default_factory=dict)
    _rows: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_shares(cls, shares: Mapping[str, Sequence[float] | Floats], capitals: Floats, **card: Any) -> "TagLexicon":
        """Return a lexicon of forms and patterns with their shares, (classes,) each, of any sum."""
        rows = np.array(list(shares.values()), float).reshape(-1, len(CLASSES))
        keys = np.array(list(map(hash_of, shares)), np.uint64)
        order = np.argsort(keys)
        table = np.rint(_WHOLE * rows / rows.sum(axis=1, keepdims=True)).astype(np.uint8)
        return cls(keys[order], table[order], np.asarray(capitals, float), card)

    def shares(self, document: Analysed, words: Ints | None = None) -> Floats:
        """Return shares of the classes for some distinct words, all when None, rows sum to 1, (words, classes).

        Signs, numbers and addresses are of class X. Words with capitals inside sentences of the document are more often
        names: their shares follow Bayes' rule, with the share of capitals in each class. Words that are unknown and end
        like no known one are nouns.
        """
        if words is None:
            words = np.arange(len(document.words))
        forms = list(map(document.words.__getitem__, words.tolist()))
        shares = self._fractions[self._rows_of(forms)].astype(np.float64)
        capital = _capital_share(document)[words]
        written = np.flatnonzero(capital)
        prior = shares[written]
        # Document by document: the last bit of a matrix product can depend on the rows beside a row.
        ends = words[written].searchsorted(document.word_bounds).tolist()
        products = [prior[begin:end] @ self.capitals for begin, end in itertools.pairwise(ends)]
        evidence = np.concatenate(products)[:, None]
        posterior = np.divide(prior * self.capitals, evidence, out=prior.copy(), where=evidence > 0)
        shares[written] += capital[written, None] * (posterior - prior)
        shares[(document.word_flags[words] & _LETTERS) != WordFlag.LETTER] = _NO_WORD
        return shares

    def shares_of_form(self, form: str) -> Floats | None:
        """Return the shares of a lower-case form, (classes,), None where it has no entry."""
        row = int(_places([form], self.keys)[0])
        return self._fractions[row].astype(np.float64) if row >= 0 else None

    @cached_property
    def _fractions(self) -> Floats:
        """Return the table as shares; its last row, at index -1, is that of a noun, (entries + 1, classes)."""
        table = np.append(self.table, [[letter == "N" for letter in CLASSES]], axis=0).astype(np.float32)
        return np.asarray(table / (table @ np.ones((len(CLASSES), 1), np.float32)))

    def _rows_of(self, forms: Sequence[str]) -> Ints:
        """Return the row of each form, else of its longest known ending, else -1, (forms,); rows are cached."""
        if new := list(set(forms).difference(self._rows)):
            rows = _places(new, self.keys)
            unknown = np.flatnonzero(rows < 0)
            rows[unknown] = self._rows_of_endings([new[place] for place in unknown.tolist()])
            self._rows.update(zip(new, rows.tolist(), strict=True))
        rows = np.fromiter(map(self._rows.__getitem__, forms), np.int64, len(forms))
        forget_words(self._rows, new)
        return rows

    def _rows_of_endings(self, forms: Sequence[str]) -> Ints:
        """Return the row of the longest known ending of each form, else -1, (forms,)."""
        patterns = [endings(form) for form in forms]
        number = np.array(list(map(len, patterns)), np.int64)
        places = _places([pattern for of_form in patterns for pattern in of_form], self.keys)
        # Longer endings come later, so the longest known one of a form is the last: one maximum of all forms' ranks.
        rank = np.where(places >= 0, np.arange(len(places)), -1)
        begins = np.cumsum(number) - number
        longest = np.maximum.reduceat(rank, begins) if len(forms) else rank
        return np.where(longest >= begins, places[longest], -1)

    @cached_property
    def fingerprint(self) -> str:
        """Return the beginning of the SHA-256 of the arrays: the lexicon's part in a signature."""
        return str(self.card.get("sha256") or self._hash())[:8]

    def __len__(self) -> int:
        return len(self.keys)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.keys, self.table, self.capitals, self.card)

    def save(self, path: Path) -> None:
        """Write as one file, with ``entries`` and ``sha256`` added to the card."""
        columns = {"keys": self.keys, "table": self.table, "capitals": self.capitals}
        save_columns(path, {**self.card, "entries": len(self), "sha256": self._hash()}, columns)

    @classmethod
    def load(cls, path: Path) -> "TagLexicon":
        """Return a saved lexicon; raises MissingData without the file, BrokenFile where its card does not fit."""
        sizes = {"keys": ("entries",), "table": ("entries", len(CLASSES)), "capitals": (len(CLASSES),)}
        columns, card = load_columns(path, "a part-of-speech lexicon", sizes)
        return cls(**columns, card=card)

    def _hash(self) -> str:
        return hash_columns((self.keys, "<u8"), (self.table, "u1"), (self.capitals, "<f8"))


@lru_cache(maxsize=64)  # more than there are languages in a run
def tag_lexicon(language: str) -> TagLexicon | None:
    """Return the bundled lexicon of a language, read on first use; None without one."""
    if language in LANGUAGES:
        return TagLexicon.load(MODELS / LANGUAGES[language])
    name = LISTED_AS.get(language, language)
    with np.load(MODELS / WORD_CLASSES) as columns:
        if f"{name}_keys" not in columns:
            return None
        return TagLexicon(*(columns[f"{name}_{column}"] for column in ("keys", "table", "capitals")))


def _places(names: Sequence[str], keys: Keys) -> Ints:
    """Return the row of each name among ascending keys, -1 for none, (names,)."""
    if not len(keys):
        return np.full(len(names), -1)
    wanted = np.fromiter(map(hash_of, names), np.uint64, len(names))
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)


def _capital_share(document: Analysed) -> Floats:
    """Return the share of a word's tokens with a capital inside sentences, 0 where most have one, (words,)."""
    inside = (document.word_flags & WordFlag.LETTER > 0)[document.word]
    inside[:1] = False
    inside[1:] &= document.sentence[1:] == document.sentence[:-1]
    capital = inside & (document.case != Case.LOWER)
    mostly = count_marked(capital, document) > _MOSTLY * count_marked(inside, document)
    capital &= ~np.repeat(mostly, count_tokens(document))
    mentions, capitals = (np.bincount(document.word[mask], minlength=len(document.words)) for mask in (inside, capital))
    return np.asarray(capitals / np.maximum(mentions, 1))
