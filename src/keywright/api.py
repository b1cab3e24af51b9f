"""The verbs of keywright: what a person needs, and the only module that a face may call."""

import functools
import itertools
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, overload

from keywright.catalogue import PROTOCOLS, SYSTEMS, TABLES, system_class
from keywright.core import saving
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, UnreadableInput
from keywright.core.interfaces import Extractor
from keywright.core.parameters import changed, make, parsed
from keywright.core.predictions import Prediction
from keywright.core.runs import Failure, Run
from keywright.datasets.card import card_names
from keywright.datasets.collection import DataSet
from keywright.datasets.collection import load as load_collection
from keywright.evaluation.comparison import Comparison, PairedTest, compared_names, paired_test
from keywright.evaluation.comparison import compare as compare_reports
from keywright.evaluation.explaining import Explanation, explain
from keywright.evaluation.foreign.judging import Judged, Labelled, judge, scored
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing.writing import Publication
from keywright.evaluation.publishing.writing import publish as publish_reports
from keywright.evaluation.report import Report
from keywright.evaluation.resampling import SAMPLES, SEED, Resampling, categories_of
from keywright.evaluation.significance import with_intervals
from keywright.evaluation.streaming import Pair
from keywright.evaluation.streaming import score_stream as stream_scores
from keywright.execution import running
from keywright.execution.engines import engine as executor
from keywright.execution.extraction import Extraction, FromFiles, Outcome, check_ready
from keywright.execution.training import train as fit
from keywright.experiments.rows import Row
from keywright.experiments.tables import made as made_table
from keywright.reading.files import read as read_file
from keywright.reading.plain import document_of_text
from keywright.reading.sources import documents as in_sources
from keywright.reading.sources import sources
from keywright.reading.streams import kind as input_kind
from keywright.text.languages import ByLanguage

Given: TypeAlias = str | Path | Document
"""A text, a file of one document, or a document."""
Chosen: TypeAlias = str | Path | Extractor
"""A system by name, by the folder of a trained one, or itself."""
Progress: TypeAlias = Callable[[int, int], None]
"""Told how many documents are done, of how many."""

DEPTH: Final = 50
"""Keyphrases a document in a run, so that every protocol finds its cutoffs."""


def document(text: str, name: str = "text", language: str | None = None) -> Document:
    """A document of a text, with the sections that can be seen in it.

    Raises:
        EmptyInput: the text has no words.
    """
    return document_of_text(text, name, language=language)


def read(path: str | Path) -> Document:
    """The document in a file.

    Raises:
        UnreadableInput: the file cannot be read, or holds several documents, which ``read_all`` takes.
    """
    found = list(itertools.islice(read_file(path), 2))
    if len(found) > 1:
        raise UnreadableInput(f"{path} holds several documents", "kw.read_all gives them one by one")
    return found[0]


def read_all(paths: Iterable[str | Path]) -> Iterator[Document | Failure]:
    """Documents in files and folders, one by one; failures stand where one cannot be read."""
    return in_sources(sources(paths, None, sys.stdin.buffer))


def system(name: str | Path, **parameters: Any) -> Extractor:
    """A system by name, with parameters, or a trained one by its folder.

    Raises:
        UnknownName: there is none of this name.
        BadParameter: a parameter is unknown or has a value of another type.
    """
    if str(name) not in SYSTEMS.own and ("/" in str(name) or Path(name).is_dir()):
        trained = load(name)
        return changed(trained, parameters, trained.name)
    made: Extractor = make(SYSTEMS.find(str(name)), parameters, str(name))
    return made


def parametrised(name: str, texts: Mapping[str, str]) -> Extractor:
    """A system with parameters given as texts, as on a command line.

    Raises:
        BadParameter: a parameter is unknown, or its text is no value of its type.
    """
    chosen = system(name)
    return changed(chosen, parsed(type(chosen), texts, chosen.name), chosen.name)


def load(folder: str | Path) -> Extractor:
    """A trained system from the folder that ``train`` wrote.

    Raises:
        MissingData: there is none.
        BrokenFile: it is damaged, or made of code that is not installed.
    """
    loaded: Extractor = saving.load(Path(folder), SYSTEMS.packages())
    return loaded


