"""A fitted calibrator with its card and the phrases that it was fitted on, as one file of JSON; its system, and drift.

A calibrator, or a meta-ranker, is for the system that it was fitted on, by signature, but for the hash of a file of
answers. Versions need only be of one series, such as 0.1 of 0.1.3
(``docs/decisions/0017-calibrators-and-versions.md``).

Drift is whether phrases still look like those of calibration, by the population stability index: the sum of (p - q)
ln(p / q) over ranges of confidence, p being the share of new phrases in a range and q that of the phrases of
calibration, a tenth of each class. From .25 on the two are taken to be different (Siddiqi 2006: Credit risk
scorecards). The average effect of chance, (ranges - 1) (1 / new + 1 / old), is subtracted (Yurdakul 2018: Statistical
properties of population stability index); fewer than twenty documents are not judged. A system that is right less often
at the same confidences is not detected.
"""

import itertools
import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeVar

import numpy as np

from keywright.calibration.calibrators.model import ProbabilityModel, find_equal_mass_edges, find_method
from keywright.calibration.calibrators.parametric import RankTransform
from keywright.calibration.phrases import JudgedPhrases, PhraseFeatures
from keywright.core.arrays import Bools, Floats
from keywright.core.choices import Confidence
from keywright.core.errors import BadParameter
from keywright.core.json_values import check_object, decode, encode
from keywright.core.saving import read_sealed, seal_record, write_sealed
from keywright.reading.limits import Limits

KIND: Final = "calibrator"
DIGITS: Final = 6  # decimals of the probabilities in a file; arbitrary
_HUGE: Final = 1e100  # no number of a fit comes near this; sums of products of larger ones may overflow
_CLASSES: Final = 2  # present and absent
_COMMAND: Final = "keywright calibrate RUN --gold DATASET -o FILE"
_VERSION: Final = re.compile(r"\|v((\d+\.\d+)[^|()]*)$")
_FILE: Final = "|sha256:"
LIMIT: Final = 0.25  # index above chance from which on a warning is due; the custom
MIN_DOCUMENTS: Final = 20  # documents below which there is no warning; arbitrary
WINDOW: Final = 200
"""Last documents of a stream that are judged; among all earlier ones a change would stay hidden for long. Arbitrary."""
_ADDED: Final = 0.5  # phrases added to each range, so that an empty one has a logarithm; the continuity correction


class _Identity(NamedTuple):
    """Parts of a signature."""

    name: str
    fields: dict[str, str]
    version: str  # empty where there is none, as the series
    series: str

    def of_another_series(self, other: "_Identity") -> bool:
        return bool(self.series and other.series) and self.series != other.series


def is_same_system(first: str, second: str) -> bool:
    """Return whether two signatures are of one system."""
    ours, theirs = _parse_identity(first), _parse_identity(second)
    return (ours.name, ours.fields) == (theirs.name, theirs.fields) and not ours.of_another_series(theirs)


def check_same_system(fitted: str, signature: str, subject: str) -> None:
    """Check that a system is the one that a calibrator was fitted for; the message says what differs."""
    ours, theirs = _parse_identity(fitted), _parse_identity(signature)
    hint = "calibrate a run of this very system: keywright calibrate RUN --gold DATASET"
    if ours.name != theirs.name:
        raise BadParameter(f"the calibrator was fitted for {ours.name}, and {subject} {theirs.name}", hint)
    different = [name for name in {**ours.fields, **theirs.fields} if ours.fields.get(name) != theirs.fields.get(name)]
    if different:
        wanted, actual = (
            ", ".join(f"{name}:{identity.fields.get(name, 'nothing')}" for name in different)
            for identity in (ours, theirs)
        )
        message = f"the calibrator was fitted for {ours.name} with {wanted}, and {subject} {theirs.name} with {actual}"
        raise BadParameter(message, hint)
    if ours.of_another_series(theirs):
        message = f"the calibrator was fitted for {ours.name} of keywright {ours.version}, and {subject} of"
        hint = "releases other than patches may change scores; make the run again, and calibrate again"
        raise BadParameter(f"{message} {theirs.version}", hint)


def remove_version(signature: str) -> str:
    """Return a signature without its version."""
    return _VERSION.sub("", signature)


def _parse_identity(signature: str) -> _Identity:
    version = _VERSION.search(signature)
    bare = remove_version(signature).partition(_FILE)[0]
    bars, depth = [-1], 0  # bars between parts are those outside of brackets
    for place, sign in enumerate(bare):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth <= 0:
            bars.append(place)
    name, *parts = (bare[start + 1 : end] for start, end in itertools.pairwise([*bars, len(bare)]))
    fields = dict(part.partition(":")[::2] for part in parts)
    return _Identity(name, fields, *(version.groups() if version else ("", "")))


Values = TypeVar("Values")


