"""Extracted keyphrases as one HTML page: the list of each document, and its text with the phrases marked.

The page loads nothing and needs no scripts; all inputs are escaped.
"""

import bisect
import itertools
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final, NamedTuple

from keywright.core.documents import Document, Section, SectionKind, cover_sections
from keywright.core.keyphrases import Keyphrase
from keywright.core.pages import PAGE_POLICY, escape_html, isolate_text
from keywright.core.predictions import Failure, Prediction
from keywright.faces.outputs import phrase_words

BEST: Final = 3  # Number of phrases that stand out; arbitrary
_GAP: Final = re.compile(r"\n\s*\n")
_SHORT_LINE: Final = 45  # mean characters of lines whose breaks are kept, as in tables and code; arbitrary


class MarkedText:
    """The text of a document as HTML, phrases marked with their ranks.

    Overlapping phrases are cut into pieces, each with the ranks of all phrases that cover it.
    """

    def __init__(self, document: Document, prediction: Prediction, place: str) -> None:
        self._document = document
        self._place = place
        numbered = (f"{rank}. {text}" for rank, text in enumerate(prediction.texts, start=1))
        names = [phrase_words.collapse_spaces(name[: 2 * _LONGEST_TITLE]) for name in numbered]
        self._names = [name if len(name) <= _LONGEST_TITLE else f"{name[: _LONGEST_TITLE - 1]}…" for name in names]
        self._anchors: dict[int, str] = {}
        for rank, keyphrase in enumerate(prediction.keyphrases, start=1):
            if keyphrase.spans:
                first = keyphrase.spans[0][0]
                self._anchors[first] = f'{self._anchors.get(first, "")}<a id="{place}-{rank}"></a>'
        self._pieces = _cut_pieces(prediction.keyphrases)
        self._starts = [start for start, _, _ in self._pieces]

    def blocks(self) -> Iterator[str]:
        """Yield headings and paragraphs in order."""
        after_heading = False
        for section in cover_sections(self._document):
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
                pieces.append(escape_html(self._document.text[at:left]))
                pieces.append(self._mark(left, right, ranks))
                at = right
            place += 1
        pieces.append(escape_html(self._document.text[at:end]))
        return "".join(pieces)

    def _mark(self, start: int, end: int, ranks: tuple[int, ...]) -> str:
        title = escape_html("; ".join(self._names[rank - 1] for rank in ranks))
        best = ' class="best"' if ranks[0] <= BEST else ""
        places = " ".join(map(str, ranks))
        shown = escape_html(self._document.text[start:end])
        return f'{self._anchors.get(start, "")}<mark{best} data-ranks="{places}" title="{title}">{shown}</mark>'


_LONGEST_TITLE: Final = 200  # Characters of a phrase's name where the pointer is on a mention; arbitrary
_MOST_RANKS: Final = 8  # Phrases that a mark names where more cover it, the best of them; arbitrary, three are many


