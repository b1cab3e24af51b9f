"""Topics by latent Dirichlet allocation."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.errors import BadParameter


@dataclass(frozen=True, slots=True, eq=False)
class Topics:
    """Distributions of latent Dirichlet allocation (Blei, Ng and Jordan 2003).

    Attributes:
        words: P(word | topic), (topics, words); rows sum to 1.
        shares: P(topic | text), (texts, topics); rows sum to 1.
    """

    words: Floats
    shares: Floats


def topics(
    counts: Any, number: int, *, alpha: float | None = None, beta: float = 0.01, rounds: int = 50, seed: int = 1
) -> Topics:
    """Return the topics of texts, by variational inference.

    Args:
        counts: of each word in each text, (texts, words), a dense or sparse array. Without any word the distributions
            are uniform.
        number: of topics, at least 1.
        alpha: prior of a topic's share in a text, 0 to 1 (the library's bounds); 1 / number when None.
        beta: prior of a word in a topic, 0 to 1.
        rounds: maximum rounds over the texts.
        seed: of the initial values.

    Raises:
        BadParameter: fewer than one topic.
    """
    if number < 1:
        raise BadParameter(f"{number} topics", "give at least 1")
    texts, words = counts.shape
    if not counts.sum():
        return Topics(np.full((number, words), 1 / max(words, 1)), np.full((texts, number), 1 / number))
    from sklearn import decomposition  # noqa: PLC0415  (seconds to import, and few systems need it)

    model = decomposition.LatentDirichletAllocation(
        number,
        doc_topic_prior=alpha,
        topic_word_prior=beta,
        learning_method="batch",
        max_iter=rounds,
        random_state=seed,
    )
    shares = model.fit_transform(counts)
    return Topics(model.components_ / model.components_.sum(axis=1, keepdims=True), np.asarray(shares))
