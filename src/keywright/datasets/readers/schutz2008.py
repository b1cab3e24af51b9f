"""Schutz 2008: biomedical articles as the text of their XML without tags, with printed and extracted keyphrases.

The parts of an article keep their order: journal and numbers, title, authors, a copyright line, abstract, keywords, a
copyright statement, body, references. The reader marks the parts before the body, as far as an article has its
landmarks; headings and references in the body are found like those of any bare text. Leading keyphrases that occur in
the article's printed list are the authors'; the others are index terms.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.datasets.card import Card
from keywright.datasets.files import Files
from keywright.datasets.readers import json_lines

KINDS: Final = ("author", "term")
_JOURNAL = re.compile(r"\n*[^\n].*?\n\n\n+.*?\n\n\n+", re.DOTALL)
_COPYRIGHT = re.compile(r"^©.*?\n\n+", re.DOTALL | re.MULTILINE)
_LISTS = re.compile(r"^(?:Keywords|Key words|Abbreviations|issue-copyright-statement)$", re.MULTILINE)
_OPENING = re.compile(r"^(?:1\.?\s+)?(?:Introduction|INTRODUCTION|Background|BACKGROUND)$", re.MULTILINE)
_GAP = re.compile(r"\n\n\n+")
_FRONT: Final = 10_000  # characters within which an article's front matter ends; arbitrary
_LIST_KINDS: Final = {
    "Keywords": SectionKind.KEYWORDS,
    "Key words": SectionKind.KEYWORDS,
    "Abbreviations": SectionKind.METADATA,
    "issue-copyright-statement": SectionKind.NOTICE,
}


def read(files: Files, split: str, forms: str, card: Card) -> Iterator[LabelledDocument[Document]]:
    """Yield documents of a split in the order of its file, front matter marked."""
    for labelled in json_lines.read(files, split, forms, card):
        document = replace(labelled.document, sections=front_matter(labelled.document.text), meta={})
        yield LabelledDocument(document, _kinds(labelled.gold, document.section(SectionKind.KEYWORDS) or ""))


def front_matter(text: str) -> tuple[Section, ...]:
    """Return the sections up to the body, which is one section; none if an article lacks the landmarks."""
    journal = _JOURNAL.match(text)
    notice = _COPYRIGHT.search(text, journal.end() if journal else 0, _FRONT)
    if not journal or not notice:
        return ()
    title_end = min(text.index("\n\n", journal.end()), notice.start())
    lists = list(_LISTS.finditer(text, notice.end(), _FRONT))
    opening = _OPENING.search(text, lists[-1].end() if lists else notice.end())
    starts = [heading.start() for heading in lists]
    body = _GAP.search(text, starts[-1]) if lists else opening
    if body is None:
        return ()
    after = body.end() if lists else body.start()
    marks = [
        (0, SectionKind.METADATA),
        (journal.end(), SectionKind.TITLE),
        (title_end, SectionKind.AUTHORS),
        (notice.start(), SectionKind.NOTICE),
        (notice.end(), SectionKind.ABSTRACT),
        *((heading.start(), _LIST_KINDS[heading[0]]) for heading in lists),
        (after, SectionKind.BODY),
    ]
    return tuple(_trimmed(text, marks))


def _trimmed(text: str, marks: Sequence[tuple[int, SectionKind]]) -> Iterator[Section]:
    """Yield sections between marks, trimmed; none for empty ones."""
    ends = [start for start, _ in marks[1:]] + [len(text)]
    for (start, kind), end in zip(marks, ends, strict=True):
        stretch = text[start:end]
        if stretch.strip():
            yield Section(kind, start + len(stretch) - len(stretch.lstrip()), start + len(stretch.rstrip()))


def _kinds(gold: Sequence[GoldKeyphrase], printed: str) -> tuple[GoldKeyphrase, ...]:
    """Return the gold with its kinds: the authors' keyphrases lead the list and are in the printed one."""
    on_paper = {_letters(line) for line in printed.splitlines()}
    leading = len(list(takewhile(lambda entry: _letters(entry.forms[0]) in on_paper, gold)))
    author, term = KINDS
    return tuple(replace(entry, by=author if at < leading else term) for at, entry in enumerate(gold))


def _letters(phrase: str) -> str:
    """Return a phrase without case, blanks and signs."""
    return "".join(filter(str.isalnum, phrase.casefold()))
