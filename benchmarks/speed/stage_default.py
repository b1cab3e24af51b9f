"""Speed of the default extractor: text to a ranked list with probabilities, papers and abstracts, alone and in batches.

All rows come from an analyser that has met other texts of their kind before, as it has soon after a start.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

import papers
from measuring import Clock, Row, calibrate

from keywright.api.extracting import prepare
from keywright.core.documents import Document
from keywright.extraction.systems.default import Default
from keywright.reading.bare_text.sections import find_sections
from keywright.running.batches import MOST_ITEMS
from keywright.text.analyser import TextAnalyser

_TOP = 15
_SHORT = 200  # characters of a short text
_PARTS = ("sections", "analysis", "candidates", "description", "trees and ranking")


def of_papers(most: int | None) -> Iterator[Row]:
    """Bare papers; all training papers were met before."""
    known = [one.document for one in papers.training_papers()]
    yield _row(("text to default's lists", "papers"), known, papers.bare_papers(most))


def of_abstracts(most: int | None) -> Iterator[Row]:
    """Abstracts as a batch, ten for each paper; others of the same collection were met before."""
    known, timed = papers.abstracts(most and 10 * most)
    yield _row(("text to default's lists, abstracts", "abstracts"), known, timed)


def together(most: int | None) -> Iterator[Row]:
    """Abstracts and their first 200 characters as predictions, one by one and in batches, which must be equal.

    All texts were met before: new words cost the same in both.
    """
    _, timed = papers.abstracts(most and 10 * most)
    for name, characters in (("abstracts", None), ("short texts", _SHORT)):
        documents = [_cut(document, characters) for document in timed]
        extraction = prepare(language="en")
        extraction.together(documents)
        calibration = calibrate()
        alone = Clock()
        outcomes = tuple(map(extraction, documents))
        seconds = alone.read()
        batches = Clock()
        in_batches = [
            extraction.together(documents[at : at + MOST_ITEMS]) for at in range(0, len(documents), MOST_ITEMS)
        ]
        seconds_together = batches.read()
        if tuple(itertools.chain.from_iterable(in_batches)) != outcomes:
            raise ValueError(f"{name} have other outcomes in batches")
        batch_row = f"{name} to predictions, batches of {MOST_ITEMS}"
        yield Row(batch_row, name, len(documents), *seconds_together, calibration)
        yield Row(
            f"{name} to predictions, one by one", name, len(documents), *seconds, calibration, beside=(batch_row,)
        )


def _cut(document: Document, characters: int | None) -> Document:
    """Return the beginning of a document, all of it when None."""
    return document if characters is None else Document(document.id, document.text[:characters])


def _row(what: tuple[str, str], known: Sequence[Document], documents: Sequence[Document]) -> Row:
    """One pass over the documents, and a second one, of which alone the parts are taken."""
    analyser, system = TextAnalyser("en"), Default()
    for one in known:
        system.extract(analyser.analyse(one)).prediction(_TOP)
    calibration = calibrate()
    whole, tokens = Clock(), 0
    for one in documents:
        analysed = analyser.analyse(replace(one, sections=find_sections(one.text)))
        found = system.extract(analysed).prediction(_TOP)
        tokens += len(analysed)
        if any(phrase.probability is None for phrase in found.keyphrases):
            raise ValueError(f"{one.id} has phrases without probabilities")
    seconds, wall = whole.read()
    note = "probabilities included; other texts of the kind were met before"
    return Row(*what, len(documents), seconds, wall, calibration, tokens, note, _parts(known, documents))


def _parts(known: Sequence[Document], documents: Sequence[Document]) -> dict[str, float]:
    """Milliseconds of each part for a document, where each part is done for all documents before the next one is."""
    analyser, system = TextAnalyser("en"), Default()
    for one in known:
        system.extract(analyser.analyse(one)).prediction(_TOP)
    spent = []
    clock = Clock()
    sectioned = [replace(one, sections=find_sections(one.text)) for one in documents]
    spent.append(clock.read()[0])
    analysed = [analyser.analyse(one) for one in sectioned]
    spent.append(clock.read()[0])
    views = [system.view(one) for one in analysed]
    spent.append(clock.read()[0])
    for view, weight in views:
        system.rows(view, weight)
    spent.append(clock.read()[0])
    clock = Clock()
    for columns in analysed:
        system.extract(columns).prediction(_TOP)
    spent.append(spent[1] + clock.read()[0])  # candidates and description are in it again
    begun = (0.0, *spent[:3], spent[3])
    lasted = [end - begin for begin, end in zip(begun, spent, strict=True)]
    return {part: 1_000 * seconds / len(documents) for part, seconds in zip(_PARTS, lasted, strict=True)}
