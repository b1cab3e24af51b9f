"""Promises of every protocol, on a hundred artificial documents whose phrases no normalisation changes or merges."""

import dataclasses
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from keywright.core.errors import PartlyDone
from keywright.evaluation.answers import GoldDocument, GoldSet
from keywright.evaluation.measures.counts import NAMES
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.report import Report
from keywright.evaluation.scoring.scorer import score
from keywright.testing.promises import check_signature, copy_pickled, equal, require

_NAMES: Final = tuple(f"d{number}" for number in range(100))  # as many as a divisor of some published scorers
_GOLD_PHRASES: Final = 4  # phrases per document, arbitrary
_SYLLABLES: Final = ("ba", "ko", "mu", "ta", "lo", "gu", "pa", "zo", "nu", "ka")  # no stemmer touches a, o and u

Lists: TypeAlias = Mapping[str, tuple[str, ...]]
Promise: TypeAlias = Callable[[Protocol], None]


def is_described(protocol: Protocol) -> None:
    """Check that its signature names every rule, is stable, and changes with the name."""
    check_signature(protocol, dataclasses.replace(protocol))
    rules = [field.name for field in dataclasses.fields(protocol) if field.name != "name"]
    silent = [rule for rule in rules if f"|{rule}:" not in protocol.signature]
    require(not silent, protocol, "its signature names every rule", silent)
    derived = dataclasses.replace(protocol, name=f"{protocol.name}-derived").signature
    require(derived != protocol.signature, protocol, "another name is another signature", derived)


def reports_its_measures(protocol: Protocol) -> None:
    """Check that a report has one value for each kind of gold, average and measure, and names its protocol."""
    report = _score_lists(protocol, _make_lists(right=2))
    kinds = _list_kinds(protocol)
    cut = [measure for measure in protocol.measures if measure.k is not None]
    means = [measure for family in protocol.means for measure in family.measures]
    expected = len(kinds) * (len(protocol.average) * len(cut) + len(means))
    require(len(report.values) == expected, protocol, f"a report has {expected} values", sorted(report.values))
    require(report.protocol == protocol.signature, protocol, "a report names its protocol", report.protocol)
    require(report.scored == len(_NAMES), protocol, "every document is scored", report.scored)


def gives_fractions(protocol: Protocol) -> None:
    """Check that values are in 0 to 1 for lists without repeats, and 0 without hits where hits are rewarded."""
    for right in range(1, _GOLD_PHRASES + 1):
        values = _score_lists(protocol, _make_lists(right)).values
        odd = {name: value for name, value in values.items() if not (math.isfinite(value) and 0 <= value <= 1)}
        require(not odd, protocol, "values are fractions from 0 to 1", odd)
    try:
        nothing = _select_rewarding(_score_lists(protocol, _make_lists(right=0)), protocol)
    except PartlyDone:  # the reference fails with a division by 0, and the protocol reproduces that
        return
    require(not any(nothing.values()), protocol, "lists without a hit give 0", nothing)


def rewards_what_is_right(protocol: Protocol) -> None:
    """Check that one more hit, at the next rank, lowers no value of a measure that rewards hits, and raises one."""
    values = [
        _select_rewarding(_score_lists(protocol, _make_lists(right)), protocol) for right in range(1, _GOLD_PHRASES + 1)
    ]
    for worse, better in itertools.pairwise(values):
        lowered = {name: (worse[name], better[name]) for name in worse if better[name] < worse[name]}
        require(not lowered, protocol, "a hit more lowers no value", lowered)
        require(better != worse, protocol, "a hit more raises a value", better)


def knows_a_perfect_answer(protocol: Protocol) -> None:
    """Check that with all gold at the top, recall is 1 at every cutoff that reaches that far."""
    values = _score_lists(protocol, _make_lists(_GOLD_PHRASES)).values
    for kind in _list_kinds(protocol):
        for measure in protocol.measures:
            if measure.name == NAMES[1] and isinstance(measure.k, int) and measure.k >= _GOLD_PHRASES:
                recall = values[f"{kind}/{measure}"]
                require(recall == 1, protocol, f"all gold at the top gives {measure} of 1", recall)


