"""Labels of a vocabulary by meaning: the label whose embedding is nearest to that of a phrase.

How near is near enough differs by encoder and vocabulary. So the threshold is taken from the vocabulary itself: a
phrase must be nearer to a label than most labels are to the nearest label of another concept, and near at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.core.errors import BadParameter
from keywright.text.encoders import Encode

_SHARE: Final = 0.5
"""Share of labels that are less near to another concept than a phrase must be to its label; fitted on fao_agrovoc,
where F@10 is .260 with .5, .259 with .75 and .252 with .9, and .232 by labels."""
_LEAST: Final = 0.65
"""Least threshold, as labels of a small vocabulary may have nothing in common; fitted like the share."""
_SAMPLE: Final = 1_000  # labels from which the threshold is taken; arbitrary
_AT_ONCE: Final = 256  # texts that are encoded, or phrases that are compared at once; arbitrary
MOST_UNSAVED: Final = 20_000
"""Labels whose embeddings are computed where an index has none; some twenty seconds. Arbitrary."""


@dataclass(frozen=True, eq=False)
class LabelMeanings:
    """Embeddings of labels.

    Attributes:
        encoder: which made them.
        vectors: of length 1, (labels, dimensions), in half precision.
        threshold: least cosine of a phrase and its label.
    """

    encoder: Encode
    vectors: Floats
    threshold: float

    @classmethod
    def of(cls, labels: Sequence[str], owners: Ints, encoder: Encode) -> "LabelMeanings":
        """Return the embeddings of labels; ``owners``: the concept of each, (labels,)."""
        starts = range(0, len(labels), _AT_ONCE)
        vectors = np.concatenate([_encode_units(encoder, list(labels[at : at + _AT_ONCE])) for at in starts])
        sample = np.unique(np.linspace(0, len(labels) - 1, min(_SAMPLE, len(labels))).astype(np.int64))
        cosines = np.asarray(vectors[sample], np.float32) @ vectors.T.astype(np.float32)
        cosines[owners[sample][:, None] == owners[None, :]] = -1.0
        return cls(encoder, vectors, max(_LEAST, float(np.quantile(cosines.max(axis=1), _SHARE))))

    def find_nearest(self, phrases: Sequence[str]) -> tuple[Ints, Floats]:
        """Return the nearest label of each phrase, and its cosine, (phrases,) both."""
        if not phrases:
            return np.zeros(0, np.int64), np.zeros(0)
        units = np.asarray(_encode_units(self.encoder, phrases), np.float32)
        if units.shape[1] != self.vectors.shape[1]:
            message = f"the encoder gives {units.shape[1]} numbers a text, and the index has {self.vectors.shape[1]}"
            raise BadParameter(message, "build the index again with this encoder")
        best, row = np.full(len(phrases), -2.0), np.zeros(len(phrases), np.int64)
        step = 65_536  # labels whose half precision is widened at once: a hundred megabytes
        for start in range(0, len(self.vectors), step):
            cosines = units @ np.asarray(self.vectors[start : start + step], np.float32).T
            nearest = cosines.argmax(axis=1)
            value = cosines[np.arange(len(phrases)), nearest]
            row, best = np.where(value > best, nearest + start, row), np.maximum(best, value)
        return row, np.minimum(best, 1.0)


def _encode_units(encoder: Encode, texts: Sequence[str]) -> Floats:
    """Return embeddings of length 1 in half precision, whose cosines are right to three digits."""
    vectors = np.asarray(encoder(texts))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), np.float16)
