"""The treebank UD Arabic-PUD as words: what is written between two blanks, without signs, with its lemma and tag.

The treebank divides a written word into its clitics, each with a lemma and a tag. A reader of plain text has only the
written word, so that is the unit here, as ``tokenise`` cuts it. Its lemma and tag are those of the one content word in
it; a word of function words only has the tag of the first one that is not a conjunction.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import zstandard

from keywright.core.errors import MissingData
from keywright.datasets.files import mirror_folder
from keywright.text.arabic.spelling import FOLDED
from keywright.text.tokens import normal_form, tokenise

FILE: Final = "arabic/ud_pud_ar.conllu.zst"
SENTENCES: Final = 1000
"""Sentences of the treebank."""

CONTENT: Final = frozenset("NOUN PROPN ADJ VERB ADV NUM".split())
"""Tags of content words, whose lemmas are compared."""

_TAG_OF_WORD: Final = CONTENT | {"AUX", "SYM", "X"}
PUNCTUATION: Final = "PUNCT"
_CONJUNCTION: Final = "CCONJ"
_DOCUMENT: Final = "# newdoc id = "
_NO_SPACE: Final = "SpaceAfter=No"
_FORM, _LEMMA, _TAG, _OTHER = 1, 2, 3, 9  # columns of CoNLL-U


class Piece(NamedTuple):
    """A word of the treebank, a clitic or what they are attached to."""

    form: str
    lemma: str
    tag: str
    glued: bool


class Word(NamedTuple):
    """A written word.

    Attributes:
        text: as written.
        tag: universal part of speech.
        lemma: folded lemma of its content word; nothing where it has none or several.
        pieces: the treebank's words in it.
    """

    text: str
    tag: str
    lemma: str
    pieces: tuple[Piece, ...]


class Sentence(NamedTuple):
    """A sentence and the number of its document."""

    document: int
    words: tuple[Word, ...]


@lru_cache(maxsize=1)
def treebank(mirror: Path | None = None) -> tuple[Sentence, ...]:
    """Return all sentences.

    Raises:
        MissingData: the file is not in the mirror.
    """
    folder = mirror or mirror_folder()
    path = folder / FILE if folder else None
    if path is None or not path.is_file():
        raise MissingData(f"no treebank at {path or FILE}", "name the folder of collections with KEYWRIGHT_MIRROR")
    with zstandard.open(path, "rt", encoding="utf-8") as file:
        return sentences_of(file.read())


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a CoNLL-U file; documents are numbered in the order of their first sentences."""
    documents: dict[str, int] = {}
    number = 0
    sentences = []
    for block in text.split("\n\n"):
        pieces = []
        for line in block.splitlines():
            if line.startswith(_DOCUMENT):
                number = documents.setdefault(line.removeprefix(_DOCUMENT), len(documents))
            columns = line.split("\t")
            if columns[0].isdigit():
                glued = _NO_SPACE in columns[_OTHER]
                pieces.append(Piece(columns[_FORM], columns[_LEMMA], columns[_TAG], glued))
        if pieces:
            sentences.append(Sentence(number, tuple(_words(pieces))))
    return tuple(sentences)


def _words(pieces: Sequence[Piece]) -> Iterator[Word]:
    """Yield the tokens of a sentence, each with the pieces that it has characters of."""
    begin = 0
    for end, piece in enumerate(pieces, 1):
        if piece.glued and end < len(pieces):
            continue
        chunk = pieces[begin:end]
        borders = [0]
        for part in chunk:
            borders.append(borders[-1] + len(part.form))
        for token in tokenise("".join(part.form for part in chunk)):
            last = token.start + len(token.text)
            inside = tuple(
                part
                for part, start, stop in zip(chunk, borders, borders[1:], strict=False)
                if start < last and stop > token.start
            )
            yield Word(token.text, tag_of(inside), _lemma_of(inside), inside)
        begin = end


def tag_of(pieces: Sequence[Piece]) -> str:
    """Return the tag of a written word: the content word's, the longest of several, else the first function word's."""
    content = [piece for piece in pieces if piece.tag in _TAG_OF_WORD]
    if content:
        return max(content, key=lambda piece: len(piece.form)).tag
    function = [piece for piece in pieces if piece.tag != PUNCTUATION]
    return next((piece.tag for piece in function if piece.tag != _CONJUNCTION), (*function, *pieces)[0].tag)


def _lemma_of(pieces: Sequence[Piece]) -> str:
    content = [piece for piece in pieces if piece.tag in CONTENT]
    return FOLDED(normal_form(content[0].lemma)) if len(content) == 1 else ""