@dataclass(frozen=True, slots=True)
class Reference:
    """Numbers of phrases of calibration in each range of confidence."""

    present_edges: tuple[float, ...]  # where ranges end, rising; an edge belongs to the upper range
    absent_edges: tuple[float, ...]
    counts: tuple[int, ...]  # present phrases in their ranges, then absent ones in theirs

    def __post_init__(self) -> None:
        rising = all(np.all(np.diff(edges) > 0) for edges in (self.present_edges, self.absent_edges))
        if not rising or len(self.counts) != len(self.present_edges) + len(self.absent_edges) + 2:
            raise BadParameter(f"{len(self.counts)} counts of ranges", "expected rising edges, and one count per range")

    @classmethod
    def from_phrases(cls, confidence: Floats, present: Bools) -> Self:
        """Return ranges with a tenth of the phrases each; confidence and class are (phrases,)."""
        of_present, of_absent = (tuple(find_equal_mass_edges(confidence[row]).tolist()) for row in (present, ~present))
        empty = cls(of_present, of_absent, (0,) * (len(of_present) + len(of_absent) + 2))
        return replace(empty, counts=empty.profile(confidence, present))

    def profile(self, confidence: Floats, present: Bools) -> tuple[int, ...]:
        """Return the number of phrases in each range, (ranges,)."""
        counts: list[int] = []
        for edges, rows in ((self.present_edges, present), (self.absent_edges, ~present)):
            range_of = np.searchsorted(np.array(edges), confidence[rows], side="right")
            counts += np.bincount(range_of, minlength=len(edges) + 1).tolist()
        return tuple(counts)

    def instability(self, counts: Sequence[int]) -> float:
        """Return the index of new phrases by their counts in the ranges: 0 if shares are equal, without upper bound."""
        old, new = (np.asarray(column, float) + _ADDED for column in (self.counts, counts))
        p, q = new / new.sum(), old / old.sum()
        return float(((p - q) * np.log(p / q)).sum())

    def chance(self, counts: Sequence[int]) -> float:
        """Return the mean index of so many new phrases, at least one, if nothing has changed."""
        ranges = sum(old + new > 0 for old, new in zip(self.counts, counts, strict=True))
        return (ranges - 1) * (1 / sum(counts) + 1 / max(1, sum(self.counts)))


@dataclass(slots=True)
class DriftMonitor:
    """Counts the phrases of a stream of documents, and warns once."""

    reference: Reference
    window: int | None = None  # number of last documents that count; None for all
    counts: list[int] = field(default_factory=list)  # their phrases in each range
    warned: bool = False
    profiles: deque[Sequence[int]] = field(default_factory=deque)  # one for each document that counts

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warning if it is due, else nothing."""
        stability = self.as_json()
        if stability is None or stability["index"] - stability["chance"] < LIMIT:
            return ()
        warning = (
            f"scores no longer look like those of calibration: population stability index {stability['index']:.2f} over"
            f" {len(self.profiles)} documents, {stability['chance']:.2f} of it chance, {LIMIT} above that is the limit;"
            " calibrate again on documents like these"
        )
        return (warning,)

    def as_json(self) -> dict[str, float] | None:
        """Return index, chance, limit and documents; None for too few documents, or documents without phrases."""
        documents = len(self.profiles)
        if documents < MIN_DOCUMENTS or not sum(self.counts):
            return None
        index, chance = self.reference.instability(self.counts), self.reference.chance(self.counts)
        return {"index": index, "chance": chance, "limit": LIMIT, "documents": documents}

    def add(self, profile: Sequence[int]) -> str | None:
        """Count one more document by its profile; return the warning, the first time that it is due."""
        if len(profile) != len(self.reference.counts):
            message = f"a profile of {len(profile)} ranges, where the calibrator has {len(self.reference.counts)}"
            raise BadParameter(message, "expected a prediction that was made with this calibrator")
        full = self.window is not None and len(self.profiles) >= self.window
        oldest = self.profiles.popleft() if full else (0,) * len(profile)
        self.profiles.append(profile)
        before = self.counts or [0] * len(profile)
        self.counts = [old + new - less for old, new, less in zip(before, profile, oldest, strict=True)]
        warning = None if self.warned else next(iter(self.warnings), None)
        self.warned = self.warned or warning is not None
        return warning


def monitor_profiles(reference: Reference, profiles: Iterable[Sequence[int]]) -> DriftMonitor:
    """Return a monitor that has counted all documents of a run by their profiles, without warning."""
    monitor = DriftMonitor(reference, warned=True)
    for profile in profiles:
        monitor.add(profile)
    return monitor


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a calibrator: what it is for, and what it was fitted on."""

    method: str  # one of ``METHODS``
    confidence: str  # confidence that it takes from phrases, one of ``Confidence``
    depth: int  # phrases of a list that it compares a phrase with
    system: str  # signature of the system that it is for
    data: str  # signature of the labelled documents, or their name
    protocol: str  # signature of the rules by which phrases were right
    documents: int  # numbers of documents, of phrases, and of correct ones
    phrases: int
    correct: int
    date: str  # day of the fit, as in ISO 8601
    keywright: str  # version that fitted it


