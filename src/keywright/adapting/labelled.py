"""Fitting the default extractor to labelled documents, on top of what it knows, and measuring what that gains."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from keywright.adapting.gain import Gain, gain_of
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.gold import LabelledDocument
from keywright.core.interfaces import Analyser
from keywright.datasets.collection import DataSet
from keywright.datasets.training import TRAINING, usual_fingerprint
from keywright.systems.default import Default

LANGUAGE: Final = "en"
"""Of the trees that are gone on from."""


@dataclass(frozen=True, slots=True)
class Adapted:
    """An extractor fitted to labelled documents.

    Attributes:
        system: the fitted one.
        gain: what that changed on held-out documents.
        seen: collections in the data that the extractor had learnt from before.
        left_out: documents in languages that it has no trees for, by language.
    """

    system: Default
    gain: Gain
    seen: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know of the figures."""
        found = []
        if self.seen:
            names = ", ".join(self.seen)
            found.append(f"the shipped trees have learnt from {names}: what stands under 'before' is flattered")
        if self.left_out:
            names = ", ".join(f"{language} {count}" for language, count in self.left_out.items())
            found.append(f"documents in other languages were left out: {names}")
        return tuple(found)


def adapt_to_labelled(
    system: Default, data: DataSet, analyser: Analyser, progress: Callable[[int, int], None] | None = None
) -> Adapted:
    """The extractor fitted to a data set, with what that gained.

    Args:
        system: the default extractor, as it ships or adapted already.
        data: labelled documents.
        analyser: makes columns of them.
        progress: told how many documents are read, of how many.

    Raises:
        BadParameter: the gold is held out for reporting; or the documents, or those with gold that stands in them, are
            too few.
    """
    if data.held_out:
        raise BadParameter(f"the gold of {data.name} is for reporting only", "train on another split")
    left_out: Counter[str] = Counter()

    def known() -> Iterator[LabelledDocument[AnalysedDocument]]:
        total = len(data)
        for number, labelled in enumerate(data, start=1):
            document = analyser.analyse(labelled.document)
            if progress:
                progress(number, total)
            if (language := document.source.language) in {None, LANGUAGE}:
                yield LabelledDocument(document, labelled.gold)
            else:
                left_out[str(language)] += 1

    try:
        fitted, held_out = system.adapted(known())
    except BadParameter as error:
        if not left_out:
            raise
        other = sum(left_out.values())
        hint = f"{other} in other languages were left out; --language {LANGUAGE} takes all for {LANGUAGE}"
        raise BadParameter(error.message, hint) from error
    return Adapted(fitted, gain_of(held_out), seen_before(data), dict(left_out))


def seen_before(data: DataSet) -> tuple[str, ...]:
    """Collections that the shipped trees were trained on and that are in the data, by name or by fingerprint."""
    names = {data.name, *(f"{data.card.name}/{split.name}" for split in data.splits if data.card)}
    own = set(data.fingerprint.split(","))
    parts = dict.fromkeys(part.data for part in TRAINING)
    return tuple(part for part in parts if part in names or usual_fingerprint(part) in own)
