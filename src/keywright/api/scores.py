"""Scores of predictions from files or memory, under one protocol or several."""

import functools
from collections.abc import Callable, Iterable
from typing import Any, overload

from keywright.api.file_scores import large_file_reports
from keywright.api.inputs import dataset, renamed
from keywright.api.protocol_inputs import Measures, protocols_of
from keywright.catalogue import PROTOCOLS
from keywright.core.errors import BadParameter
from keywright.datasets.card import card_names
from keywright.evaluation.measures.measure import Measure
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.run_formats.file_layout import Layout
from keywright.evaluation.run_formats.pairing import GoldLike, Judged, RunLike, scored
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import SAMPLES, Resampling, categories_of
from keywright.evaluation.statistics.significance import with_intervals


def protocol_first_or_last(verb: Callable[..., Report]) -> Callable[..., Report]:
    """Return the verb so that it also takes the protocol before the gold: ``score(run, "kpg", "inspec/test")``.

    A single argument after the predictions is the protocol. A list of measures may follow it without gold.
    """

    @functools.wraps(verb)
    def call(predictions: Any, *arguments: Any, **keywords: Any) -> Report:
        if len(arguments) == 1 and "protocol" not in keywords and isinstance(arguments[0], str | Protocol):
            keywords["protocol"] = arguments[0]
            arguments = ()
        elif len(arguments) > 1 and _is_protocol(arguments[0]) and not _is_protocol(arguments[1]):
            gold, rest = (None, arguments[1:]) if _are_measures(arguments[1]) else (arguments[1], arguments[2:])
            arguments = (gold, arguments[0], *rest)
        return verb(predictions, *arguments, **keywords)

    return call


def _are_measures(value: Any) -> bool:
    """Return whether a value is a list of names of measures, which gold never is: that is a list of lists."""
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, str | Measure) for item in value)


def _is_protocol(value: Any) -> bool:
    """Return whether a value names a protocol; a name that data have as well counts as theirs."""
    if not isinstance(value, str):
        return isinstance(value, Protocol)
    return value in PROTOCOLS.names() and value not in card_names()


@overload
def score(
    predictions: RunLike,
    gold: GoldLike | None,
    protocol: str | Protocol,
    measures: Measures | None = None,
    form: str | None = None,
    *,
    id_field: str | None = None,
    phrases_field: str | None = None,
    separator: str | None = None,
    intervals: bool | int = True,
) -> Report: ...
@overload
def score(
    predictions: RunLike,
    protocol: str | Protocol,
    gold: GoldLike | None = None,
    measures: Measures | None = None,
    form: str | None = None,
    *,
    id_field: str | None = None,
    phrases_field: str | None = None,
    separator: str | None = None,
    intervals: bool | int = True,
) -> Report: ...
@renamed("run", "predictions")
@protocol_first_or_last
def score(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    predictions: RunLike,
    gold: GoldLike | None = None,
    protocol: str | Protocol | None = None,
    measures: Measures | None = None,
    form: str | None = None,
    *,
    id_field: str | None = None,
    phrases_field: str | None = None,
    separator: str | None = None,
    intervals: bool | int = True,
) -> Report:
    """Score predictions against gold under a protocol.

    >>> import keywright as kw
    >>> predictions = {"a": ["grid computing", "schedulers"], "b": ["tides"]}
    >>> gold = {"a": ["grid computing"], "b": ["tide", "gauges"]}
    >>> kw.score(predictions, gold, "keywright-1", intervals=False).values["gold/R@5"]
    0.6666666666666666
    >>> kw.score(predictions, gold, "keywright-1", ["P@1", "MAP"], intervals=False).values["gold/P@1"]
    1.0

    Args:
        predictions: lists of phrases for each document, best first (``[["a", "b"], ["c"]]``); a dict of such lists by
            id; a table of pandas, polars or pyarrow with ``id`` and ``keyphrase`` (and ``rank`` or ``score``), or with
            a column of lists ``keyphrases``; results of ``extract``; a run; or the name of a run's file, or of a file
            or folder of another tool (docs/reference/run-formats.md).
        gold: the name of a data set or file, labelled documents, or phrases like those of ``predictions``; a tuple in
            a list is one phrase with several accepted forms. None takes the gold that the run names or brings along.
        protocol: a name, or a protocol. It may come before the gold.
        measures: such as ``["F@3", "F@7", "P@1", "MAP"]``; None for those of the protocol.
        form: format of the file; None recognises it.
        id_field: key or column of the ids in a file with one row for each document; None recognises it.
        phrases_field: key or column of the phrases in such a file; None recognises it.
        separator: text between the phrases of one value in a file, such as ``","``; None recognises it.
        intervals: whether values have bootstrap intervals, or the number of samples.

    Raises:
        UnreadableInput: a file is missing or broken; phrases are not what is expected; or predictions and gold belong
            to different documents, which the message names.
        BadParameter: there is no protocol, no gold, no document, or no such measure under the protocol.
        NeedsUnmet: the protocol needs the documents' texts, and the gold has none.
        UnknownName: there is no such protocol or data set.
        MissingExtra: a table, and narwhals is not installed.
    """
    if protocol is None:
        hint = "name one, such as kw.score(predictions, gold, 'keywright-1'); `keywright protocols` lists all"
        raise BadParameter("there is no protocol", hint)
    layout = Layout(form, id_field, phrases_field, separator)
    return score_all(predictions, (protocol,), gold, layout, measures=measures, intervals=intervals)[0]


def score_all(
    predictions: RunLike,
    protocols: Iterable[str | Protocol],
    gold: GoldLike | None = None,
    form: str | Layout | None = None,
    *,
    measures: Measures | None = None,
    intervals: bool | int = True,
) -> tuple[Report, ...]:
    """Score predictions under several protocols, as ``score`` does; the gold is read once.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl")
    >>> [report.scored for report in kw.score_all(run, ["keywright-1", "kpg"], intervals=False)]
    [5, 5]
    """
    rules = protocols_of(protocols, measures)
    if reports := large_file_reports(predictions, rules, gold, form, resampling(intervals)):
        return reports
    return tuple(report for report, _ in judged_reports(predictions, rules, gold, form, intervals))


def judged_reports(
    predictions: RunLike,
    protocols: tuple[Protocol, ...],
    gold: GoldLike | None,
    form: str | Layout | None,
    intervals: bool | int,  # noqa: FBT001 - as for score_all
) -> tuple[tuple[Report, Judged], ...]:
    """Return the report under each protocol, with its predictions and gold."""
    samples = resampling(intervals)
    reports = []
    for protocol, (report, judged) in zip(protocols, scored(predictions, protocols, gold, dataset, form), strict=True):
        if samples:
            report = with_intervals(report, protocol, samples, categories_of(judged.labelled))  # noqa: PLW2901
        reports.append((report, judged))
    return tuple(reports)


def resampling(intervals: int) -> Resampling | None:
    """Return as many samples as asked for; None for False."""
    return Resampling(SAMPLES if intervals is True else intervals) if intervals else None
