"""Reasons for a phrase in plain words, strongest first, with signs for their size."""

import math
from typing import Final

from keywright.core.documents import Document, SectionKind
from keywright.core.predictions import Keyphrase, page_at, section_at

_SIZES: Final = (math.log(2.5), math.log(1.5), math.log(1.1))
"""Contributions to the log-odds from which a reason has three signs, two, or one; arbitrary."""
LEGEND: Final = (
    "+ speaks for a phrase, - against it: one sign changes the odds by a factor of at least 1.1, two signs 1.5, "
    "three signs 2.5. Weaker reasons are left out; --json has all numbers."
)
_WORDS: Final = {
    "how rare": "how rare it is in other texts",
    "known as a keyphrase": "how often it is a keyphrase of other texts",
    "well-formed": "its wording and grammar",
    "how central": "how it compares with the other candidates",
    "fits the text's subject": "how it fits what the text is about, as an encoder reads it",
    "kind of document": "the kind and length of the document",
}
"""Reasons by the subject of evidence; ``how often`` and ``where`` say what is in the document."""
_PROMINENT: Final = {
    SectionKind.TITLE: "in the title",
    SectionKind.ABSTRACT: "in the abstract",
    SectionKind.HEADING: "in a heading",
}


def weighed(keyphrase: Keyphrase) -> bool:
    """Return whether the evidence is contributions to the log-odds, one for each subject."""
    groups = keyphrase.grounds.reasons if keyphrase.grounds else {}
    return bool(groups) and all(names == (subject,) for subject, names in groups.items())


def reason_lines(document: Document, keyphrase: Keyphrase) -> list[tuple[str, str]]:
    """Return signs and words of each reason: ``+++``, ``in the title``; those for a phrase first, the strongest first.

    Systems that do not weigh their evidence have the values of each subject instead of signs and words. The list is
    empty without evidence for people, and where every contribution is weak.
    """
    if not weighed(keyphrase):
        return _values(keyphrase)
    evidence = keyphrase.evidence
    reasons = keyphrase.grounds.reasons if keyphrase.grounds else {}
    # Reasons for a phrase by falling size, then those against it by falling size.
    order = sorted(reasons, key=lambda subject: (evidence[subject] < 0, -abs(evidence[subject])))
    return [(signs, _words(document, keyphrase, subject)) for subject in order if (signs := _signs(evidence[subject]))]


def _values(keyphrase: Keyphrase) -> list[tuple[str, str]]:
    """Return each subject with its values: ``how often``, ``mentions 3``."""
    groups = keyphrase.grounds.reasons if keyphrase.grounds else {}
    values = keyphrase.evidence
    return [
        (subject, ", ".join(f"{'' if name == subject else f'{name} '}{values[name]:.4g}" for name in names))
        for subject, names in groups.items()
    ]


def _signs(contribution: float) -> str:
    count = sum(abs(contribution) >= size for size in _SIZES)
    return ("+" if contribution > 0 else "-") * count


def _words(document: Document, keyphrase: Keyphrase, subject: str) -> str:
    count = len(keyphrase.spans)
    if not count and subject in {"how often", "where"}:
        return "not in the document"
    if subject == "how often":
        return "mentioned once" if count == 1 else f"mentioned {count} times"
    if subject == "where":
        places = keyphrase.grounds.places if keyphrase.grounds else ()
        sections = {place.section for place in places}
        prominent = (words for kind, words in _PROMINENT.items() if kind in sections)
        return next(prominent, _first_mention(document, keyphrase))
    return _WORDS.get(subject, subject)


def _first_mention(document: Document, keyphrase: Keyphrase) -> str:
    """Return the section of the first mention; in the body its page, or how much of the text is before it."""
    start = keyphrase.spans[0][0]
    section, page = section_at(document, start), page_at(document, start)
    if section != SectionKind.BODY:
        return f"first mentioned in the {'related work' if section == SectionKind.RELATED else section}"
    if page:
        return f"first mentioned on page {page}"
    return f"first mentioned {start / len(document.text):.0%} into the text"