def heeds_no_order(protocol: Protocol) -> None:
    """Check that the order of documents, in the gold or in the answers, changes nothing; nor does scoring twice."""
    lists = _make_lists(right=2)
    turned = {name: lists[name] for name in reversed(list(lists))}
    first, again, other = (_score_lists(protocol, answers) for answers in (lists, lists, turned))
    require(equal(first.values, again.values), protocol, "the same answers have the same values", again.values)
    require(equal(first.values, other.values), protocol, "the order of answers does not matter", other.values)
    gold = tuple(dataclasses.replace(gold, documents=gold.documents[::-1]) for gold in _make_gold(protocol))
    backwards = _score_lists(protocol, lists, gold).values
    require(equal(first.values, backwards), protocol, "the order of documents does not matter", backwards)


def travels(protocol: Protocol) -> None:
    """Check that it pickles into an equal protocol."""
    there = copy_pickled(protocol, protocol)
    require(there == protocol, protocol, "a pickled copy is equal", there)


PROTOCOL_PROMISES: Final[tuple[Promise, ...]] = (
    is_described, reports_its_measures, gives_fractions, rewards_what_is_right, knows_a_perfect_answer, heeds_no_order,
    travels,
)  # fmt: skip


def check_protocol(protocol: Protocol) -> None:
    """Check every promise of a protocol; the first that does not hold raises ``BrokenPromise``."""
    for promise in PROTOCOL_PROMISES:
        promise(protocol)


def _score_lists(protocol: Protocol, lists: Lists, gold: Sequence[GoldSet] = ()) -> Report:
    """Score ranked lists on the artificial collection, cut at the deepest numbered cutoff, which saves time."""
    deepest = max((measure.k for measure in protocol.reported if isinstance(measure.k, int)), default=2 * _GOLD_PHRASES)
    cut = {name: phrases[:deepest] for name, phrases in lists.items()}
    golds = {name: _make_phrases(number, "gold") for number, name in enumerate(_NAMES)}
    texts = {name: " - ".join(phrases[: _GOLD_PHRASES // 2]) for name, phrases in golds.items()}
    return score(cut, gold or _make_gold(protocol), protocol, texts)


def _list_kinds(protocol: Protocol) -> list[str]:
    golds = [gold.by for gold in _make_gold(protocol)]
    if not protocol.classes:
        return golds
    if len(golds) == 1:
        return [part.value for part in protocol.classes]
    return [f"{by}/{part}" for by in golds for part in protocol.classes]


def _select_rewarding(report: Report, protocol: Protocol) -> Mapping[str, float]:
    others = {str(measure) for family in protocol.means if not family.rewards for measure in family.measures}
    return {name: value for name, value in report.values.items() if name.rpartition("/")[2] not in others}


def _make_gold(protocol: Protocol) -> tuple[GoldSet, ...]:
    documents = tuple(
        GoldDocument(name, tuple((phrase,) for phrase in _make_phrases(number, "gold")))
        for number, name in enumerate(_NAMES)
    )
    return tuple(GoldSet(kind, documents) for kind in protocol.golds or ("author",))


def _make_lists(right: int) -> Lists:
    """Return ranked lists whose first ``right`` phrases are gold, and all others wrong."""
    return {
        name: _make_phrases(number, "gold")[:right] + _make_phrases(number, "else")
        for number, name in enumerate(_NAMES)
    }


def _make_phrases(number: int, what: str) -> tuple[str, ...]:
    """Return phrases of one document: four of gold, or a hundred without their words, each of two invented words."""
    tens, ones = divmod(number, len(_SYLLABLES))
    owner = _SYLLABLES[tens] + _SYLLABLES[ones]
    if what == "gold":
        return tuple(f"{owner} xa{_SYLLABLES[at]}" for at in range(_GOLD_PHRASES))
    return tuple(f"wo{owner} wo{a}{b}" for a in _SYLLABLES for b in _SYLLABLES)
