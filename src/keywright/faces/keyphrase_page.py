"""Extracted keyphrases as one HTML page: the list of each document, and its text with the phrases marked.

The page loads nothing and needs no scripts; all inputs are escaped.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

from keywright.core.documents import Document
from keywright.core.page_policy import PAGE_POLICY
from keywright.core.predictions import Failure, Keyphrase, Prediction
from keywright.faces.escaping import escaped, isolated
from keywright.faces.marked_text import BEST, MarkedText
from keywright.faces.phrase_location import places_words, snippet, where
from keywright.faces.phrase_names import read_words, shown_name
from keywright.faces.reason_words import LEGEND, reason_lines, weighed

if TYPE_CHECKING:
    from keywright.api import PhraseGroup

_LINKED: Final = ("http://", "https://")
"""Schemes of addresses that are linked; others may run programs."""


@dataclass(frozen=True, slots=True)
class Article:
    """One document on the page: its name and best phrases for the table of contents, and its part of the page."""

    name: str
    best: tuple[str, ...]
    html: str


@dataclass(frozen=True, slots=True)
class Controls:
    """Parts that a page with forms adds to the list of a document.

    Attributes:
        around: HTML of a phrase, by its place from 0, to HTML with its controls.
        below: HTML under the list.
    """

    around: Callable[[int, str], str] = lambda _index, phrase: phrase
    below: str = ""


def page(articles: Sequence[Article], failures: Sequence[Failure], system: str) -> str:
    """Return the whole file; articles are from ``article`` with numbers from 1."""
    title = f"Keyphrases of {articles[0].name}" if len(articles) == 1 else f"Keyphrases of {len(articles)} documents"
    style = resources.files("keywright.faces").joinpath("page.css").read_text("utf-8")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{PAGE_POLICY}\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escaped(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<header>\n<h1>Keyphrases</h1>\n{_contents(articles)}"
        f"{_failures(failures)}</header>\n<main>\n{''.join(each.html for each in articles)}</main>\n"
        f"<footer><p>System: <code>{escaped(system)}</code></p></footer>\n</body>\n</html>\n"
    )


def article(
    document: Document,
    prediction: Prediction,
    groups: "Sequence[PhraseGroup]",
    number: int,
    controls: Controls = Controls(),
) -> Article:
    """Return the part of one document: its phrases, each group under its leader, then its text with them marked."""
    place = f"d{number}"
    language = f' lang="{escaped(prediction.language)}"' if prediction.language else ""
    notes = "".join(f"<li>{escaped(warning)}</li>" for warning in prediction.warnings)
    notes = f'<ul class="facts">{notes}</ul>\n' if notes else ""
    phrases = _Phrases(document, prediction, place, controls).html(groups)
    html = (
        f'<article id="{place}">\n<h2>{isolated(document.id)}</h2>\n<p class="facts">{_facts(prediction)}</p>\n'
        f'{notes}<div class="sides">\n<section class="phrases">\n<h3>Keyphrases</h3>\n'
        f"{phrases}{controls.below}{_author_keywords(prediction)}</section>\n"
        f'<section class="text"{language}>\n{"".join(MarkedText(document, prediction, place).blocks())}</section>\n'
        f"</div>\n</article>\n"
    )
    return Article(document.id, prediction.texts[:BEST], html)


def _contents(articles: Sequence[Article]) -> str:
    if len(articles) < 2:  # noqa: PLR2004 - a single document needs no list
        return ""
    lines = (
        f'<li><a href="#d{number}">{isolated(each.name)}</a> {", ".join(map(isolated, each.best))}</li>\n'
        for number, each in enumerate(articles, start=1)
    )
    return f'<nav aria-label="Documents">\n<ol>\n{"".join(lines)}</ol>\n</nav>\n'


def _failures(failures: Sequence[Failure]) -> str:
    lines = (f"<li>{isolated(each.document_id)}: {escaped(each.message)}</li>\n" for each in failures)
    return f"<h2>Not done</h2>\n<ul>\n{''.join(lines)}</ul>\n" if failures else ""


def _facts(prediction: Prediction) -> str:
    coverage = prediction.coverage
    read = read_words(coverage) if coverage else ""
    language = f"language {prediction.language}" if prediction.language else ""
    assumed = f"probabilities for {prediction.assumes}" if prediction.assumes else ""
    return escaped(", ".join(filter(None, (language, read, assumed))))


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The list of a document's phrases, whose anchors in the text begin with ``place``."""

    document: Document
    prediction: Prediction
    place: str
    controls: Controls

    def html(self, groups: "Sequence[PhraseGroup]") -> str:
        """Return the list, each group under its leader."""
        keyphrases = self.prediction.keyphrases
        if not keyphrases:
            return "<p>No keyphrases were found.</p>\n"
        lines = (
            f'<li value="{group.leader + 1}">{self._leader(group.leader)}{self._others(group)}'
            f"{_why(self.document, keyphrases[group.leader])}</li>\n"
            for group in groups
        )
        legend = f'<p class="where">{escaped(LEGEND)}</p>\n' if any(map(weighed, keyphrases)) else ""
        return f"<ol>\n{''.join(lines)}</ol>\n{legend}"

    def _leader(self, index: int) -> str:
        """Return the first lines of an entry: phrase, probability with a bar (or the score), and mentions."""
        keyphrase = self.prediction.keyphrases[index]
        if keyphrase.probability is None:
            number = f'<span class="worth" title="score">{keyphrase.score:.4g}</span>'
        else:
            percent = 100 * keyphrase.probability
            number = f'<span class="worth" title="probability">{_bar(percent)} {percent:.0f} %</span>'
        count = len(keyphrase.spans)
        mentions = f"{count} mention{'s' * (count != 1)}: " if count else ""
        places = f'<span class="where">{mentions}{where(self.document, keyphrase)}</span>'
        return f"{self._linked(index, f' {number}')}{_concept(keyphrase)}{places}"

    def _others(self, group: "PhraseGroup") -> str:
        """Return the phrases under the one that leads their group, with their ranks; empty if it is alone."""
        names = (self._linked(index, f" ({index + 1})") for index in group.others)
        return f'<span class="where">also: {", ".join(names)}</span>' if group.others else ""

    def _linked(self, index: int, number: str) -> str:
        """Return the name of a phrase, with a link to its first mention if there is one, and what is behind it."""
        keyphrase = self.prediction.keyphrases[index]
        shown = isolated(shown_name(keyphrase))
        linked = f'<a href="#{self.place}-{index + 1}">{shown}</a>' if keyphrase.present else shown
        return self.controls.around(index, linked + number)