@dataclass(frozen=True, slots=True, eq=False)
class Calibrator:
    """A map from phrases of one system to probabilities."""

    card: Card
    model: ProbabilityModel
    reference: Reference  # distribution of the confidences of calibration, for ``drift``
    held_out: JudgedPhrases  # phrases of calibration, each with its cross-fitted probability as confidence

    def profile(self, features: PhraseFeatures) -> tuple[int, ...]:
        """Return the number of phrases in each range of confidence, (ranges,): see ``drift``."""
        return self.reference.profile(self.model.confidence(features), features.present)

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; ``sha256`` on the card is that of all the rest."""
        model = {"placing": self.model.rank_transform, "map": self.model.map}
        columns = _Columns.from_phrases(self.held_out)
        parts = {"card": self.card, "model": model, "reference": self.reference, "held_out": columns}
        return seal_record(KIND, encode(parts))

    @property
    def fingerprint(self) -> str:
        """First digits of the hash, for signatures."""
        return str(self.as_json()["card"]["sha256"])[:8]

    def write(self, path: Path) -> None:
        """Write the calibrator to a file of JSON, atomically; ``BadParameter`` where it cannot be written."""
        write_sealed(self.as_json(), path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return a calibrator from its file.

        Raises MissingData: no such file; BrokenFile: damaged, or something else; TooLarge: too many bytes.
        """
        return read_sealed(path, KIND, cls._parsed, _COMMAND, Limits().check_file)

    @classmethod
    def _parsed(cls, record: Mapping[str, Any]) -> Self:
        """Return the calibrator of a record; values that no fit gives are refused, since the file is not trusted."""
        card: Card = decode(Card, record["card"], "card")
        Confidence(card.confidence)
        if not card.depth or not card.system.isprintable():
            raise ValueError(f"a card with depth {card.depth} and system {card.system!r:.60}")
        model = check_object(record["model"])
        reference: Reference = decode(Reference, record["reference"], "reference")
        rank_transform = None if model["placing"] is None else _parse_part(RankTransform, model["placing"])
        if (rank_transform is not None) != (card.confidence == Confidence.SCORE):
            raise ValueError(f"placing belongs to scores, and the confidence is {card.confidence}")
        held_out = decode(_Columns, record["held_out"], "held_out").to_phrases()
        sizes = len(held_out.ids), len(held_out), int(held_out.correct.sum())
        if sizes != (card.documents, card.phrases, card.correct) or sum(reference.counts) != card.phrases:
            message = f"numbers of documents, phrases and correct phrases are {sizes}, which is not what the card has"
            raise ValueError(message)
        fitted = ProbabilityModel(rank_transform, _parse_part(find_method(card.method), model["map"]))
        return cls(card, fitted, reference, held_out)


def _parse_part(kind: type[Values], record: Any) -> Values:
    """Return a part whose fields all are tuples of numbers."""
    part: Values = decode(kind, record, "model")
    values = [value for each in fields(kind) for value in getattr(part, each.name)]  # type: ignore[arg-type]  # kinds are dataclasses
    if huge := [value for value in values if abs(value) > _HUGE]:
        raise ValueError(f"a number as large as {huge[0]:g}, which no fit gives")
    return part


@dataclass(frozen=True, slots=True)
class _Columns:
    """Judged phrases in a file; truth values are 0 and 1, which is shorter."""

    ids: tuple[str, ...]
    document: tuple[int, ...]
    rank: tuple[int, ...]
    probability: tuple[float, ...]
    correct: tuple[int, ...]
    present: tuple[int, ...]
    words: tuple[int, ...]
    gold: tuple[tuple[int, ...], ...]

    @classmethod
    def from_phrases(cls, judged: JudgedPhrases) -> Self:
        """Return the columns of phrases."""
        truths = (column.astype(int) for column in (judged.correct, judged.present))
        columns = judged.document, judged.rank, np.round(judged.confidence, DIGITS), *truths, judged.words, judged.gold
        return cls(judged.ids, *(column.tolist() for column in columns))

    def to_phrases(self) -> JudgedPhrases:
        """Return the phrases; ``ValueError`` for values that no run gives."""
        if len(set(self.ids)) < len(self.ids):
            raise ValueError("a document is listed twice")
        if len(self.gold) != len(self.ids) or any(len(pair) != _CLASSES for pair in self.gold):
            raise ValueError(f"{len(self.gold)} numbers of gold for {len(self.ids)} documents, expected two for each")
        if not all(0 <= probability <= 1 for probability in self.probability):
            raise ValueError("a probability is not between 0 and 1")
        for name, column in (("correct", self.correct), ("present", self.present)):
            if (most := max(column, default=0)) > 1:
                raise ValueError(f"{name} has {most}, expected at most 1")
        document, rank, words = (np.array(column, np.int64) for column in (self.document, self.rank, self.words))
        correct, present = (np.array(column, dtype=bool) for column in (self.correct, self.present))
        gold = np.array(self.gold, np.int64).reshape(len(self.ids), _CLASSES)
        return JudgedPhrases(self.ids, document, rank, np.array(self.probability, float), correct, present, words, gold)
