"""Speed of systems: the way from text to KP-Miner's lists, each system of the catalogue, and the scorer."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import bench_scorer
import papers
import stage_text
from measuring import Clock, Row, calibrate, timed

from keywright.candidates.ngrams import ngrams
from keywright.catalogue import SYSTEMS
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.gold import LabelledDocument
from keywright.core.parameters import make
from keywright.core.runs import Run
from keywright.evaluation.answers import answer_lines
from keywright.evaluation.gold_sets import gold_sets
from keywright.reading.sections import find_sections
from keywright.systems.kpminer import KPMiner
from keywright.text.analyser import TextAnalyser
from keywright.text.languages import ByLanguage

_TOP = 15
_START = Document("start", "Stop list, stemmer and table are loaded by this text.", language="en")


def headline_cold(most: int | None) -> Iterator[Row]:
    """Text to KP-Miner's lists where no word of the papers was seen before."""
    system = KPMiner()
    system.extract(TextAnalyser("en").analyse(_START), _TOP)
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
        system.extract(columns, _TOP)
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
    """One system of the catalogue: from texts with a fresh analyser, and from analysed documents."""
    kind = SYSTEMS.find(name)
    tagged = "tags" in kind.needs
    made: Any = make(kind, {}, name)
    if hasattr(made, "fit"):
        made = made.fit(_labelled(ByLanguage("en", tagged=tagged), most))
    made.extract(ByLanguage("en", tagged=tagged).analyse(_START), _TOP)
    documents = papers.bare_papers(most)
    analyser = ByLanguage("en", tagged=tagged)
    analysed: list[AnalysedDocument] = []

    def alone() -> None:
        for one in documents:
            columns = analyser.analyse(replace(one, sections=find_sections(one.text)))
            analysed.append(columns)
            made.extract(columns, _TOP)

    row = timed(
        (f"{name}, alone", "papers"), len(documents), alone, rounds=1, note="sections and analysis included, cold"
    )
    tokens = sum(map(len, analysed))
    yield replace(row, tokens=tokens)
    yield timed(
        (f"{name}, analysis shared", "papers"),
        len(documents),
        lambda: [made.extract(one, _TOP) for one in analysed],
        tokens=tokens,
    )


def _labelled(analyser: TextAnalyser | ByLanguage, most: int | None) -> list[LabelledDocument[AnalysedDocument]]:
    return [LabelledDocument(analyser.analyse(one.document), one.gold) for one in papers.training_papers(most)]


def scorer(most: int | None) -> Iterator[Row]:
    """One run against all kinds of gold under the protocol of SemEval-2010, gold read and indexed before."""
    labelled = papers.gold_papers(most)
    system, analyser = KPMiner(least_seen=1), TextAnalyser("en")
    predictions = tuple(system.extract(analyser.analyse(one.document), _TOP) for one in labelled)
    data = answer_lines(Run("kpminer", "", "", predictions))
    sets = gold_sets(labelled)
    for name, work in bench_scorer.works(sets, data).items():
        note = f"{len(labelled)} documents, {len(sets)} kinds of gold"
        yield timed((f"scorer: {name}", "runs"), stage_text.AGAIN, stage_text.repeated(work), note=note)
