"""Scores of runs, and what differs between them."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from keywright.api.labelled import dataset, protocol_of
from keywright.core.runs import Run
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing.writing import Publication
from keywright.evaluation.publishing.writing import publish as publish_reports
from keywright.evaluation.run_formats.pairing import Judged, Labelled, judge, scored
from keywright.evaluation.scoring.explaining import Explanation, explain
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.streaming import Pair
from keywright.evaluation.scoring.streaming import score_stream as stream_scores
from keywright.evaluation.statistics.bootstrap import SAMPLES, SEED, Resampling, categories_of
from keywright.evaluation.statistics.comparison import Comparison, PairedTest, compared_names, paired_test
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
    return tuple(report for report, _ in _judged(run, tuple(map(protocol_of, protocols)), gold, form, intervals))


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
    """Scores as text in the format ``to`` (``csv``, ``markdown``, ``latex``, ``html``), and the reports themselves.

    Raises:
        MissingExtra: HTML needs matplotlib, which is not installed.
    """
    rules = tuple(map(protocol_of, protocols))
    found = _judged(run, rules, gold, form, intervals)
    return publish_reports(found, rules, Publication(to)), tuple(report for report, _ in found)


def explain_difference(
    run: Run | str | Path,
    first: str | Protocol,
    second: str | Protocol,
    gold: str | Path | Labelled | None = None,
    form: str | None = None,
) -> Explanation:
    """Which rules make a run's scores under two protocols differ, one at a time: see ``evaluation.scoring.explaining``.

    Raises:
        BadParameter: the protocols report no value in common.
    """
    given = functools.cache(lambda marks: judge(run, gold, dataset, form, marks))
    return explain(protocol_of(first), protocol_of(second), lambda one: given(one.marks).report(one))


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
    rules, resampling = protocol_of(protocol), Resampling(resamples, seed)
    given = gold if gold is None or isinstance(gold, (str, Path)) else tuple(gold)
    load = functools.cache(lambda name: tuple(dataset(name)))
    reports, categories = {}, {}
    for name, run in compared_names(runs).items():
        ((report, judged),) = scored(run, (rules,), given, load, form)
        categories = categories_of(judged.labelled)
        reports[name] = with_intervals(report, rules, resampling, categories)
    return compare_reports(reports, rules, resampling, paired_test(test), categories)


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
