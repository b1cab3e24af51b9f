"""Write ``tests/parity/references/keybert.json``: KeyBERT's answers for this project's own texts with our encoder.

Needs keybert 0.9.0 (``pip install --no-deps keybert`` into an environment that has keywright with the extra ``embed``);
only its answers are used. It ranks all its n-grams by similarity and returns the first 1, 2, ... candidates of
``embedrank`` by maximal marginal relevance, ordered by similarity: so each answer is a set that grows by the phrase
chosen next. Lists by its own candidates are those that ``keybert`` is compared with. The texts are those of
``classics.json``.

    python tools/references/make_keybert_references.py
"""

import importlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_matrix

from keywright.core.documents import Document
from keywright.extraction.systems.embedrank import EmbedRank
from keywright.text.encoders import MiniLM
from keywright.text.languages import ByLanguage
from keywright.text.stems import stopwords

FOLDER = Path(__file__).parents[2] / "tests" / "parity" / "references"
EVERYTHING = 100_000
DIVERSITIES = (0.3, 0.7)
CHOSEN = 10
LISTED = 15
SETTINGS: list[dict[str, Any]] = [
    {"longest": 1},
    {"longest": 3},
    {"shortest": 2, "longest": 2, "seeds": ["tide gauge", "sea level"]},
    {"longest": 2, "diversity": 0.5},
    {"longest": 3, "diversity": 0.7, "seeds": ["water"]},
]
"""Parameters of ``keybert`` and their values; the stop words are ours."""


@dataclass(frozen=True)
class FixedPhrases:
    """A replacement of a vectoriser that has each of these phrases in every document."""

    phrases: Sequence[str]

    def fit(self, _: Sequence[str]) -> Self:
        """Return itself: nothing is fitted."""
        return self

    def get_feature_names_out(self) -> Sequence[str]:
        """Return the phrases."""
        return self.phrases

    def transform(self, documents: Sequence[str]) -> Any:
        """Return one mention of each phrase in each document, (documents, phrases)."""
        return csr_matrix(np.ones((len(documents), len(self.phrases))))


def main() -> None:
    """Ask about all English texts, write one file."""
    base: Any = importlib.import_module("keybert.backend").BaseEmbedder

    class Ours(base):  # type: ignore[misc]  # KeyBERT takes encoders by inheritance
        """Our encoder with KeyBERT's interface."""

        def embed(self, documents: Sequence[str], verbose: bool = False) -> Any:  # noqa: ARG002, FBT001, FBT002 - its
            return MiniLM()(list(documents))

    program = importlib.import_module("keybert").KeyBERT(model=Ours())
    classics = json.loads((FOLDER / "classics.json").read_text("utf-8"))["texts"]
    texts = {name: record["text"] for name, record in classics.items() if record["language"] == "en"}
    answers = {
        "program": "KeyBERT",
        "version": version("keybert"),
        "encoder": MiniLM().fingerprint,
        "texts": texts,
        "similarity": {name: similarity(program, text) for name, text in texts.items()},
        "relevance": {str(d): {name: relevance(program, text, d) for name, text in texts.items()} for d in DIVERSITIES},
        "settings": SETTINGS,
        "lists": [{name: ranked(program, text, setting) for name, text in texts.items()} for setting in SETTINGS],
    }
    (FOLDER / "keybert.json").write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def similarity(program: Any, text: str) -> list[tuple[str, float]]:
    """Return all n-grams of up to three words by their cosine with the document."""
    answer: list[tuple[str, float]] = program.extract_keywords(
        text, keyphrase_ngram_range=(1, 3), stop_words=None, top_n=EVERYTHING
    )
    return answer


def ranked(program: Any, text: str, setting: dict[str, Any]) -> list[tuple[str, float]]:
    """Return KeyBERT's list with the settings of ``keybert``."""
    answer: list[tuple[str, float]] = program.extract_keywords(
        text,
        keyphrase_ngram_range=(setting.get("shortest", 1), setting["longest"]),
        stop_words=sorted(stopwords("en")),
        seed_keywords=setting.get("seeds"),
        use_mmr="diversity" in setting,
        diversity=setting.get("diversity", 0.5),
        top_n=LISTED,
    )
    return answer


def relevance(program: Any, text: str, diversity: float) -> list[str]:
    """Return the phrases chosen first, in the order of choice."""
    document = ByLanguage("en").analyse(Document("text", text))
    candidates = FixedPhrases([keyphrase.text for keyphrase in EmbedRank().extract(document).prediction().keyphrases])
    chosen: list[str] = []
    for number in range(1, CHOSEN + 1):
        answer = program.extract_keywords(text, vectorizer=candidates, use_mmr=True, diversity=diversity, top_n=number)
        chosen.extend(phrase for phrase, _ in answer if phrase not in chosen)
    return chosen


if __name__ == "__main__":
    main()
