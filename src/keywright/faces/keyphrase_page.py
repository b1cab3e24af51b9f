"""Extracted keyphrases as one HTML page: the list of each document, and its text with the phrases marked.

The page loads nothing and needs no scripts; all inputs are escaped.
"""

import bisect
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Final

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.predictions import Failure, Keyphrase, Prediction
from keywright.faces.phrase_location import one_line, places_words, snippet, where
from keywright.faces.phrase_names import read_words, shown_name
from keywright.faces.reason_words import LEGEND, reason_lines, weighed

if TYPE_CHECKING:
    from keywright.api import PhraseGroup

_FIRST: Final = 3
"""Number of phrases in the table of contents; arbitrary."""
_GAP: Final = re.compile(r"\n\s*\n")
_SHORT_LINE: Final = 45
"""Mean line length in characters below which line breaks are kept, as in tables and code; arbitrary."""
_NOT_HTML: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that HTML forbids, surrogates, and marks that change the direction of all following text."""


@dataclass(frozen=True, slots=True)
class Article:
    """One document on the page: its name and best phrases for the table of contents, and its part of the page."""

    name: str
    best: tuple[str, ...]
    html: str


def page(articles: Sequence[Article], failures: Sequence[Failure], system: str) -> str:
    """Return the whole file; articles are from ``article`` with numbers from 1."""
    title = f"Keyphrases of {articles[0].name}" if len(articles) == 1 else f"Keyphrases of {len(articles)} documents"
    style = resources.files("keywright.faces").joinpath("page.css").read_text("utf-8")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{_text(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<header>\n<h1>Keyphrases</h1>\n{_contents(articles)}"
        f"{_failures(failures)}</header>\n<main>\n{''.join(each.html for each in articles)}</main>\n"
        f"<footer><p>System: <code>{_text(system)}</code></p></footer>\n</body>\n</html>\n"
    )


def article(document: Document, prediction: Prediction, groups: "Sequence[PhraseGroup]", number: int) -> Article:
    """Return the part of one document: its phrases, each group under its leader, then its text with them marked."""
    place = f"d{number}"
    language = f' lang="{_text(prediction.language)}"' if prediction.language else ""
    notes = "".join(f"<li>{_text(warning)}</li>" for warning in prediction.warnings)
    notes = f'<ul class="facts">{notes}</ul>\n' if notes else ""
    html = (
        f'<article id="{place}">\n<h2>{_bdi(document.id)}</h2>\n<p class="facts">{_facts(prediction)}</p>\n'
        f'{notes}<div class="sides">\n<section class="phrases">\n<h3>Keyphrases</h3>\n'
        f"{_phrases(document, prediction, groups, place)}{_author_keywords(prediction)}</section>\n"
        f'<section class="text"{language}>\n{"".join(_Marked(document, prediction, place).blocks())}</section>\n'
        f"</div>\n</article>\n"
    )
    return Article(document.id, prediction.texts[:_FIRST], html)


def _contents(articles: Sequence[Article]) -> str:
    if len(articles) < 2:  # noqa: PLR2004 - a single document needs no list
        return ""
    lines = (
        f'<li><a href="#d{number}">{_bdi(each.name)}</a> {", ".join(map(_bdi, each.best))}</li>\n'
        for number, each in enumerate(articles, start=1)
    )
    return f'<nav aria-label="Documents">\n<ol>\n{"".join(lines)}</ol>\n</nav>\n'


def _failures(failures: Sequence[Failure]) -> str:
    lines = (f"<li>{_bdi(each.document_id)}: {_text(each.message)}</li>\n" for each in failures)
    return f"<h2>Not done</h2>\n<ul>\n{''.join(lines)}</ul>\n" if failures else ""


def _facts(prediction: Prediction) -> str:
    coverage = prediction.coverage
    read = read_words(coverage) if coverage else ""
    language = f"language {prediction.language}" if prediction.language else ""
    assumed = f"probabilities for {prediction.assumes}" if prediction.assumes else ""
    return _text(", ".join(filter(None, (language, read, assumed))))


def _phrases(document: Document, prediction: Prediction, groups: "Sequence[PhraseGroup]", place: str) -> str:
    if not prediction.keyphrases:
        return "<p>No keyphrases were found.</p>\n"
    lines = (
        f'<li value="{group.leader + 1}">'
        f"{_phrase(document, prediction.keyphrases[group.leader], f'{place}-{group.leader + 1}')}"
        f"{_others(prediction, group, place)}{_why(document, prediction.keyphrases[group.leader])}</li>\n"
        for group in groups
    )
    legend = f'<p class="where">{_text(LEGEND)}</p>\n' if any(map(weighed, prediction.keyphrases)) else ""
    return f"<ol>\n{''.join(lines)}</ol>\n{legend}"


def _others(prediction: Prediction, group: "PhraseGroup", place: str) -> str:
    """Return the phrases under the one that leads their group, with their ranks; empty if it is alone."""
    names = (f"{_linked(prediction.keyphrases[index], f'{place}-{index + 1}')} ({index + 1})" for index in group.others)
    return f'<span class="where">also: {", ".join(names)}</span>' if group.others else ""


def _linked(keyphrase: Keyphrase, place: str) -> str:
    """Return the name of a phrase, with a link to its first mention if there is one."""
    shown = _bdi(shown_name(keyphrase))
    return f'<a href="#{place}">{shown}</a>' if keyphrase.present else shown


def _phrase(document: Document, keyphrase: Keyphrase, place: str) -> str:
    """Return the first lines of an entry: phrase, probability with a bar (or the score), and mentions."""
    if keyphrase.probability is None:
        number = f'<span class="worth" title="score">{keyphrase.score:.4g}</span>'
    else:
        percent = 100 * keyphrase.probability
        bar = f'<span class="bar" aria-hidden="true"><span style="width:{percent:.1f}%"></span></span>'
        number = f'<span class="worth" title="probability">{bar} {percent:.0f} %</span>'
    count = len(keyphrase.spans)
    mentions = f"{count} mention{'s' * (count != 1)}: " if count else ""
    places = f'<span class="where">{mentions}{where(document, keyphrase)}</span>'
    return f"{_linked(keyphrase, place)} {number}{places}"


def _why(document: Document, keyphrase: Keyphrase) -> str:
    """Return evidence by groups, places and a sentence, folded; nothing if they were not asked for."""
    grounds = keyphrase.grounds
    if grounds is None:
        return ""
    rows = [*reason_lines(document, keyphrase), ("places", places_words(grounds.places))]
    listed = "".join(f"<dt>{_text(name)}</dt><dd>{_text(reason)}</dd>" for name, reason in rows if reason)
    shown = snippet(document, keyphrase)
    quote = (
        f'<blockquote dir="auto">{_text(shown.before)}<b>{_text(shown.phrase)}</b>{_text(shown.after)}</blockquote>'
        if shown
        else ""
    )
    return f"\n<details><summary>Why</summary><dl>{listed}</dl>{quote}</details>"


def _author_keywords(prediction: Prediction) -> str:
    if not prediction.author_keywords:
        return ""
    lines = "".join(f'<li dir="auto">{_text(keyword)}</li>' for keyword in prediction.author_keywords)
    return f"<h3>Keywords given by the authors</h3>\n<ul>{lines}</ul>\n"


class _Marked:
    """The text of a document as HTML, phrases marked with their ranks.

    Overlapping phrases are cut into pieces, each with the ranks of all phrases that cover it.
    """

    def __init__(self, document: Document, prediction: Prediction, place: str) -> None:
        self._document = document
        self._place = place
        self._texts = prediction.texts
        self._first: dict[int, list[int]] = {}
        for rank, keyphrase in enumerate(prediction.keyphrases, start=1):
            for start, _ in keyphrase.spans[:1]:
                self._first.setdefault(start, []).append(rank)
        self._pieces = _pieces(prediction.keyphrases)
        self._starts = [start for start, _, _ in self._pieces]

    def blocks(self) -> Iterator[str]:
        """Yield headings and paragraphs in order."""
        after_heading = False
        for section in _all_sections(self._document):
            text = self._document.text[section.start : section.end]
            if not text.strip():
                continue
            if section.kind in {SectionKind.TITLE, SectionKind.HEADING}:
                yield f'<h4 class="{section.kind}" dir="auto">{self.html(section.start, section.end)}</h4>\n'
            else:
                if section.kind != SectionKind.BODY and not after_heading:
                    yield f'<h4 class="kind" lang="en">{section.kind.value.capitalize()}</h4>\n'
                yield from self._paragraphs(section)
            after_heading = section.kind == SectionKind.HEADING

    def _paragraphs(self, section: Section) -> Iterator[str]:
        start = section.start
        text = self._document.text[section.start : section.end]
        gaps = [(0, 0), *(gap.span() for gap in _GAP.finditer(text)), (len(text), len(text))]
        for (_, begin), (end, _) in itertools.pairwise(gaps):
            lines = text[begin:end].strip().split("\n")
            if lines != [""]:
                short = len(lines) > 1 and sum(map(len, lines)) / len(lines) < _SHORT_LINE
                kind = ' class="lines"' if short else ""
                yield f'<p{kind} dir="auto">{self.html(start + begin, start + end).strip()}</p>\n'

    def html(self, start: int, end: int) -> str:
        """Return a stretch of the text, phrases marked."""
        pieces, at = [], start
        place = max(0, bisect.bisect_right(self._starts, start) - 1)
        while place < len(self._pieces) and self._pieces[place][0] < end:
            left, right, ranks = self._pieces[place]
            left, right = max(left, start), min(right, end)
            if left < right:
                pieces.append(_text(self._document.text[at:left]))
                pieces.append(self._mark(left, right, ranks))
                at = right
            place += 1
        pieces.append(_text(self._document.text[at:end]))
        return "".join(pieces)

    def _mark(self, start: int, end: int, ranks: tuple[int, ...]) -> str:
        anchors = "".join(f'<a id="{self._place}-{rank}"></a>' for rank in self._first.get(start, ()))
        title = "; ".join(f"{rank}. {one_line(self._texts[rank - 1])}" for rank in ranks)
        best = ' class="best"' if ranks[0] <= _FIRST else ""
        return f'{anchors}<mark{best} title="{_text(title)}">{_text(self._document.text[start:end])}</mark>'


def _pieces(keyphrases: Sequence[Keyphrase]) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return stretches that the same phrases cover, in order: first character, end, and ranks from 1.

    A sweep over the boundaries of all mentions keeps the number of open mentions of each phrase.
    """
    changes: dict[int, list[int]] = {}
    for rank, keyphrase in enumerate(keyphrases, start=1):
        for start, end in keyphrase.spans:
            changes.setdefault(start, []).append(rank)
            changes.setdefault(end, []).append(-rank)
    pieces: list[tuple[int, int, tuple[int, ...]]] = []
    depth: dict[int, int] = {}
    last = 0
    for at in sorted(changes):
        if depth:
            pieces.append((last, at, tuple(sorted(depth))))
        for change in changes[at]:
            rank = abs(change)
            depth[rank] = depth.get(rank, 0) + (1 if change > 0 else -1)
            if not depth[rank]:
                del depth[rank]
        last = at
    return pieces


def _all_sections(document: Document) -> Iterator[Section]:
    """Yield the sections, and the text between them as body."""
    at = 0
    for section in document.sections:
        yield Section(SectionKind.BODY, at, section.start)
        yield section
        at = section.end
    yield Section(SectionKind.BODY, at, len(document.text))


def _bdi(text: str) -> str:
    """Return a text of any direction, isolated from the text around it."""
    return f"<bdi>{_text(text)}</bdi>"


def _text(text: str) -> str:
    """Return a text escaped for HTML, with replacement characters for forbidden ones."""
    return escape(_NOT_HTML.sub("\ufffd", text))
