"""Stored zero-shot lists of LLaMA-3 and Phi-3 beside the default, combined with it, and calibrated on ten documents.

The answers are read by the system ``llm`` as if a server had just given them: same parser, same places in the text,
and log-probabilities of tokens as confidence. Combinations are those of ``--system default+llm`` (reciprocal ranks),
and with labels of ``keywright combine --method meta-ranker``, cross-fitted by document. The texts and gold are those
that the models read. Nothing is chosen on these documents.
"""

import itertools
import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, pstdev
from typing import Final

import numpy as np

from keywright.calibration.calibration_error import measure_error
from keywright.calibration.calibrators.calibrating import calibrate, recalibrate
from keywright.calibration.judging import KPG_WHOLE_TEXT, decide, drop_withheld
from keywright.calibration.phrases import JudgedPhrases, choose_confidence
from keywright.core.choices import Confidence
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import MissingData, unknown_name
from keywright.core.interfaces import Extractor, Progress
from keywright.core.model_address import Answer, hash_request
from keywright.core.pages import Table
from keywright.core.predictions import Run
from keywright.core.zstandard import zstd
from keywright.datasets.files import mirror_folder
from keywright.ensembles.combining import combine
from keywright.ensembles.meta_ranker import cross_fit, prepare_training
from keywright.ensembles.voting import Method, Voting
from keywright.evaluation.measures.counts import at
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.run_formats.pairing import PairedRun
from keywright.evaluation.statistics.bootstrap import Resampling
from keywright.evaluation.statistics.significance import add_intervals
from keywright.experiments.kpg_predictions import CLASSES, COLLECTIONS, FOLDER
from keywright.experiments.study import PERCENT, Row, Sheet, Study, lay_out_sheets, round_ends
from keywright.extraction.systems.default import Default
from keywright.extraction.systems.llm import LanguageModel
from keywright.running import runs
from keywright.running.extraction import Extraction
from keywright.running.phrase_filter import UNFILTERED, PhraseFilter
from keywright.text.languages import ByLanguage

MODELS: Final = ("llama3", "phi3")
DEFAULT: Final = "default"
CUTOFFS: Final = (5, 10, 15)  # phrases of a list that are scored, as the shared task and papers on generation have them
LENGTH: Final = 50  # phrases of a list at most; answers have up to some forty
POOL: Final = 15  # phrases of each list that are combined: the usual value of ``--system default+llm``
LABELLED: Final = 10  # documents that calibrate
DRAWS: Final = 20  # draws of these; as in the study of few documents
_SEED: Final = 20261127  # arbitrary
_PROTOCOL: Final = replace(KPG, measures=at(*CUTOFFS))


def compute_rows(
    systems: Collection[str] | None = None, *, progress: Progress | None = None, mirror: Path | None = None
) -> tuple[Row, ...]:
    """Return F1 with intervals, and calibration errors before and after ten documents, of each system and collection.

    Raises:
        MissingData: the stored answers are not on this machine.
    """
    for name in systems or ():
        if name not in MODELS:
            raise unknown_name("model", name, MODELS, "python -m studies language-models")
    models = [name for name in MODELS if not systems or name in systems]
    rows: list[Row] = []
    for done, collection in enumerate(COLLECTIONS, 1):
        rows += evaluate_collection(collection, models, mirror)
        if progress:
            progress(done, len(COLLECTIONS))
    return tuple(rows)


def evaluate_collection(collection: str, models: Sequence[str], mirror: Path | None = None) -> Iterator[Row]:
    """Yield the rows of the default, and of each model alone and together with it; all models read the same texts."""
    labelled, _ = read_answers(models[0], collection, mirror)
    documents = [each.document for each in labelled]
    default = run_system(Default(), labelled, absent=True)
    yield from _rows(DEFAULT, collection, default, labelled)
    for name in models:
        written = run_system(read_answers(name, collection, mirror)[1], labelled)
        yield from _rows(name, collection, written, labelled)
        joined = combine([_cut(default), _cut(written)], Voting(Method.RANKS), documents)
        yield from _rows(f"{DEFAULT}+{name}", collection, joined, labelled)
        learned = cross_fit(prepare_training([default, written], labelled))
        yield from score(f"{DEFAULT}+{name}, labels", collection, learned, labelled)