def prepare(
    system: Chosen = "default", top: int | None = None, language: str | None = None, *, explain: bool = False
) -> Extraction:
    """What ``extract`` and ``run`` do to each document, checked before the first.

    Raises:
        UnknownName, BadParameter: no such system, or a list shorter than one.
        NotFitted, NeedsUnmet: the system cannot run as it is.
    """
    if top is not None and top < 1:
        raise BadParameter(f"top {top}", "expected a number from 1")
    extractor = _system(system)
    analyser = ByLanguage(language, tagged="tags" in extractor.needs)
    extraction = Extraction(analyser, extractor, top, explain)
    check_ready(extraction)
    return extraction


@overload
def extract(
    documents: Given,
    system: Chosen = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
) -> Prediction: ...
@overload
def extract(
    documents: list[Given] | tuple[Given, ...],
    system: Chosen = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
) -> list[Prediction]: ...
@overload
def extract(
    documents: Iterator[Given],
    system: Chosen = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
) -> Iterator[Prediction]: ...
def extract(
    documents: Given | Iterable[Given],
    system: Chosen = "default",
    top: int | None = None,
    language: str | None = None,
    *,
    explain: bool = False,
) -> Prediction | list[Prediction] | Iterator[Prediction]:
    """Keyphrases: one prediction for a document, a list for a list, a stream for anything else that iterates.

    Args:
        documents: texts (``str``), files (``Path``) or documents.
        system: a name, the folder of a trained one, or a system itself.
        top: how many keyphrases; None for 10, or as many as the system stands by if it has a count rule.
        language: ISO 639-1 code; None for each document's own, or the one detected.
        explain: whether keyphrases come with their ``evidence``.

    Raises:
        KeywrightError: a document cannot be done; ``extract_each`` goes on with the others instead.
    """
    extraction = prepare(system, top, language, explain=explain)
    if isinstance(documents, Given):
        return extraction.prediction(_document(documents))
    stream = map(extraction.prediction, map(_document, documents))
    return list(stream) if isinstance(documents, (list, tuple)) else stream


def extract_each(
    extraction: Extraction, documents: Iterable[Document | Failure], engine: str | None = None, jobs: int | None = None
) -> Iterator[Outcome]:
    """A prediction or a failure for each document, in order, as they come."""
    return running.outcomes(extraction, documents, executor(engine, jobs))


def extract_files(
    extraction: Extraction,
    paths: Iterable[str | Path],
    form: str | None = None,
    *,
    engine: str | None = None,
    jobs: int | None = None,
    keep: bool = False,
) -> Iterator[tuple[Document | None, Outcome]]:
    """Outcomes for all documents in files and folders, in order; several processes also share the reading.

    Args:
        extraction: from ``prepare``.
        paths: files and folders; ``-`` is standard input.
        form: what they hold, such as ``jsonl``; None tells it from each.
        engine: ``serial`` or ``processes``.
        jobs: number of processes.
        keep: whether documents come beside their outcomes.

    Raises:
        UnknownName: there is no such format or engine.
    """
    where = executor(engine, jobs, chunk=1)
    given = sources(paths, input_kind(form) if form else None, sys.stdin.buffer)
    return itertools.chain.from_iterable(where.map(FromFiles(extraction, keep), given))


def dataset(name: str | Path) -> DataSet:
    """Labelled documents: a collection or split by name, such as ``inspec/test``, or a JSON Lines file.

    Raises:
        UnknownName: there is no collection of this name.
        MissingData: it is not on this machine; the hint is the line that brings it.
    """
    return load_collection(str(name))


def train(
    system: str | Extractor,
    dataset: str | Path | DataSet,
    folder: str | Path | None = None,
    language: str | None = None,
    **parameters: Any,
) -> Extractor:
    """A system fitted on labelled documents; written into a folder if one is named.

    Raises:
        BadParameter: the system learns nothing, or the gold is held out for reporting.
    """
    chosen = _system(system)
    untrained = changed(chosen, parameters, chosen.name)
    analyser = ByLanguage(language, tagged="tags" in untrained.needs)
    return fit(untrained, _dataset(dataset), analyser, None if folder is None else Path(folder))


