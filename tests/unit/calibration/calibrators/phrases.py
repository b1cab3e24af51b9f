"""Phrases for tests of calibrators: drawn once, so that all tests see the same."""

import numpy as np

from keywright.calibration.phrases import PhraseFeatures


def drawn(number=600, seed=5):
    """Descriptions and answers: too sure of all, more so of absent phrases; right the less the lower the rank."""
    chance = np.random.default_rng(seed)
    confidence = chance.beta(4, 2, number)
    present = chance.random(number) < 0.7
    rank = chance.integers(1, 15, number)
    likely = confidence**2 * np.where(present, 0.9, 0.3) / rank**0.3
    seen = PhraseFeatures(
        confidence=confidence,
        standard=chance.normal(size=number) - rank / 10,
        rank=rank,
        count=chance.integers(5, 15, number),
        words=chance.integers(1, 5, number),
        present=present,
        mentions=np.where(present, chance.integers(1, 9, number), 0),
        first=np.where(present, chance.random(number), 1.0),
    )
    return seen, chance.random(number) < likely


def of(confidence, present=(True,)):
    """Phrases of which only confidence and class matter."""
    confidence = np.array(confidence, dtype=float)
    ones = np.ones(len(confidence), dtype=np.int64)
    classes = np.broadcast_to(present, len(confidence)).copy()
    return PhraseFeatures(confidence, ones * 0.0, ones, ones, ones, classes, ones, ones * 0.0)
