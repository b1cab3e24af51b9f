"""Trained generators as systems: a document in, ranked keyphrases with the probability of each token out."""

import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter, BrokenFile, NotFitted
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure
from keywright.neural.decoding.phrases import Decoding, Strategy, check_greedy
from keywright.neural.model_folder import hash_weights, is_exported, read_generator_card
from keywright.neural.systems import SYSTEMS

if TYPE_CHECKING:
    from keywright.neural.generation import DocumentGeneration


@dataclass(frozen=True)
class TrainedWeights:
    """The weights in a folder; their hash is their identity, wherever the folder is."""

    folder: Path

    @cached_property
    def fingerprint(self) -> str:
        """First digits of the hash of the weights."""
        return hash_weights(read_generator_card(self.folder))[:8]

    @cached_property
    def is_exported(self) -> bool:
        """True if they run without torch."""
        return is_exported(self.folder)


@dataclass(frozen=True)
class GeneratorSystem:
    """A generator of keyphrases; must be trained.

    A document longer than the longest source is cut, as the published generators cut it, or read in windows; a phrase
    of several windows has the tokens of the one with its highest probability. A phrase is present if the whole text has
    it. An unknown word (``<unk>``) is replaced by the most attended word of the source and keeps its probability.

    weights       of a trained generator
    decoding      how words are chosen: greedy, beam or sampling; sets and exported generators are always greedy
    width         hypotheses of a beam, or samples
    temperature   of sampling
    longest       words of a generated list, delimiters included
    present_only  whether only phrases of the text are written
    order         of the list: as generated, or by confidence, the geometric mean of the words' probabilities
    windows       of a long document that are read: the first, as published, or all; lists of all go by confidence
    """

    weights: TrainedWeights | None = None
    decoding: Strategy = "greedy"
    width: int = 1
    temperature: float = 1.0
    longest: int = 60
    present_only: bool = False
    order: Literal["generated", "confidence"] = "generated"
    windows: Literal["first", "all"] = field(default="first", metadata={"signed": "if changed"})

    name: ClassVar[str]
    always_greedy: ClassVar[bool] = False  # True for generators that decode greedily, whatever ``decoding`` is
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def __post_init__(self) -> None:
        """Check the numbers, and that exported weights can be decoded so."""
        decoding = self._decoding()
        if self.weights is not None and self.weights.is_exported and not self.always_greedy:
            check_greedy(decoding)

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the generated phrases; those with places are present, the others absent.

        Raises NotFitted: there are no weights; MissingExtra: the extra ``neural``, or ``onnx``, is not installed.
        """
        keyphrases, warnings = self._generation().generate(document.source)
        return Ranking.from_keyphrases(document.source, keyphrases, warnings=warnings)

    def prefetch(self, documents: Sequence[Document]) -> None:
        """Generate for several documents together, and remember it until they are extracted."""
        self._generation().prefetch(documents)

    def score(self, document: Document, phrases: Sequence[str]) -> "list[Keyphrase | Failure]":
        """Return phrases with the probabilities that the generator gives them, see ``neural.generation``.

        Raises BadParameter: an exported generator; NotFitted: no weights; MissingExtra: ``neural`` is not installed.
        """
        if self.weights is not None and self.weights.is_exported:
            hint = "score with the folder that it was exported from"
            raise BadParameter(f"an exported {self.name} generates, and cannot score phrases", hint)
        return self._generation().score(document, phrases)

    def _generation(self) -> "DocumentGeneration":
        if self.weights is None:
            hint = f"`keywright train {self.name} DATASET -o DIR`, then --system DIR"
            raise NotFitted(f"the system {self.name} has not been trained", hint)
        from keywright.neural.generation import DocumentGeneration, load_generator_once  # noqa: PLC0415 - stems

        generator, order, windows = load_generator_once(self.weights.folder), self.order, self.windows
        return DocumentGeneration(generator, self._decoding(), order == "confidence", windows == "all")

    def _decoding(self) -> Decoding:
        return Decoding(self.decoding, self.width, self.temperature, self.longest, present_only=self.present_only)


def load_system(folder: Path) -> GeneratorSystem:
    """Return the system of a folder; its weights are read when the first document is extracted.

    Raises MissingData: there is no generator; BrokenFile: the card is damaged, or names a generator that there is not.
    """
    name = str(read_generator_card(folder).get("generator"))
    if name not in SYSTEMS:
        raise BrokenFile(f"{folder} holds a generator called {name!r}", f"expected one of: {', '.join(SYSTEMS)}")
    kind: type[GeneratorSystem] = pkgutil.resolve_name(SYSTEMS[name])
    return kind(TrainedWeights(folder))
