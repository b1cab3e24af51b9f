"""The evaluator ``meteor``, by NLTK."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from keywright.core.errors import BadParameter
from keywright.summaries.evaluator import Evaluation, Evaluator
from keywright.summaries.library_metrics.packages import NO_REFERENCE, optional_package, token_list
from keywright.summaries.pairs import Pair

_INSTALL: Final = "pip install nltk"
_NO_SYNONYMS: Final = "no WordNet among NLTK's data: words match by form and stem, not as synonyms"


class _NoWordNet:
    """A WordNet without words."""

    @staticmethod
    def synsets(_word: str) -> tuple[()]:
        """Return no meanings."""
        return ()


@dataclass(frozen=True)
class Meteor(Evaluator):
    """METEOR (Banerjee and Lavie 2005), by NLTK: the best over references.

    Words match by form, by Porter stem and, if NLTK's data has WordNet, as synonyms. Texts are cut into words and
    punctuation marks unless they came in tokens; case is ignored.

    Attributes:
        alpha: weight of precision against recall, from 0 to 1.
        beta: exponent of the penalty for scattered matches.
        gamma: weight of that penalty, from 0 to 1.

    Raises:
        BadParameter: a number is out of range.
    """

    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5

    name: ClassVar[str] = "meteor"
    headline: ClassVar[str] = "score"

    def __post_init__(self) -> None:
        if not (0 <= self.alpha <= 1 and self.beta >= 0 and 0 <= self.gamma <= 1):
            numbers = f"alpha={self.alpha:g}, beta={self.beta:g}, gamma={self.gamma:g}"
            raise BadParameter(f"{self.name}: {numbers}", "expected alpha and gamma from 0 to 1, beta from 0")

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield ``score`` of each pair, from 0 to 1, in order; None without references, 0 for a text without tokens.

        Raises:
            MissingExtra: NLTK is not installed.
        """
        meteor = optional_package("nltk.translate.meteor_score", self.name, _INSTALL)
        wordnet, notes = self._wordnet()
        for pair in pairs:
            if not pair.references:
                yield Evaluation({"score": None}, (NO_REFERENCE,))
                continue
            summary, references = token_list(pair.summary), [token_list(text) for text in pair.references]
            # NLTK divides by the lengths, so that empty texts must not reach it.
            references = [tokens for tokens in references if tokens] if summary else []
            options = {"wordnet": wordnet, "alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}
            score = meteor.meteor_score(references, summary, **options) if references else 0.0
            yield Evaluation({"score": float(score)}, notes)

    def _wordnet(self) -> tuple[Any, tuple[str, ...]]:
        """Return NLTK's WordNet, or one without words and a note."""
        wordnet = optional_package("nltk.corpus", self.name, _INSTALL).wordnet
        try:
            wordnet.ensure_loaded()
        except LookupError:
            return _NoWordNet(), (_NO_SYNONYMS,)
        return wordnet, ()
