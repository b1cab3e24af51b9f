"""Differences between runs and between protocols, and scores as text for publication."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from keywright.api.inputs import dataset
from keywright.api.scores import Measures, choose_usual, make_resampling, protocol_of, protocols_of, report_judged
from keywright.core.choices import PairedTest
from keywright.core.errors import BadParameter
from keywright.core.predictions import Run
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.publishing.writing import Publication
from keywright.evaluation.publishing.writing import publish as publish_reports
from keywright.evaluation.run_formats.format import Layout
from keywright.evaluation.run_formats.in_memory import gold_in_memory
from keywright.evaluation.run_formats.pairing import GoldLike, RunLike, pair_with_gold, score_pairs
from keywright.evaluation.scoring.report import Explanation, Report, explain
from keywright.evaluation.scoring.scorer import Pair
from keywright.evaluation.scoring.scorer import score_stream as stream_scores
from keywright.evaluation.statistics.bootstrap import SAMPLES, SEED, Resampling, list_categories
from keywright.evaluation.statistics.comparison import Comparison, name_runs, parse_test
from keywright.evaluation.statistics.comparison import compare as compare_reports
from keywright.evaluation.statistics.significance import add_intervals


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
        kinds: kinds of gold; empty for those of the first documents.

    Raises:
        BadRecord: a prediction is paired with another document, or a document comes twice.
    """
    rules = protocol_of(protocol)
    report = stream_scores(pairs, rules, kinds)
    samples = make_resampling(intervals)
    return add_intervals(report, rules, samples) if samples else report


def publish(
    run: RunLike, protocols: Iterable[str | Protocol], to: str, gold: GoldLike | None, form: Layout, **how: Any
) -> tuple[str, tuple[Report, ...]]:
    """Return scores as text in the format ``to`` (``csv``, ``markdown``, ``latex``, ``html``), and the reports.

    ``how``: ``measures`` and ``intervals``, as for ``score_all``.
    """
    protocols = tuple(protocols)
    usual, note = choose_usual(run, gold)
    rules = protocols_of(protocols or (usual,), how.get("measures"))
    reports = report_judged(run, rules, gold, form, how.get("intervals", True))
    warnings = () if protocols else (note,)
    listed = tuple(replace(report, warnings=(*warnings, *report.warnings)) for report, _ in reports)
    return publish_reports(reports, rules, Publication(to)), listed


def explain_difference(
    run: RunLike,
    first: str | Protocol,
    second: str | Protocol,
    gold: GoldLike | None = None,
    form: str | Layout | None = None,
) -> Explanation:
    """Explain, rule by rule, why a run's scores under two protocols differ: see ``evaluation.scoring.report``.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl")
    >>> kw.explain_difference(run, "keywright-1", "kpg").steps[0].rule
    'normalise'

    Raises:
        BadParameter: the protocols report no value in common.
    """
    judged = functools.cache(lambda marks: pair_with_gold(run, gold, dataset, form, marks))
    return explain(protocol_of(first), protocol_of(second), lambda protocol: judged(protocol.marks).report(protocol))


def compare(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    runs: Mapping[str, Run | str | Path] | Sequence[Run | str | Path],
    protocol: str | Protocol | None = None,
    gold: GoldLike | None = None,
    form: str | Layout | Sequence[str | Layout | None] | None = None,
    *,
    measures: Measures | None = None,
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
        runs: two or more over the same documents, by name, or in a sequence, where files are called by their names.
        protocol: a name, or a protocol; None takes the usual one for the gold.
        form: format and fields of all files, or one of them for each run.
        test: ``randomisation`` or ``bootstrap``; ``t`` or ``wilcoxon`` for means of document scores.
        resamples: number of samples of bootstrap and randomisation.
    """
    named = name_runs(runs)
    notes: list[str] = []
    if protocol is None:
        protocol, *notes = choose_usual(next(iter(named.values()), ""), gold)
    forms = [form] * len(named) if isinstance(form, str | Layout | None) else list(form)
    if len(forms) != len(named):
        raise BadParameter(f"{len(forms)} formats for {len(named)} runs", "expected one format, or one for each run")
    rules, samples = protocol_of(protocol, measures), Resampling(resamples, seed)
    if not isinstance(gold, str | Path | None):
        gold = gold_in_memory(gold)
    load = functools.cache(lambda name: tuple(dataset(name)))
    reports, categories = {}, {}
    for (name, run), each in zip(named.items(), forms, strict=True):
        ((report, judged),) = score_pairs(run, (rules,), gold, load, each)
        categories = list_categories(judged.labelled)
        report = replace(report, warnings=(*notes, *report.warnings))
        reports[name] = add_intervals(report, rules, samples, categories)
    return compare_reports(reports, rules, samples, parse_test(test), categories)
