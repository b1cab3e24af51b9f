"""Scores of predictions from files or memory, under one protocol or several."""

import functools
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np

from keywright.api.inputs import dataset
from keywright.catalogue import PROTOCOLS
from keywright.core.arrays import Floats, to_units
from keywright.core.errors import BadParameter, KeywrightError, UnknownName
from keywright.core.predictions import Run
from keywright.datasets.card import card_names
from keywright.evaluation.measures.counts import LONG_NAMES, Measure, measure, parse_measures, suggest_measure
from keywright.evaluation.measures.semantic import SemanticMatching
from keywright.evaluation.protocol import Protocol, with_measures
from keywright.evaluation.run_formats.format import Layout, Source, layout_of
from keywright.evaluation.run_formats.pairing import GoldLike, PairedRun, RunLike, score_pairs, stream_files
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.statistics.bootstrap import SAMPLES, Resampling, list_categories
from keywright.evaluation.statistics.significance import add_intervals
from keywright.reading.limits import Limits
from keywright.text.user_encoders import EncoderLike, make_encoder

Measures: TypeAlias = str | Iterable[str | Measure]  # measures such as ``F@5``, in a list or between commas
RECOMMENDED: Final = "keywright-1"  # the protocol to use where no published number has to be matched
USUAL: Final = MappingProxyType(
    {
        "semeval2010": "semeval2010",
        **dict.fromkeys(
            ("inspec", "kp20k_small", "krapivin2009", "krapivin_abstracts", "nus", "semeval2010_abstracts"), "kpg"
        ),
    }
)
"""The protocol of most papers that report on a collection; ``RECOMMENDED`` for others."""
_EXAMPLES: Final = 5  # protocols that a hint names; arbitrary
_LONGEST_HEADER: Final = 1 << 16  # bytes of a run's header, which names its data; arbitrary


def protocol_of(protocol: str | Protocol, measures: Measures | None = None) -> Protocol:
    """Return a protocol from its name, a protocol unchanged; with other measures if there are any."""
    by_name: Protocol = protocol if isinstance(protocol, Protocol) else _find_protocol(protocol)
    return by_name if measures is None else with_measures(by_name, parse_measures(measures))


def protocols_of(protocols: Iterable[str | Protocol], measures: Measures | None = None) -> tuple[Protocol, ...]:
    """Return several protocols, all with the same measures; raises as ``protocol_of`` does."""
    chosen = None if measures is None else parse_measures(measures)  # an iterator is consumed once
    return tuple(protocol_of(protocol, chosen) for protocol in protocols)


def with_encoder(protocol: str | Protocol, encoder: EncoderLike) -> Protocol:
    """Return a protocol whose semantic measures are by another encoder; ``BadParameter`` if it has none.

    ``encoder``: ``minilm``, the folder or address of a model, or a function from texts to vectors.
    """
    chosen, encode = protocol_of(protocol), make_encoder(encoder)
    means = tuple(
        replace(family, of=replace(family.of, encode=encode)) if isinstance(family.of, SemanticMatching) else family
        for family in chosen.means
    )
    if not any(isinstance(family.of, SemanticMatching) for family in means):
        raise BadParameter(f"an encoder for {chosen.name}", "only keywright-1-semantic and -kpeval compare meanings")
    return replace(chosen, means=means)


def embed(texts: str | Iterable[str], encoder: EncoderLike = "minilm") -> Floats:
    """Return embeddings of texts, such as documents or their keyphrases, of length 1, (texts, dimensions).

    >>> import keywright as kw
    >>> vectors = kw.embed(["tide gauge", "sea level", "tax law"])
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    True

    Args:
        texts: a text alone is a list of one; a text longer than the encoder reads has the mean of its parts.
        encoder: ``minilm`` (English), the folder or address of a model, or a function from texts to vectors.

    Raises:
        MissingExtra: an extra that the encoder needs, such as ``embed``, is not installed.
        BadParameter: the encoder gives vectors of another shape, or that are not finite.
    """
    return to_units(np.asarray(make_encoder(encoder)([texts] if isinstance(texts, str) else list(texts)), np.float64))


def choose_usual(run: RunLike, gold: GoldLike | None) -> tuple[str, str]:
    """Return the usual protocol for gold, or for the data that a run names, and a note that says so."""
    data: Any = gold
    if gold is None and isinstance(run, str | Path) and Path(run).is_file():
        with Path(run).open("rb") as stream:
            head = Source(Path(run).name, stream.readline(_LONGEST_HEADER))
        data = head.first_record.get("data")
    data = getattr(run, "data", "") if gold is None and isinstance(run, Run) else data
    collection = data.partition("/")[0] if isinstance(data, str) else ""
    name = USUAL.get(collection, RECOMMENDED)
    usual = f"the usual one for {collection}" if collection in USUAL else "the recommended one"
    return name, f"no protocol is named: {name} is used, {usual}; --protocol NAME, in Python protocol=, chooses another"


def _find_protocol(name: str) -> Protocol:
    """Return a protocol by name; the error for another name knows measures and families of protocols."""
    if not isinstance(name, str):
        expected = "expected a name, such as 'keywright-1', or a protocol"
        raise BadParameter(f"a value of type {type(name).__name__} is not a protocol", expected)
    try:
        protocol: Protocol = PROTOCOLS.find(name)
    except UnknownName as error:
        related = [other for other in PROTOCOLS.names() if name and name.casefold() in other][:_EXAMPLES]
        if "".join(filter(str.isalnum, name.casefold().partition("@")[0])) in LONG_NAMES:
            hint = f"{_measure_hint(suggest_measure(name) or name)};"
        elif related:
            hint = f"did you mean {' or '.join(map(repr, related))}?"
        else:
            raise
        listing = f"`{PROTOCOLS.listing}` lists all {len(PROTOCOLS.names())}"
        raise UnknownName(error.message, f"{hint} {listing}") from None
    return protocol