def read_answers(
    model: str, collection: str, mirror: Path | None = None
) -> tuple[list[LabelledDocument[Document]], LanguageModel]:
    """Return the documents of a collection with gold, as a model read them, and a system that has its answers."""
    folder = mirror or mirror_folder()
    path = folder and folder / FOLDER / f"{model}_{COLLECTIONS[collection]}.jsonl.zst"
    if path is None or not path.is_file():
        hint = f"name a folder in KEYWRIGHT_MIRROR that holds one named {FOLDER}"
        raise MissingData(f"the stored answers of {model} are not on this machine", hint)
    # The address is never asked: every answer is there before.
    system = LanguageModel(url="http://127.0.0.1:9/v1", model=model, logprobs=True, cache="none", window=1_000_000)
    labelled = []
    with zstd.open(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            text = str(record["model_source"])
            document = Document(record["doc_id"], text, language="en")
            gold = tuple(GoldKeyphrase((phrase,), "author") for phrase in record["model_gold"])
            labelled.append(LabelledDocument(document, gold))
            (request,) = system.list_requests(document)
            tokens = zip(record["raw_tokens"], map(_take_log, record["raw_probs"]), strict=False)
            pieces = tuple((token, log) for token, log in tokens if not token.startswith("<|"))
            system.ahead[hash_request(request)] = Answer("".join(token for token, _ in pieces), pieces)
    return labelled, system


def _take_log(probability: float) -> float:
    return math.log(probability) if probability > 0 else -math.inf


def run_system(system: Extractor, labelled: Sequence[LabelledDocument[Document]], *, absent: bool = False) -> Run:
    """Return the first phrases of a system, of the default with absent ones."""
    phrase_filter = PhraseFilter(absent=True) if absent else UNFILTERED
    extraction = Extraction(ByLanguage("en"), system, LENGTH, phrase_filter=phrase_filter, meta=False)
    return runs.run_in_memory(extraction, [each.document for each in labelled])


def _cut(run: Run) -> Run:
    """Return a run with lists of no more phrases than answers usually have."""
    predictions = (replace(each, keyphrases=each.keyphrases[:POOL]) for each in run.predictions)
    return replace(run, predictions=tuple(predictions))


def _rows(system: str, collection: str, run: Run, labelled: Sequence[LabelledDocument[Document]]) -> Iterator[Row]:
    yield from score(system, collection, run, labelled)
    yield from _measure_calibration(system, collection, _cut(run), labelled)


def score(system: str, collection: str, run: Run, labelled: Sequence[LabelledDocument[Document]]) -> Iterator[Row]:
    """Yield F1 at each cutoff with its interval, of present and absent phrases."""
    report = add_intervals(PairedRun(run, tuple(labelled)).report(_PROTOCOL), _PROTOCOL, Resampling())
    for part, cutoff in itertools.product(CLASSES, CUTOFFS):
        name = f"{part}/F@{cutoff}"
        row = Row(f"F@{cutoff}", None, round(report.values[name], 4), system, dataset=collection, phrase_class=part)
        yield replace(row, interval=round_ends(report.intervals[name], 4))


def _measure_calibration(
    system: str, collection: str, run: Run, labelled: Sequence[LabelledDocument[Document]]
) -> Iterator[Row]:
    """Yield calibration errors, percent, on documents that do not calibrate: as given, and after ten others.

    Scores that only rank have no error as given. The interval has 95 percent of the draws.
    """
    decisions = decide(run, drop_withheld(run, labelled, None)[0], KPG_WHOLE_TEXT)
    confidence = choose_confidence(decisions.keyphrases)
    judged = None if confidence is Confidence.SCORE else decisions.columns(confidence)
    before, after = [], []
    for draw in range(DRAWS):
        order = np.random.Generator(np.random.PCG64([_SEED, draw])).permutation(len(labelled)).tolist()
        calibrates, others = ([labelled[index] for index in part] for part in (order[:LABELLED], order[LABELLED:]))
        fitted = calibrate(_select(run, calibrates), calibrates)
        after.append(_compute_error(recalibrate(_select(run, others), others, fitted.calibrator)[0]))
        if judged is not None:
            names = {each.id for each in others}
            of_others = np.array([name in names for name in judged.ids], bool)
            before.append(_compute_error(judged.where(of_others[judged.document])))
    for name, errors in (("ECE", before), (f"ECE after {LABELLED}", after)):
        if errors:
            ends = tuple(np.quantile(errors, (0.025, 0.975)).round(2).tolist())
            note = f"mean of {len(errors)} draws, standard deviation {pstdev(errors):.2f}"
            row = Row(name, None, round(fmean(errors), 2), system, dataset=collection, note=note)
            yield replace(row, interval=(ends[0], ends[1]))


def _compute_error(judged: JudgedPhrases) -> float:
    return PERCENT * measure_error(judged.confidence, judged.correct)


def _select(run: Run, labelled: Collection[LabelledDocument[Document]]) -> Run:
    ids = {each.id for each in labelled}
    return replace(run, predictions=tuple(each for each in run.predictions if each.document_id in ids))


_SHEETS: Final = (
    Sheet("F1 of {} keyphrases.", "F@.*", ("dataset", "system"), "{measure}", by="phrase_class"),
    Sheet(
        f"Expected calibration error, percent, as given and after {LABELLED} labelled documents, on the others.",
        "ECE.*",
        ("dataset", "system"),
        "{measure}",
        digits=1,
    ),
)


def lay_out(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield the tables."""
    yield from lay_out_sheets(_SHEETS, rows)


STUDY: Final = Study("language-models", compute_rows, tables=lay_out)
