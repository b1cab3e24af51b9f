"""Scores of runs, and differences between them."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from keywright.api.inputs import dataset, protocol_of
from keywright.core.predictions import Run
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing.writing import Publication
from keywright.evaluation.publishing.writing import publish as publish_reports
from keywright.evaluation.run_formats.pairing import Judged, Labelled, judge, scored
from keywright.evaluation.scoring.explaining import Explanation, explain
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.streaming import Pair
from keywright.evaluation.scoring.streaming import score_stream as stream_scores
from keywright.evaluation.statistics.bootstrap import SAMPLES, SEED, Resampling, categories_of
from keywright.evaluation.statistics.comparison import (
    Comparison,
    DocumentScores,
    PairedTest,
    compared_names,
    document_rows,
    paired_test,
)
from keywright.evaluation.statistics.comparison import compare as compare_reports
from keywright.evaluation.statistics.significance import with_intervals


def score(
    run: Run | str | Path,
    protocol: str | Protocol,
    gold: str | Path | Labelled | None = None,
    form: str | None = None,
    *,
    intervals: bool | int = True,
) -> Report:
    """Score a run under a protocol.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl")
    >>> kw.score(run, "keywright-1", intervals=False).scored
    5

    Args:
        run: a run, a run file, or a file or folder of another tool (docs/reference/run-formats.md).
        protocol: a name, or a protocol.
        gold: a data set, or labelled documents; None takes what the run names or brings along.
        form: format of the file; None recognises it.
        intervals: whether values have bootstrap intervals, or the number of samples.

    Raises:
        UnreadableInput: there is no such file, its format is unknown or broken, or it belongs to other documents.
        BadParameter: the run does not name its data, and there is no ``gold``.
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
    """Score a run under several protocols, as ``score`` does; the gold is read once.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl")
    >>> [report.scored for report in kw.score_all(run, ["keywright-1", "kpg"], intervals=False)]
    [5, 5]
    """
    return tuple(report for report, _ in _reports(run, tuple(map(protocol_of, protocols)), gold, form, intervals))


def score_stream(
    pairs: Iterable[Pair], protocol: str | Protocol, kinds: Sequence[str] = (), *, intervals: bool | int = True
) -> Report:
    """Score a run that is larger than memory: predictions beside their gold, document after document.

    >>> import keywright as kw
    >>> labelled = kw.dataset("examples/abstracts.jsonl")
    >>> pairs = ((kw.extract(each.document), each) for each in labelled)
    >>> kw.score_stream(pairs, "keywright-1", intervals=False).scored
    5

    Args:
        pairs: a prediction (or ranked phrases, or None) and a labelled document each; consumed once.
        protocol: a name, or a protocol.
        kinds: kinds of gold; empty for those of the first documents.
        intervals: whether values have bootstrap intervals, or the number of samples.

    Raises:
        BadRecord: a prediction is paired with another document, or a document comes twice.
    """
    rules = protocol_of(protocol)
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
    """Return scores as text in the format ``to`` (``csv``, ``markdown``, ``latex``, ``html``), and the reports.

    Raises:
        MissingExtra: HTML needs matplotlib, which is not installed.
    """
    rules = tuple(map(protocol_of, protocols))
    reports = _reports(run, rules, gold, form, intervals)
    return publish_reports(reports, rules, Publication(to)), tuple(report for report, _ in reports)


def explain_difference(
    run: Run | str | Path,
    first: str | Protocol,
    second: str | Protocol,
    gold: str | Path | Labelled | None = None,
    form: str | None = None,
) -> Explanation:
    """Explain, rule by rule, why a run's scores under two protocols differ: see ``evaluation.scoring.explaining``.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl")
    >>> kw.explain_difference(run, "keywright-1", "kpg").steps[0].rule
    'normalise'

    Raises:
        BadParameter: the protocols report no value in common.
    """
    judged = functools.cache(lambda marks: judge(run, gold, dataset, form, marks))
    return explain(protocol_of(first), protocol_of(second), lambda protocol: judged(protocol.marks).report(protocol))


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
    """Compare runs under a protocol: differences with intervals and paired tests.

    >>> import keywright as kw
    >>> runs = {name: kw.run(name, "examples/abstracts.jsonl") for name in ("kpminer", "tfidf")}
    >>> kw.compare(runs, "keywright-1", resamples=100).test
    'ar100:12345'

    Args:
        runs: two or more, as for ``score``; by name, or in a sequence, where files are called by their names.
        protocol: a name, or a protocol.
        gold: a data set, or labelled documents; None takes the one that all runs name.
        form: format of the files; None recognises it.
        test: ``randomisation`` or ``bootstrap``; ``t`` or ``wilcoxon`` for means of document scores.
        resamples: number of samples of bootstrap and randomisation.
        seed: of the samples.

    Raises:
        UnreadableInput: a file is missing, of unknown format, broken, or belongs to other documents.
        BadParameter: fewer than two runs, two of one name, runs over different documents, or a test that applies to
            none of the protocol's values.
    """
    rules, resampling = protocol_of(protocol), Resampling(resamples, seed)
    labelled = gold if gold is None or isinstance(gold, (str, Path)) else tuple(gold)
    load = functools.cache(lambda name: tuple(dataset(name)))
    reports, categories = {}, {}
    for name, run in compared_names(runs).items():
        ((report, judged),) = scored(run, (rules,), labelled, load, form)
        categories = categories_of(judged.labelled)
        reports[name] = with_intervals(report, rules, resampling, categories)
    return compare_reports(reports, rules, resampling, paired_test(test), categories)


def compared_documents(comparison: Comparison) -> tuple[DocumentScores, ...]:
    """Return the scores of each document, run beside run."""
    return tuple(document_rows(comparison))


def _reports(
    run: Run | str | Path,
    protocols: tuple[Protocol, ...],
    gold: str | Path | Labelled | None,
    form: str | None,
    intervals: bool | int,  # noqa: FBT001 - as for score_all
) -> tuple[tuple[Report, Judged], ...]:
    resampling = _resampling(intervals)
    reports = []
    for protocol, (report, judged) in zip(protocols, scored(run, protocols, gold, dataset, form), strict=True):
        if resampling:
            report = with_intervals(report, protocol, resampling, categories_of(judged.labelled))  # noqa: PLW2901
        reports.append((report, judged))
    return tuple(reports)


def _resampling(intervals: int) -> Resampling | None:
    """Return as many samples as asked for; None for False."""
    return Resampling(SAMPLES if intervals is True else intervals) if intervals else None
