"""Stage: the eight schemes of evalHulth2003, beside the 2.4 CPU seconds that the reference takes for 500 documents."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import bench_hulth
import papers
from measuring import Row, calibrate

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import MissingData
from keywright.datasets.collection import load
from keywright.extraction.systems.default import Default
from keywright.text.analyser import TextAnalyser

_TOP = 10
_KIND = "uncontr_in"


def hulth(most: int | None) -> Iterator[Row]:
    """The command from a cold start, then a further run in process; the default system's ten phrases a document."""
    labelled = _documents()[: most or None]
    with tempfile.TemporaryDirectory() as folder:
        gold, predicted = Path(folder, "gold"), Path(folder, "predicted")
        _write(labelled, gold, predicted)
        note = f"{len(labelled)} documents"
        for name, work in bench_hulth.works(str(gold), str(predicted)).items():
            calibration, start = calibrate(), time.perf_counter()
            seconds = bench_hulth.median_seconds(work)
            wall = (time.perf_counter() - start) / bench_hulth.ROUNDS
            share = f"{note}; 1/{bench_hulth.REFERENCE / seconds:.1f} of the reference's 2.4 s for 500"
            yield Row(f"hulth2003: {name}", "runs", 1, seconds, wall, calibration, note=share)


def _documents() -> list[LabelledDocument[Document]]:
    """Abstracts with gold: those of Inspec where they are, else papers made of examples."""
    try:
        return list(load("inspec/test"))
    except MissingData:
        return papers.gold_papers()


def _write(labelled: list[LabelledDocument[Document]], gold: Path, predicted: Path) -> None:
    """Files as the tool takes them."""
    gold.mkdir()
    predicted.mkdir()
    system, analyser = Default(), TextAnalyser("en")
    for one in labelled:
        entries = one.given_by(_KIND) or one.gold
        text = "; ".join(entry.forms[0] for entry in entries)
        (gold / f"{one.document.id}.{_KIND}").write_text(text, "utf-8")
        phrases = system.extract(analyser.analyse(one.document)).prediction(_TOP).texts
        (predicted / f"{one.document.id}.res").write_text("".join(f"{phrase}\n" for phrase in phrases), "utf-8")