def run(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    system: Chosen,
    dataset: str | Path | DataSet,
    top: int = DEPTH,
    output: str | Path | None = None,
    *,
    language: str | None = None,
    engine: str | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Predictions of a system over a data set.

    Args:
        system: a name, the folder of a trained one, or a system itself.
        dataset: a name, or a data set.
        top: keyphrases a document.
        output: file to write the run to. What is done is kept beside it until then, so that the same call goes on
            where an earlier one was cut off.
        language: ISO 639-1 code; None for each document's own.
        engine: ``serial`` or ``processes``.
        jobs: number of processes.
        progress: told how many documents are done.
    """
    extraction, data = prepare(system, top, language), _dataset(dataset)
    documents = [labelled.document for labelled in data]
    where = executor(engine, jobs)
    if output is None:
        return running.run(extraction, documents, data.name, executor=where, progress=progress)
    return running.run_into(Path(output), extraction, documents, data.name, executor=where, progress=progress)


def score(
    run: Run | str | Path,
    protocol: str | Protocol,
    gold: str | Path | Labelled | None = None,
    form: str | None = None,
    *,
    intervals: bool | int = True,
) -> Report:
    """Scores of a run under a protocol.

    Args:
        run: a run, a run file, or a file or folder of another tool (docs/reference/run-formats.md).
        protocol: a name, or a protocol.
        gold: a data set, or labelled documents; None takes what the run names or brings along.
        form: format of the file; None recognises it.
        intervals: whether values come with bootstrap intervals, or from how many samples.

    Raises:
        UnreadableInput: there is no such file, its format is not known or broken, or it belongs to other documents.
        BadParameter: the run does not name its data, and no gold is given.
    """
    return score_all(run, (protocol,), gold, form, intervals=intervals)[0]


def score_all(
    run: Run | str | Path,
    protocols: Iterable[str | Protocol],
    gold: str | Path | Labelled | None = None,
    form: str | None = None,
    *,
    intervals: bool | int = True,
) -> tuple[Report, ...]:
    """As ``score``, under several protocols; the gold is read once."""
    return tuple(report for report, _ in _judged(run, tuple(map(_protocol, protocols)), gold, form, intervals))


def score_stream(
    pairs: Iterable[Pair], protocol: str | Protocol, kinds: Sequence[str] = (), *, intervals: bool | int = True
) -> Report:
    """Scores of a run that is larger than memory: predictions beside their gold, document after document.

    Args:
        pairs: a prediction (or ranked phrases, or None) and a labelled document each; gone through once.
        protocol: a name, or a protocol.
        kinds: kinds of gold; empty for those of the first documents.
        intervals: whether values come with bootstrap intervals, or from how many samples.

    Raises:
        BadRecord: a prediction stands beside the gold of another document, or a document comes twice.
    """
    rules = _protocol(protocol)
    report = stream_scores(pairs, rules, kinds)
    resampling = _resampling(intervals)
    return with_intervals(report, rules, resampling) if resampling else report


def publish(
    run: Run | str | Path,
    protocols: Iterable[str | Protocol],
    to: str,
    gold: str | Path | Labelled | None = None,
    form: str | None = None,
    *,
    intervals: bool | int = True,
) -> tuple[str, tuple[Report, ...]]:
    """Scores as text in the format ``to`` (``csv``, ``markdown``, ``latex``, ``html``), and the reports themselves.

    Raises:
        MissingExtra: HTML needs matplotlib, which is not installed.
    """
    rules = tuple(map(_protocol, protocols))
    found = _judged(run, rules, gold, form, intervals)
    return publish_reports(found, rules, Publication(to)), tuple(report for report, _ in found)


def explain_difference(
    run: Run | str | Path,
    first: str | Protocol,
    second: str | Protocol,
    gold: str | Path | Labelled | None = None,
    form: str | None = None,
) -> Explanation:
    """Which rules make a run's scores under two protocols differ, one at a time: see ``evaluation.explaining``.

    Raises:
        BadParameter: the protocols report no value in common.
    """
    given = functools.cache(lambda marks: judge(run, gold, dataset, form, marks))
    return explain(_protocol(first), _protocol(second), lambda one: given(one.marks).report(one))


def compare(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    runs: Mapping[str, Run | str | Path] | Sequence[Run | str | Path],
    protocol: str | Protocol,
    gold: str | Path | Labelled | None = None,
    form: str | None = None,
    *,
    test: str = PairedTest.RANDOMISATION,
    resamples: int = SAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Differences of runs under a protocol, with intervals and tests.

    Args:
        runs: two or more, as for ``score``; by name, or in a sequence, where files are called by their names.
        protocol: a name, or a protocol.
        gold: a data set, or labelled documents; None takes what each run names, which must be the same.
        form: format of the files; None recognises it.
        test: ``randomisation`` or ``bootstrap``; ``t`` or ``wilcoxon`` for means of document scores.
        resamples: samples of the bootstrap and of randomisation.
        seed: of the samples.

    Raises:
        UnreadableInput: a file is missing, of no known format, broken, or belongs to other documents.
        BadParameter: fewer than two runs, two of one name, runs that were made on different documents, or a test that
            applies to none of the protocol's values.
    """
    rules, resampling = _protocol(protocol), Resampling(resamples, seed)
    given = gold if gold is None or isinstance(gold, (str, Path)) else tuple(gold)
    load = functools.cache(lambda name: tuple(dataset(name)))
    reports, categories = {}, {}
    for name, run in compared_names(runs).items():
        ((report, judged),) = scored(run, (rules,), given, load, form)
        categories = categories_of(judged.labelled)
        reports[name] = with_intervals(report, rules, resampling, categories)
    return compare_reports(reports, rules, resampling, paired_test(test), categories)


def reproduce(
    table: str,
    systems: Collection[str] | None = None,
    *,
    ablate: bool = False,
    progress: Progress | None = None,
    jobs: int | None = None,
) -> tuple[Row, ...]:
    """A published table beside our numbers, or what each open option is worth (``ablate``).

    Raises:
        UnknownName: there is no such table, or no such system in it.
        BadParameter: the table has no systems, or no ablations.
    """
    return made_table(TABLES.find(table), systems, ablate=ablate, progress=progress, find=system_class, jobs=jobs)


def list_systems() -> tuple[str, ...]:
    """Names of all systems."""
    return SYSTEMS.names()


def list_protocols() -> tuple[str, ...]:
    """Names of all protocols."""
    return PROTOCOLS.names()


def list_tables() -> tuple[str, ...]:
    """Names of the published tables that ``reproduce`` knows."""
    return TABLES.names()


def list_datasets() -> tuple[str, ...]:
    """Names of all collections that have a card."""
    return card_names()


def _system(given: Chosen) -> Extractor:
    return system(given) if isinstance(given, (str, Path)) else given


def _judged(
    run: Run | str | Path,
    rules: tuple[Protocol, ...],
    gold: str | Path | Labelled | None,
    form: str | None,
    intervals: bool | int,  # noqa: FBT001 - as score_all was given it
) -> tuple[tuple[Report, Judged], ...]:
    """Reports, each with what was scored."""
    resampling = _resampling(intervals)
    found = []
    for one, (report, judged) in zip(rules, scored(run, rules, gold, dataset, form), strict=True):
        drawn = with_intervals(report, one, resampling, categories_of(judged.labelled)) if resampling else report
        found.append((drawn, judged))
    return tuple(found)


def _resampling(intervals: int) -> Resampling | None:
    """As many samples as are asked for; none for False."""
    return Resampling(SAMPLES if intervals is True else intervals) if intervals else None


def _protocol(given: str | Protocol) -> Protocol:
    if isinstance(given, Protocol):
        return given
    found: Protocol = PROTOCOLS.find(given)
    return found


def _document(given: Given) -> Document:
    if isinstance(given, str):
        return document(given)
    return read(given) if isinstance(given, Path) else given


def _dataset(given: str | Path | DataSet) -> DataSet:
    return given if isinstance(given, DataSet) else dataset(given)