def _measure_hint(name: str) -> str:
    """Return how to get a measure, and which protocols report it."""
    asked = measure(name)
    protocols = {name: PROTOCOLS.find(name) for name in PROTOCOLS.names()}
    able = RECOMMENDED
    for other in (other for other in protocols if other.startswith(RECOMMENDED)):
        with suppress(BadParameter):  # it cannot report the measure
            with_measures(protocols[other], (asked,))
            able = other
            break
    families = {
        name.partition("-")[0]: name
        for name, protocol in reversed(protocols.items())
        if any(asked.name == each.name for each in protocol.reported)
    }
    others = [name for name in families.values() if name != able]
    more = f" (also reported by {', '.join(others[:_EXAMPLES])})" if others else ""
    return (
        f"{asked.name} is a measure; a protocol says how phrases are compared: use --protocol {able} "
        f"--measures {asked}, in Python protocol={able!r}, measures=[{str(asked)!r}]{more}"
    )


def _accept_protocol_first(verb: Callable[..., Report]) -> Callable[..., Report]:
    """Return the verb so that it also takes ``score(run, "kpg", "inspec/test")``, or only the protocol."""

    @functools.wraps(verb)
    def call(predictions: Any, *arguments: Any, **keywords: Any) -> Report:
        first = arguments[0] if len(arguments) == 1 and "protocol" not in keywords else None
        is_gold = isinstance(first, str) and (first.partition("/")[0] in card_names() or Path(first).exists())
        if _is_protocol(first) or (isinstance(first, str) and not is_gold):
            keywords["protocol"] = arguments[0]
            arguments = ()
        elif len(arguments) > 1 and _is_protocol(arguments[0]) and not _is_protocol(arguments[1]):
            second = arguments[1]  # gold is never a list of texts, but of lists
            are_measures = isinstance(second, list | tuple) and all(isinstance(each, str | Measure) for each in second)
            gold, rest = (None, arguments[1:]) if are_measures and second else (second, arguments[2:])
            arguments = (gold, arguments[0], *rest)
        return verb(predictions, *arguments, **keywords)

    return call


def _is_protocol(value: Any) -> bool:
    """Return whether a value names a protocol; a name that data have as well counts as theirs."""
    if not isinstance(value, str):
        return isinstance(value, Protocol)
    return value in PROTOCOLS.names() and value not in card_names()


@_accept_protocol_first
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
        protocol: a name, or a protocol. It may come before the gold. None takes the usual one for the gold, as a
            warning of the report says.
        id_field: key or column of the ids in a file with one row for each document; None recognises it.
        phrases_field: key or column of the phrases in such a file; None recognises it.
        separator: text between the phrases of one value in a file, such as ``","``; None recognises it.

    Raises:
        UnreadableInput: phrases are not what is expected, or predictions and gold belong to different documents.
        NeedsUnmet: the protocol needs the documents' texts, and the gold has none.
    """
    layout = Layout(form, id_field, phrases_field, separator)
    return score_all(
        predictions, (protocol,) if protocol else (), gold, layout, measures=measures, intervals=intervals
    )[0]


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

    Without protocols, the usual one for the gold is used, and a warning names it.

    >>> import keywright as kw
    >>> run = kw.run("kpminer", "examples/abstracts.jsonl")
    >>> [report.scored for report in kw.score_all(run, ["keywright-1", "kpg"], intervals=False)]
    [5, 5]
    """
    protocols = tuple(protocols)
    notes: tuple[str, ...] = ()
    if not protocols:
        usual, note = choose_usual(predictions, gold)
        protocols, notes = (usual,), (note,)
    rules = protocols_of(protocols, measures)
    reports = _report_large_file(predictions, rules, gold, form, make_resampling(intervals))
    if reports is None:
        reports = tuple(report for report, _ in report_judged(predictions, rules, gold, form, intervals))
    return tuple(replace(report, warnings=notes + report.warnings) for report in reports) if notes else reports


def _report_large_file(
    run: RunLike,
    protocols: tuple[Protocol, ...],
    gold: GoldLike | None,
    form: str | Layout | None,
    samples: Resampling | None,
) -> tuple[Report, ...] | None:
    """Return the report of a large run file under each protocol, read as it is scored; None for others."""
    if not isinstance(run, str | Path) or not isinstance(gold, str | Path | None) or layout_of(form) != Layout():
        return None
    try:
        files = stream_files(Path(run), gold, dataset)
        if files is None:
            return None
        reports = [(files.report(protocol), protocol) for protocol in protocols]
        return tuple(add_intervals(*each, samples) if samples else each[0] for each in reports)
    except KeywrightError:
        if Path(run).stat().st_size > Limits().file_bytes:
            raise
        return None


def report_judged(
    predictions: RunLike,
    protocols: tuple[Protocol, ...],
    gold: GoldLike | None,
    form: str | Layout | None,
    intervals: bool | int,  # noqa: FBT001 - as for score_all
) -> tuple[tuple[Report, PairedRun], ...]:
    """Return the report under each protocol, with its predictions and gold."""
    samples, scored = make_resampling(intervals), score_pairs(predictions, protocols, gold, dataset, form)
    return tuple(
        (add_intervals(report, rules, samples, list_categories(judged.labelled)) if samples else report, judged)
        for rules, (report, judged) in zip(protocols, scored, strict=True)
    )


def make_resampling(intervals: int) -> Resampling | None:
    """Return as many samples as asked for; None for False."""
    return Resampling(SAMPLES if intervals is True else intervals) if intervals else None
