"""Trained generators as systems: a document in, ranked keyphrases with the probability of each token out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter, NotFitted
from keywright.core.predictions import Failure, Keyphrase
from keywright.neural.decoding.settings import Decoding, Strategy, check_greedy
from keywright.neural.model_folder import is_exported, read_generator_card, weights_hash

if TYPE_CHECKING:
    from keywright.neural.generation import DocumentGeneration, LoadedGenerator
    from keywright.neural.models.generator import KeyphraseGenerator


@dataclass(frozen=True)
class TrainedWeights:
    """The weights in a folder; their hash is their identity, wherever the folder is."""

    folder: Path

    @cached_property
    def fingerprint(self) -> str:
        """First digits of the hash of the weights."""
        return weights_hash(read_generator_card(self.folder))[:8]

    @cached_property
    def is_exported(self) -> bool:
        """True if they run without torch."""
        return is_exported(self.folder)


@dataclass(frozen=True)
class GeneratorSystem:
    """A generator of keyphrases; must be trained.

    Long documents are read in windows; a phrase of several windows has the tokens of the one with its highest
    probability.

    weights       of a trained generator
    decoding      how words are chosen: greedy, beam or sampling; sets and exported generators are always greedy
    width         hypotheses of a beam, or samples
    temperature   of sampling
    longest       words of a generated list, delimiters included
    present_only  whether only phrases of the text are written
    order         of the list: as generated, or by confidence, the geometric mean of the words' probabilities
    """

    weights: TrainedWeights | None = None
    decoding: Literal["greedy", "beam", "sampling"] = "greedy"
    width: int = 1
    temperature: float = 1.0
    longest: int = 60
    present_only: bool = False
    order: Literal["generated", "confidence"] = "generated"

    name: ClassVar[str]
    always_greedy: ClassVar[bool] = False
    """True for generators that decode greedily, whatever ``decoding`` is."""
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def __post_init__(self) -> None:
        """Check the numbers, and that exported weights can be decoded so."""
        decoding = self._decoding()
        if self.weights is not None and self.weights.is_exported and not self.always_greedy:
            check_greedy(decoding)

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the generated phrases; those with places are present, the others absent.

        Raises:
            NotFitted: there are no weights.
            MissingExtra: the extra ``neural``, or ``onnx`` of an exported generator, is not installed.
        """
        keyphrases, warnings = self._generation().of(document.source)
        return Ranking.from_keyphrases(document.source, keyphrases, warnings=warnings)

    def prefetch(self, documents: Sequence[Document]) -> None:
        """Generate for several documents together, and remember it until they are extracted."""
        self._generation().prefetch(documents)

    def score(self, document: Document, phrases: Sequence[str]) -> "list[Keyphrase | Failure]":
        """Return phrases with the probabilities that the generator gives them, see ``neural.phrase_scoring``.

        Raises:
            BadParameter: the generator is an exported one.
            NotFitted: there are no weights.
            MissingExtra: the extra ``neural`` is not installed.
        """
        if self.weights is not None and self.weights.is_exported:
            hint = "score with the folder that it was exported from"
            raise BadParameter(f"an exported {self.name} generates, and cannot score phrases", hint)
        generator = self._loaded()
        from keywright.neural.phrase_scoring import PhraseScoring  # noqa: PLC0415 - heavy

        model = cast("KeyphraseGenerator", generator.model)  # all others are exported
        return PhraseScoring(model, generator.limits.source).of(document, phrases)

    def _loaded(self) -> "LoadedGenerator":
        """Return the generator of the folder."""
        if self.weights is None:
            hint = f"`keywright train {self.name} DATASET -o DIR`, then --system DIR"
            raise NotFitted(f"the system {self.name} has not been trained", hint)
        from keywright.neural.generation import loaded_generator  # noqa: PLC0415 - stems

        return loaded_generator(self.weights.folder)

    def _generation(self) -> "DocumentGeneration":
        """Return the loaded generator with its settings."""
        generator = self._loaded()
        from keywright.neural.generation import DocumentGeneration  # noqa: PLC0415 - stems

        return DocumentGeneration(generator, self._decoding(), by_confidence=self.order == "confidence")

    def _decoding(self) -> Decoding:
        strategy = Strategy(self.decoding)
        return Decoding(strategy, self.width, self.temperature, self.longest, present_only=self.present_only)
