"""Speed of systems: the way from text to KP-Miner's lists, each system of the catalogue, and the scorer."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import bench_scorer
import papers
import stage_text
from measuring import Clock, Row, calibrate, timed

from keywright.catalogue import SYSTEMS
from keywright.core.documents import AnalysedDocument, Document, LabelledDocument
from keywright.core.interfaces import Analyser
from keywright.core.signatures import make_part
from keywright.datasets.files import cache_folder
from keywright.evaluation.answers import make_gold_sets, semeval_line
from keywright.extraction.candidates.ngrams import ngrams
from keywright.extraction.systems.kpminer import KPMiner
from keywright.reading.bare_text.sections import find_sections
from keywright.text.analyser import TextAnalyser
from keywright.text.cached_analyser import CachedAnalyser
from keywright.text.languages import ByLanguage, TaggedAnalyser

_TOP = 15
_START = Document("start", "Stop list, stemmer and table are loaded by this text.", language="en")
_TAGGED = 5  # papers that are tagged by the clock


def headline_cold(most: int | None) -> Iterator[Row]:
    """Text to KP-Miner's lists where no word of the papers was seen before."""
    system = KPMiner()
    system.extract(TextAnalyser("en").analyse(_START)).prediction(_TOP)
    yield from _headline("text to KP-Miner's lists, cold", system, TextAnalyser("en"), most, "frequencies: background")


def headline_warm(most: int | None) -> Iterator[Row]:
    """The same where the training papers went through the same analyser, as KP-Miner's frequencies come from them."""
    analyser = TextAnalyser("en")
    system = KPMiner().fit(_labelled(analyser, most))
    yield from _headline("text to KP-Miner's lists, warm", system, analyser, most, "frequencies: training papers")


def _headline(name: str, system: KPMiner, analyser: TextAnalyser, most: int | None, note: str) -> Iterator[Row]:
    documents = papers.bare_papers(most)
    spent = dict.fromkeys(("sections", "tokens", "ranking"), 0.0)
    analysed: list[AnalysedDocument] = []
    calibration = calibrate()
    whole = Clock()
    for one in documents:
        clock = Clock()
        document = replace(one, sections=find_sections(one.text))
        spent["sections"] += clock.read()[0]
        clock = Clock()
        columns = analyser.analyse(document)
        spent["tokens"] += clock.read()[0]
        clock = Clock()
        system.extract(columns).prediction(_TOP)
        spent["ranking"] += clock.read()[0]
        analysed.append(columns)
    seconds, wall = whole.read()
    clock = Clock()
    for columns in analysed:
        ngrams(columns, 5)
    spent["n-grams"] = clock.read()[0]
    spent["ranking"] -= spent["n-grams"]
    parts = {part: 1_000 * spent[part] / len(documents) for part in ("sections", "tokens", "n-grams", "ranking")}
    yield Row(name, "papers", len(documents), seconds, wall, calibration, sum(map(len, analysed)), note, parts)


def system(most: int | None, name: str) -> Iterator[Row]:
    """One system of the catalogue: from texts with a fresh analyser, and from analysed documents.

    It is trained before, on all training papers. Tagging takes a second a paper and is the same for every system: so
    tagged papers come from the cache where they are not what is timed, and few are tagged by the clock.
    """
    kind = SYSTEMS.find(name)
    tagged = "tags" in kind.needs
    known = _remembered() if tagged else ByLanguage("en")
    made: Any = make_part(kind, {}, name)
    if hasattr(made, "fit"):
        made = made.fit(_labelled(known, most))
    fresh = ByLanguage("en", tagged=tagged)
    made.extract(fresh.analyse(_START)).prediction(_TOP)  # whatever is loaded on first use is loaded now
    fresh = ByLanguage("en", tagged=tagged)
    timed_papers = papers.bare_papers(min(most or _TAGGED, _TAGGED) if tagged else most)

    def alone() -> None:
        for one in timed_papers:
            made.extract(fresh.analyse(replace(one, sections=find_sections(one.text)))).prediction(_TOP)

    note = "sections, analysis and tags included" if tagged else "sections and analysis included, cold"
    analysed = [known.analyse(replace(one, sections=find_sections(one.text))) for one in papers.bare_papers(most)]
    tokens = {one.source.id: len(one) for one in analysed}
    row = timed((f"{name}, alone", "papers"), len(timed_papers), alone, rounds=1, note=note)
    yield replace(row, tokens=sum(tokens.get(one.id, 0) for one in timed_papers))
    yield timed(
        (f"{name}, analysis shared", "papers"),
        len(analysed),
        lambda: [made.extract(one).prediction(_TOP) for one in analysed],
        rounds=1 if tagged else 3,  # with tags mostly slow ones
        tokens=sum(tokens.values()),
    )


def _remembered() -> Analyser:
    """A tagger that looks first whether it has met a paper before."""
    tagger = TaggedAnalyser(TextAnalyser("en"))
    return CachedAnalyser(tagger, cache_folder("analyses"), tagger.signature)


def _labelled(analyser: Analyser, most: int | None) -> list[LabelledDocument[AnalysedDocument]]:
    return [LabelledDocument(analyser.analyse(one.document), one.gold) for one in papers.training_papers(most)]


def scorer(most: int | None) -> Iterator[Row]:
    """One run against all kinds of gold under the protocol of SemEval-2010, gold read and indexed before."""
    labelled = papers.gold_papers(most)
    system, analyser = KPMiner(least_seen=1), TextAnalyser("en")
    predictions = (system.extract(analyser.analyse(one.document)).prediction(_TOP) for one in labelled)
    lines = (f"{one.document_id} : {','.join(semeval_line(one.texts))}\n" for one in predictions)
    data = "".join(lines).encode()
    sets = make_gold_sets(labelled)
    for name, work in bench_scorer.works(sets, data).items():
        note = f"{len(labelled)} documents, {len(sets)} kinds of gold"
        yield timed((f"scorer: {name}", "runs"), stage_text.AGAIN, stage_text.repeated(work), note=note)