def _concept(keyphrase: Keyphrase) -> str:
    """Return the concept that a phrase is a label of, with a link to it, and how many others it can be."""
    concept = keyphrase.concept
    if concept is None:
        return ""
    label = isolated(f"{concept.notation} {concept.label}".strip())
    linked = f'<a href="{escaped(concept.uri)}">{label}</a>' if concept.uri.startswith(_LINKED) else label
    others = len(keyphrase.ambiguous) - 1
    doubt = "" if others < 0 else ", without its qualifier" if not others else f", or {others} more of this label"
    return f'<span class="where">concept {linked}{doubt}</span>'


def _bar(percent: float) -> str:
    """Return a bar whose length is an attribute, not a style, which the policy of a served page forbids."""
    shape = 'viewBox="0 0 100 10" preserveAspectRatio="none"'
    return f'<svg class="bar" {shape} aria-hidden="true"><rect width="{percent:.1f}" height="10"/></svg>'


def _why(document: Document, keyphrase: Keyphrase) -> str:
    """Return evidence by groups, places and a sentence, folded; nothing if they were not asked for."""
    grounds = keyphrase.grounds
    if grounds is None:
        return ""
    rows = [*reason_lines(document, keyphrase), ("places", places_words(grounds.places))]
    listed = "".join(f"<dt>{escaped(name)}</dt><dd>{escaped(reason)}</dd>" for name, reason in rows if reason)
    shown = snippet(document, keyphrase)
    sentence = f"{escaped(shown.before)}<b>{escaped(shown.phrase)}</b>{escaped(shown.after)}" if shown else ""
    quote = f'<blockquote dir="auto">{sentence}</blockquote>' if shown else ""
    return f"\n<details><summary>Why</summary><dl>{listed}</dl>{quote}</details>"


def _author_keywords(prediction: Prediction) -> str:
    if not prediction.author_keywords:
        return ""
    lines = "".join(f'<li dir="auto">{escaped(keyword)}</li>' for keyword in prediction.author_keywords)
    return f"<h3>Keywords given by the authors</h3>\n<ul>{lines}</ul>\n"
