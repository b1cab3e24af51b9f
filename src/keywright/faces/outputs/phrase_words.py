"""Phrases in words for people: their names, their places in a document, and the reasons for their ranks."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from keywright.core.documents import Coverage, Document, SectionKind, find_page, find_section
from keywright.core.keyphrases import Keyphrase, Place, locate_spans

_REACH: Final = 140  # Characters of a sentence shown on each side of the phrase; arbitrary


class Snippet(NamedTuple):
    """A sentence around a phrase, with an ellipsis for each part that was cut."""

    before: str
    phrase: str
    after: str


def describe_mentions(document: Document, keyphrase: Keyphrase) -> str:
    """Return mentions by section, then all pages: ``title, abstract 2, body 11; pages 1, 2, 5``."""
    if not keyphrase.present:
        return "not in the document"
    places = locate_spans(document, keyphrase.spans)
    counts: Counter[str] = Counter()
    for place in places:
        counts[place.section.value] += place.mentions
    sections = ", ".join(f"{kind} {count}" if count > 1 else kind for kind, count in counts.items())
    pages = sorted({place.page for place in places if place.page})
    return sections + (f"; page{'s' * (len(pages) > 1)} {', '.join(map(str, pages))}" if pages else "")


def name_first_section(document: Document, keyphrase: Keyphrase) -> str:
    """Return the section of the first mention, ``title``; its page, ``p. 2``, if it is in the body of pages."""
    if not keyphrase.present:
        return "not in text"
    start = keyphrase.spans[0][0]
    section, page = find_section(document, start), find_page(document, start)
    return f"p. {page}" if page and section == SectionKind.BODY else section.value


def describe_places(places: Iterable[Place]) -> str:
    """Return the pages of each section, with the number of mentions above one: ``title p. 1; body p. 2 ×7, 4``."""
    sections: dict[str, list[str]] = {}
    for place in places:
        page = str(place.page) if place.page else ""
        several = f"×{place.mentions}" if place.mentions > 1 else ""
        sections.setdefault(place.section.value, []).append(f"{page} {several}".strip())
    paged = any(text[:1].isdigit() for pages in sections.values() for text in pages)
    return "; ".join(f"{kind} {'p. ' * paged}{', '.join(pages)}".strip() for kind, pages in sections.items())


def find_snippet(document: Document, keyphrase: Keyphrase) -> Snippet | None:
    """Return the sentence that shows a phrase, cut to its neighbourhood; None if there is none."""
    sentence = keyphrase.grounds.sentence if keyphrase.grounds else None
    inside = (span for span in keyphrase.spans if sentence and sentence.span[0] <= span[0] < sentence.span[1])
    if sentence is None or (span := next(inside, None)) is None:
        return None
    start, end = span
    near = 20 * _REACH  # far more than is shown, also where there are many blanks
    before = collapse_spaces(document.text[max(sentence.span[0], start - near) : start]).lstrip()
    after = collapse_spaces(document.text[end : max(end, min(sentence.span[1], end + near))]).rstrip()
    if len(before) > _REACH:
        before = "… " + before[-_REACH:].partition(" ")[2]
    if len(after) > _REACH:
        after = after[:_REACH].rpartition(" ")[0] + " …"
    return Snippet(before, collapse_spaces(document.text[start:end]), after)


def collapse_spaces(text: str) -> str:
    """Return a text with single blanks for all white space."""
    return re.sub(r"\s+", " ", text)


def name_phrase(keyphrase: Keyphrase) -> str:
    """Return a phrase, with its acronym where it has one: *support vector machine (SVM)*."""
    return str(keyphrase.acronym or keyphrase.text)


def describe_coverage(coverage: Coverage) -> str:
    """Return how much of a document was read: ``all 447 characters read``."""
    if coverage.read == coverage.given:
        return f"all {coverage.given:,} characters read"
    return f"{coverage.read:,} of {coverage.given:,} characters read"


_SIZES: Final = (math.log(2.5), math.log(1.5), math.log(1.1))
"""Contributions to the log-odds from which a reason has three signs, two, or one; arbitrary."""
LEGEND: Final = (
    "+ speaks for a phrase, - against it: one sign changes the odds by a factor of at least 1.1, two signs 1.5, "
    "three signs 2.5. Weaker reasons are left out."
)
_WORDS: Final = {
    "how rare": ("rare in other texts", "common in other texts"),
    "known as a keyphrase": ("often a keyphrase of other texts", "seldom a keyphrase of other texts"),
    "well-formed": ("worded like a keyphrase", "not worded like a keyphrase"),
    "how central": ("ahead of the other phrases of the text", "many other phrases of the text compete with it"),
    "fits the text's subject": ("close to what the text is about", "far from what the text is about"),
}
"""Reasons for a phrase and against it by the subject of evidence; the others say what is in the document."""
_PROMINENT: Final = {
    SectionKind.TITLE: "in the title",
    SectionKind.ABSTRACT: "in the abstract",
    SectionKind.HEADING: "in a heading",
}


def is_weighed(keyphrase: Keyphrase) -> bool:
    """Return whether the evidence is contributions to the log-odds, one for each subject."""
    groups = keyphrase.grounds.reasons if keyphrase.grounds else {}
    return bool(groups) and all(names == (subject,) for subject, names in groups.items())


def list_reasons(document: Document, keyphrase: Keyphrase) -> list[tuple[str, str]]:
    """Return signs and words of each reason: ``+++``, ``in the title``; those for a phrase first, the strongest first.

    Systems that do not weigh their evidence have the values of each subject instead of signs and words. The list is
    empty without evidence for people, and where every contribution is weak.
    """
    groups = keyphrase.grounds.reasons if keyphrase.grounds else {}
    evidence = keyphrase.evidence
    if not is_weighed(keyphrase):
        return [
            (subject, ", ".join(f"{'' if name == subject else f'{name} '}{evidence[name]:.4g}" for name in names))
            for subject, names in groups.items()
        ]
    reasons = []
    # Reasons for a phrase by falling size, then those against it by falling size.
    # The kind of document says the same of all its phrases.
    subjects = [subject for subject in groups if subject != "kind of document"]
    for subject in sorted(subjects, key=lambda subject: (evidence[subject] < 0, -abs(evidence[subject]))):
        count = sum(abs(evidence[subject]) >= size for size in _SIZES)
        if count:
            sign = "+" if evidence[subject] > 0 else "-"
            reasons.append((sign * count, _describe_reason(document, keyphrase, subject, sign == "-")))
    return reasons


def _describe_reason(document: Document, keyphrase: Keyphrase, subject: str, is_against: bool) -> str:  # noqa: FBT001
    count = len(keyphrase.spans)
    if not count and subject in {"how often", "where"}:
        return "not in the document"
    if subject == "how often":
        return "mentioned once" if count == 1 else f"mentioned {count} times"
    if subject != "where":
        return _WORDS.get(subject, (subject, subject))[is_against]
    sections = {place.section for place in (keyphrase.grounds.places if keyphrase.grounds else ())}
    if prominent := next((words for kind, words in _PROMINENT.items() if kind in sections), ""):
        return prominent
    start = keyphrase.spans[0][0]
    section, page = find_section(document, start), find_page(document, start)
    if section != SectionKind.BODY:
        return f"first mentioned in the {'related work' if section == SectionKind.RELATED else section}"
    # In the body the page, or how much of the text is before it.
    return f"first mentioned {f'on page {page}' if page else f'{start / len(document.text):.0%} into the text'}"