def _cut_pieces(keyphrases: Sequence[Keyphrase]) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return stretches that the same phrases cover, in order: first character, end, and ranks from 1.

    A sweep over the boundaries of all mentions keeps the ranks of open ones sorted, and how often each is open.
    """
    changes: dict[int, list[int]] = {}
    for rank, keyphrase in enumerate(keyphrases, start=1):
        for start, end in keyphrase.spans:
            if start < end:
                changes.setdefault(start, []).append(rank)
                changes.setdefault(end, []).append(-rank)
    pieces: list[tuple[int, int, tuple[int, ...]]] = []
    depth: dict[int, int] = {}
    opened: list[int] = []
    last = 0
    for at in sorted(changes):
        if opened:
            pieces.append((last, at, tuple(opened[:_MOST_RANKS])))
        for change in sorted(changes[at]):  # ends first
            rank = abs(change)
            depth[rank] = depth.get(rank, 0) + (1 if change > 0 else -1)
            if change > 0 and depth[rank] == 1:
                bisect.insort(opened, rank)
            elif not depth[rank]:
                del opened[bisect.bisect_left(opened, rank)]
        last = at
    return pieces


_LINKED: Final = ("http://", "https://")  # Schemes of addresses that are linked; others may run programs
_MOST_COMMON: Final = 12  # Phrases of an overview; arbitrary, what a screen shows at a glance


def render_overview(predictions: Sequence[Prediction]) -> str:
    """Return a chart of the phrases that several documents have, without regard to case; empty without such phrases."""
    documents: dict[str, dict[int, str]] = {}
    for number, prediction in enumerate(predictions):
        for text in prediction.texts:
            documents.setdefault(text.casefold(), {})[number] = text
    common = sorted((each for each in documents.values() if len(each) > 1), key=len, reverse=True)[:_MOST_COMMON]
    shape = f'class="strip" viewBox="0 0 {len(predictions)} 1" preserveAspectRatio="none" aria-hidden="true"'
    rows = ""
    for texts in common:
        cells = "".join(
            f'<rect x="{number}" width="0.85" height="1" data-article="d{number + 1}"'
            f' data-phrase="{escape_html(text)}"><title>{escape_html(predictions[number].document_id)}</title></rect>'
            for number, text in texts.items()
        )
        phrase = isolate_text(next(iter(texts.values())))
        rows += f'<tr><th scope="row">{phrase}</th><td>{len(texts)}</td><td><svg {shape}>{cells}</svg></td></tr>\n'
    head = "<tr><th>keyphrase</th><th>documents</th><th>which</th></tr>"
    caption = "<caption>Keyphrases of several documents</caption>"
    return f'<table class="overview">{caption}\n{head}\n{rows}</table>\n' if rows else ""


class Article(NamedTuple):
    """One document on the page: its name and best phrases for the table of contents, and its part of the page."""

    name: str
    best: tuple[str, ...]
    html: str


@dataclass(frozen=True, slots=True)
class Controls:
    """Parts that a page with forms adds to the list of a document."""

    # HTML of a phrase, by its place from 0, to HTML with its controls
    around: Callable[[int, str], str] = lambda _index, phrase: phrase
    below: str = ""  # HTML under the list
    is_folded: bool = False  # whether the text is shown only when it is asked for


def render_page(
    articles: Sequence[Article], failures: Sequence[Failure], system: str, notes: Sequence[str] = ()
) -> str:
    """Return the whole file; articles are from ``render_article``, numbered from 1; ``notes`` end it."""
    title = f"Keyphrases of {articles[0].name}" if len(articles) == 1 else f"Keyphrases of {len(articles)} documents"
    style = resources.files("keywright.faces.outputs").joinpath("page.css").read_text("utf-8")
    lines = "".join(
        f'<li><a href="#d{number}">{isolate_text(each.name)}</a> {", ".join(map(isolate_text, each.best))}</li>\n'
        for number, each in enumerate(articles, start=1)
    )
    contents = f'<nav aria-label="Documents">\n<ol>\n{lines}</ol>\n</nav>\n' if len(articles) > 1 else ""
    ending = "".join(f"<p>{escape_html(note)}</p>" for note in notes)
    failed = "".join(f"<li>{isolate_text(each.document_id)}: {escape_html(each.message)}</li>\n" for each in failures)
    failed = f"<h2>Not done</h2>\n<ul>\n{failed}</ul>\n" if failed else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{PAGE_POLICY}\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape_html(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<header>\n<h1>Keyphrases</h1>\n{contents}"
        f"{failed}</header>\n<main>\n{''.join(each.html for each in articles)}</main>\n"
        f"<footer>{ending}<p>System: <code>{escape_html(system)}</code></p></footer>\n</body>\n</html>\n"
    )


def render_article(
    document: Document,
    prediction: Prediction,
    number: int,
    controls: Controls = Controls(),
    hidden: Collection[int] = (),
) -> Article:
    """Return the part of one document: its phrases, then its text with them marked.

    ``hidden``: places, from 0, of phrases that are not listed.
    """
    place = f"d{number}"
    language = f' lang="{escape_html(prediction.language)}"' if prediction.language else ""
    facts = (
        f"language {prediction.language}" if prediction.language else "",
        phrase_words.describe_coverage(prediction.coverage) if prediction.coverage else "",
    )
    notes = "".join(f"<li>{escape_html(warning)}</li>" for warning in prediction.warnings)
    notes = f'<ul class="facts">{notes}</ul>\n' if notes else ""
    phrases = _render_phrases(document, prediction, place, controls, hidden)
    author_keywords = "".join(f'<li dir="auto">{escape_html(keyword)}</li>' for keyword in prediction.author_keywords)
    author_keywords = f"<h3>Keywords given by the authors</h3>\n<ul>{author_keywords}</ul>\n" if author_keywords else ""
    blocks = "".join(MarkedText(document, prediction, place).blocks())
    if controls.is_folded:
        blocks = f'<details><summary lang="en">The text, with its keyphrases marked</summary>{blocks}</details>\n'
    html = (
        f'<article id="{place}">\n<h2>{isolate_text(document.id)}</h2>\n'
        f'<p class="facts">{escape_html(", ".join(filter(None, facts)))}</p>\n'
        f'{notes}<div class="sides">\n<section class="phrases">\n<h3>Keyphrases</h3>\n'
        f"{phrases}{controls.below}{author_keywords}</section>\n"
        f'<section class="text"{language}>\n{blocks}</section>\n'
        f"</div>\n</article>\n"
    )
    return Article(document.id, prediction.texts[:BEST], html)


def _render_phrases(
    document: Document, prediction: Prediction, place: str, controls: Controls, hidden: Collection[int]
) -> str:
    """Return the list of phrases; their anchors in the text begin with ``place``."""
    keyphrases = prediction.keyphrases
    if not keyphrases:
        return "<p>No keyphrases were found.</p>\n"

    def link_phrase(index: int, number: str) -> str:
        """Return the name of a phrase, with a link to its first mention if there is one, and what is behind it."""
        shown = isolate_text(phrase_words.name_phrase(keyphrases[index]))
        linked = f'<a href="#{place}-{index + 1}">{shown}</a>' if keyphrases[index].present else shown
        return controls.around(index, linked + number)

    lines = []
    for index, keyphrase in enumerate(keyphrases):
        if index not in hidden:
            count, where = len(keyphrase.spans), phrase_words.describe_mentions(document, keyphrase)
            mentions = f"{count} mention{'s' * (count != 1)}: " if count else ""
            lines.append(
                f'<li value="{index + 1}">{link_phrase(index, f" {_render_worth(keyphrase)}")}'
                f'{_render_concept(keyphrase)}<span class="where">{mentions}{where}</span>'
                f"{_render_reasons(document, keyphrase)}</li>\n"
            )
    legend = (
        f'<p class="where">{escape_html(phrase_words.LEGEND)}</p>\n'
        if any(map(phrase_words.is_weighed, keyphrases))
        else ""
    )
    return f"<ol>\n{''.join(lines)}</ol>\n{legend}"


def _render_worth(keyphrase: Keyphrase) -> str:
    """Return the probability of a phrase with a bar, or its score.

    The length of the bar is an attribute, not a style, which the policy of a served page forbids.
    """
    if keyphrase.probability is None:
        return f'<span class="worth" title="score">{keyphrase.score:.4g}</span>'
    percent = 100 * keyphrase.probability
    shape = 'viewBox="0 0 100 10" preserveAspectRatio="none"'
    bar = f'<svg class="bar" {shape} aria-hidden="true"><rect width="{percent:.1f}" height="10"/></svg>'
    return f'<span class="worth" title="probability">{bar} {percent:.0f} %</span>'


def _render_concept(keyphrase: Keyphrase) -> str:
    """Return the concept that a phrase is a label of, with a link to it, and how many others it can be."""
    concept = keyphrase.concept
    if concept is None:
        return ""
    label = isolate_text(f"{concept.notation} {concept.label}".strip())
    linked = f'<a href="{escape_html(concept.uri)}">{label}</a>' if concept.uri.startswith(_LINKED) else label
    others = len(keyphrase.ambiguous) - 1
    doubt = "" if others < 0 else ", without its qualifier" if not others else f", or {others} more of this label"
    return f'<span class="where">concept {linked}{doubt}</span>'


def _render_reasons(document: Document, keyphrase: Keyphrase) -> str:
    """Return evidence by groups, places and a sentence, folded; nothing if they were not asked for."""
    grounds = keyphrase.grounds
    if grounds is None:
        return ""
    rows = [*phrase_words.list_reasons(document, keyphrase), ("places", phrase_words.describe_places(grounds.places))]
    listed = "".join(f"<dt>{escape_html(name)}</dt><dd>{escape_html(reason)}</dd>" for name, reason in rows if reason)
    quote = ""
    if shown := phrase_words.find_snippet(document, keyphrase):
        before, phrase, after = map(escape_html, shown)
        quote = f'<blockquote dir="auto">{before}<b>{phrase}</b>{after}</blockquote>'
    return f"\n<details><summary>Why</summary><dl>{listed}</dl>{quote}</details>"
