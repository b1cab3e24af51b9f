"""Unlabelled texts in groups: topics by latent Dirichlet allocation, of a collection or other texts, and clusters."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.errors import BadParameter, needs_extra


class Topics(NamedTuple):
    """P(word | topic), (topics, words), and P(topic | text), (texts, topics) (Blei, Ng and Jordan 2003)."""

    words: Floats
    shares: Floats


def topics(
    counts: Any, number: int, *, alpha: float | None = None, beta: float = 0.01, rounds: int = 50, seed: int = 1
) -> Topics:
    """Return the topics of texts, by variational inference; uniform without any word.

    ``counts``: (texts, words), dense or sparse; ``alpha``: prior of a topic's share in a text, 1 / number when None;
    ``beta``: of a word in a topic, both 0 to 1; ``rounds``: over the texts at most.
    """
    if number < 1:
        raise BadParameter(f"{number} topics", "give at least 1")
    texts, words = counts.shape
    if not counts.sum():
        return Topics(np.full((number, words), 1 / max(words, 1)), np.full((texts, number), 1 / number))
    with needs_extra("train", "topics of texts need scikit-learn"):
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


_ROUNDS: Final = 200  # maximum rounds of expectation-maximisation; arbitrary, as it converges sooner
_TOLERANCE: Final = 1e-8  # sum of the changes of all shares that ends the rounds; arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class TopicModel:
    """Topics of a collection (Blei, Ng and Jordan 2003): P(word | topic), (topics, words), and P(topic), (topics,)."""

    keys: Keys
    words: Floats
    overall: Floats

    @classmethod
    def fit(cls, bags: Sequence[tuple[Keys, Ints]], number: int, seed: int) -> Self:
        """Learn so many topics of a collection from the distinct words of each text and their counts."""
        with needs_extra("train", "topics of texts need scipy"):
            from scipy.sparse import csr_array  # noqa: PLC0415  (heavy, only training needs it)

        keys = np.unique(np.concatenate([np.zeros(0, np.uint64), *(words for words, _ in bags)]))
        column = np.concatenate([np.zeros(0, int), *(np.searchsorted(keys, words) for words, _ in bags)])
        counts = np.concatenate([np.zeros(0), *(times for _, times in bags)])
        ends = np.cumsum([0, *(len(words) for words, _ in bags)])
        fitted = topics(csr_array((counts, column, ends), shape=(len(bags), len(keys))), number, seed=seed)
        shares = fitted.shares if len(bags) else np.full((1, number), 1 / number)
        return cls(keys, fitted.words, shares.mean(axis=0))

    def of(self, keys: Keys) -> Floats:
        """Return P(word | topic), (topics, keys); 0 for words that are not in the collection."""
        if not len(self.keys):
            return np.zeros((len(self.words), len(keys)))
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.asarray(self.words[:, place] * (self.keys[place] == keys))

    def shares(self, keys: Keys, counts: Ints) -> Floats:
        """Return P(topic | document), (topics,), by expectation-maximisation; ``overall`` without known words."""
        likelihood = self.of(keys)
        in_collection = likelihood.any(axis=0)
        likelihood, counts = likelihood[:, in_collection], counts[in_collection]
        shares = self.overall
        for _ in range(_ROUNDS if in_collection.any() else 0):
            before = shares
            of_word = likelihood * before[:, None]
            shares = (of_word / of_word.sum(axis=0)) @ counts / counts.sum()
            if np.abs(shares - before).sum() < _TOLERANCE:
                break
        return np.asarray(shares)


def clusters(rows: Floats, number: int, seed: int = 1) -> Ints:
    """Return the cluster of each row, at most ``number``, from 0 without gaps, (rows,), by k-means (Lloyd 1982)."""
    if len(rows) <= number:
        return np.arange(len(rows))
    with needs_extra("graphs", "clusters need scipy"):
        from scipy.cluster.vq import kmeans2  # noqa: PLC0415  (heavy, and few systems need it)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # empty clusters are harmless: they are renumbered away
        _, cluster = kmeans2(rows, number, minit="++", rng=np.random.default_rng(seed))
    return np.asarray(np.unique(cluster, return_inverse=True)[1].reshape(-1))
