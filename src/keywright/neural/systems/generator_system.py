"""Trained generators as systems: a document in, ranked keyphrases with the probability of each token out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import BadParameter, NotFitted
from keywright.core.extras import needs_extra
from keywright.core.predictions import Failure, Keyphrase
from keywright.neural.decoding.settings import Decoding, Strategy
from keywright.neural.model_folder import WEIGHTS, read_generator_card

if TYPE_CHECKING:
    from keywright.neural.generation import DocumentGeneration, LoadedGenerator


@dataclass(frozen=True)
class TrainedWeights:
    """The weights in a folder; their hash is their identity, wherever the folder is."""

    folder: Path

    @cached_property
    def fingerprint(self) -> str:
        """First digits of the hash of the weights."""
        return str(read_generator_card(self.folder)["sha256"][WEIGHTS])[:8]


@dataclass(frozen=True)
class GeneratorSystem:
    """A generator of keyphrases; must be trained.

    Long documents are read in windows; a phrase of several windows has the tokens of the one with its highest
    probability.

    weights       of a trained generator
    decoding      how words are chosen: greedy, beam or sampling; generators of sets are always greedy
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
    needs: ClassVar[frozenset[str]] = frozenset({"stems"})

    def __post_init__(self) -> None:
        """Check the numbers."""
        self._decoding()

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the generated phrases; those with places are present, the others absent.

        Raises:
            NotFitted: there are no weights.
            MissingExtra: the extra ``neural`` is not installed.
        """
        keyphrases, warnings = self._generation().of(document.source)
        return Ranking.from_keyphrases(document.source, keyphrases, warnings=warnings)

    def prefetch(self, documents: Sequence[Document]) -> None:
        """Generate for several documents together, and remember it until they are extracted."""
        self._generation().prefetch(documents)

    def score(self, document: Document, phrases: Sequence[str]) -> "list[Keyphrase | Failure]":
        """Return phrases with the probabilities that the generator gives them, see ``neural.phrase_scoring``.

        Raises:
            BadParameter: the folder has no weights that can be scored with.
            NotFitted: there are no weights.
            MissingExtra: the extra ``neural`` is not installed.
        """
        generator = self._loaded()
        from keywright.neural.models.generator import KeyphraseGenerator  # noqa: PLC0415 - heavy
        from keywright.neural.phrase_scoring import PhraseScoring  # noqa: PLC0415 - heavy

        if not isinstance(generator.model, KeyphraseGenerator):
            hint = "score with the folder that it was exported from"
            raise BadParameter(f"this exported form of {self.name} generates, and cannot score phrases", hint)
        return PhraseScoring(generator.model, generator.limits.source).of(document, phrases)

    def _loaded(self) -> "LoadedGenerator":
        """Return the generator of the folder."""
        if self.weights is None:
            hint = f"`keywright train {self.name} DATASET -o DIR`, then --system DIR"
            raise NotFitted(f"the system {self.name} has not been trained", hint)
        with needs_extra("neural", "generators need torch"):
            from keywright.neural.generation import loaded_generator  # noqa: PLC0415 - heavy
        return loaded_generator(self.weights.folder)

    def _generation(self) -> "DocumentGeneration":
        """Return the loaded generator with its settings."""
        generator = self._loaded()
        from keywright.neural.generation import DocumentGeneration  # noqa: PLC0415 - heavy

        return DocumentGeneration(generator, self._decoding(), by_confidence=self.order == "confidence")

    def _decoding(self) -> Decoding:
        strategy = Strategy(self.decoding)
        return Decoding(strategy, self.width, self.temperature, self.longest, present_only=self.present_only)
