"""The reader: an encoder that reads the best candidates in context, and corrects the default's log-odds.

A text is read in windows of whole sentences. In a long text the reader takes the first windows, then those with most
of the candidates that it has read less than twice: the best candidates of a paper are in many windows. Candidates that
are not read keep the default's log-odds.
"""

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Bools, Floats, Ints
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, Style
from keywright.core.errors import BrokenFile, MissingData
from keywright.core.saving import MODELS
from keywright.extraction.features.description.described_candidates import STYLES, DescribedCandidates
from keywright.extraction.learners.probability import ProbabilityMap, sigmoid
from keywright.extraction.ranking.rank import candidates_of
from keywright.text.encoders import MINILM, PIECES_BY_NAME, WindowEncoder, Windows, cut_windows

SCALE: Final = 4.0  # log-odds of the default that count as 1; arbitrary, some standard deviation of theirs
_GELU: Final = (2 / np.pi) ** 0.5
"""Factor of Hendrycks and Gimpel's approximation (2016) of the Gaussian error linear unit."""
_CUBIC: Final = 0.044715  # their other one


@dataclass(frozen=True, slots=True, eq=False)
class ContextHead:
    """Weights of two layers, as named in training: ``mention.weight`` and so on, (to, from)."""

    weights: Mapping[str, NDArray[np.float32]]

    def corrections(self, owner: Ints, states: tuple[Floats, Floats], log_odds: Floats, style: int) -> Floats:
        """Return what is added to the log-odds of each candidate, (candidates,), from mentions by mean and maximum.

        ``owner``: candidate of each mention, ascending, (mentions,); ``states``: of its first and last piece, and the
        mean of all, (mentions, 3 width), and the mean state of all windows, and of the first, (2 width,).
        """
        number = np.bincount(owner, minlength=len(log_odds))
        has = number > 0
        if not has.any():
            return np.zeros(len(log_odds))
        vectors, document = states
        width = vectors.shape[1] // 3
        of_document = self._linear("document", document) + self.weights["style.weight"][style]
        hidden = _gelu(self._linear("mention", vectors) + of_document)
        product = self._linear("mention_factor", vectors[:, 2 * width :])
        both = np.hstack([hidden, product * self._linear("document_factor", document)])
        heads = owner.searchsorted(np.flatnonzero(has))
        # Mentions of a candidate are adjacent, so segmented sums and maxima serve all candidates at once.
        mean = np.add.reduceat(both, heads, axis=0) / number[has, None]
        highest = np.maximum.reduceat(both, heads, axis=0)
        features = np.column_stack([log_odds[has] / SCALE, np.log1p(number[has])]).astype(np.float32)
        joint = self._linear("joint", np.hstack([mean, highest, features])) + self.weights["joint_style.weight"][style]
        added = np.zeros(len(log_odds))
        added[has] = self._linear("out", _gelu(joint))[:, 0]
        return added

    def _linear(self, name: str, values: Floats) -> Floats:
        """Return a linear layer of values, (rows, to) or (to,)."""
        bias = self.weights.get(f"{name}.bias")
        result = values @ self.weights[f"{name}.weight"].T
        return np.asarray(result if bias is None else result + bias)


def _gelu(values: Floats) -> Floats:
    cubes = values * values * values  # the operator for powers takes forty times as long
    return np.asarray(0.5 * values * (1 + np.tanh(_GELU * (values + _CUBIC * cubes))))


WINDOWS: Final = 4
"""Windows of a text that are read at most, in training as well; arbitrary: a paper takes as long as five abstracts."""
CANDIDATES: Final = 60
"""Candidates with the highest log-odds of the default, which are read, in training as well; arbitrary."""
MENTIONS: Final = 6  # mentions of a candidate that are read at most, the first ones, in training as well; arbitrary
NAME: Final = "reader_en"  # name of the shipped files
NAME_OF_OTHERS: Final = "reader_any"  # the same for the reader of other languages
BOTH: Final = "both tastes"  # on the card of a reader that corrects both together
_OPENING: Final = 2  # windows at the beginning that are always read; arbitrary
_ENOUGH: Final = 2  # windows with a candidate that are read on purpose; arbitrary
IN_CONTEXT: Final = "fits the text's subject"  # name of the corrections as evidence
_HEAD: Final = "head/"  # before the names of the head's weights in a file


@dataclass(frozen=True)
class ContextReader:
    """An encoder with a head, and probabilities by style of log-odds corrected in so many windows at most.

    ``of_others``: reader of texts in other languages, if there is one.
    """

    encoder: WindowEncoder
    head: ContextHead
    probability: Mapping[str, ProbabilityMap]
    windows: int = WINDOWS
    card: Mapping[str, Any] = field(default_factory=dict)
    of_others: "ContextReader | None" = None

    @property
    def of_both(self) -> bool:
        """True if it corrects what the default's two tastes say together, False for the one for authors alone."""
        return self.card.get("corrects") == BOTH

    @cached_property
    def fingerprint(self) -> str:
        """Starts of the hashes of encoder, and of head and probabilities, and windows: its part in a signature."""
        arrays = self._arrays()
        content = b"".join(np.ascontiguousarray(arrays[name]).tobytes() for name in sorted(arrays))
        others = f";{self.of_others.fingerprint}" if self.of_others else ""
        return f"reader@{self.encoder.sha256[:8]}+{hashlib.sha256(content).hexdigest()[:8]}/{self.windows}{others}"

    def corrections(self, document: AnalysedDocument, shortlist: Candidates, log_odds: Floats, style: Style) -> Floats:
        """Return what is added to the log-odds of the shortlist, (shortlist,); 0 for candidates that were not read."""
        windows = cut_windows(document, self.encoder.tokenizer)
        if not len(windows) or not len(shortlist):
            return np.zeros(len(shortlist))
        mentions = read_mentions(windows, shortlist, log_odds, self.windows)
        states = {number: self.encoder.states(windows.window(number)) for number in mentions.windows}
        return self.head.corrections(mentions.owner, gather_states(mentions, states), log_odds, STYLES.index(style))

    def of_all(
        self, documents: Sequence[AnalysedDocument], view: DescribedCandidates, log_odds: Floats, style: Style
    ) -> Floats:
        """Return the corrections of shortlists of documents, (shortlist,); needs the extra ``embed`` and weights."""
        self.encoder.load()
        parts: list[Floats] = [np.zeros(0)]
        for number, (begin, end) in enumerate(itertools.pairwise(view.bounds.tolist())):
            shortlist = candidates_of(view.shortlist, begin, end, int(view.document.bounds[number]))
            parts.append(self.corrections(documents[number], shortlist, log_odds[begin:end], style))
        return np.concatenate(parts)

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read a file of ``save``, beside the weights; raises MissingData without it, BrokenFile if damaged."""
        if not file.is_file():
            raise MissingData(f"no trained reader at {file.name}")
        try:
            with np.load(file, allow_pickle=False) as packed:
                arrays = dict(packed)
            card = json.loads(str(arrays["card"]))
            weights = {name.removeprefix(_HEAD): values for name, values in arrays.items() if name.startswith(_HEAD)}
            maps = {
                style: ProbabilityMap(arrays[f"scores/{style}"], arrays[f"probabilities/{style}"])
                for style in card["styles"]
            }
            pieces = PIECES_BY_NAME[card.get("pieces", MINILM.name)]
            encoder = WindowEncoder(file.with_name(card["encoder"]), card["encoder_sha256"], pieces)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BrokenFile(f"{file.name} cannot be read: {error}", "install keywright again") from error
        return cls(encoder, ContextHead(weights), maps, card=card)

    def save(self, file: Path) -> None:
        """Write head, probabilities and card; the encoder's weights are a file of their own."""
        encoder = self.encoder
        names = {"encoder": encoder.file.name, "encoder_sha256": encoder.sha256, "pieces": encoder.pieces.name}
        card = {**self.card, **names, "styles": list(self.probability)}
        np.savez(file, **self._arrays(), card=np.array(json.dumps(card)))

    def _arrays(self) -> dict[str, Any]:
        arrays: dict[str, Any] = {f"{_HEAD}{name}": values for name, values in self.head.weights.items()}
        for style, fitted in self.probability.items():
            arrays |= {f"scores/{style}": fitted.scores, f"probabilities/{style}": fitted.probabilities}
        return arrays


@lru_cache(maxsize=1)
def shipped_reader() -> ContextReader:
    """Return the reader of English, with that of other languages, read on first use."""
    english, of_others = (ContextReader.load(MODELS / f"{name}.npz") for name in (NAME, NAME_OF_OTHERS))
    return replace(english, of_others=of_others)


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """Mentions of candidates that are read: ascending windows, and owner, window, first and last piece, (mentions,)."""

    windows: Sequence[int]
    owner: Ints
    window: Ints
    first: Ints
    last: Ints


def best_candidates(log_odds: Floats) -> Bools:
    """Return which candidates are read: those with the highest log-odds, (candidates,)."""
    best = np.zeros(len(log_odds), bool)
    best[np.argsort(-log_odds, kind="stable")[:CANDIDATES]] = True
    return best


def read_mentions(windows: Windows, shortlist: Candidates, log_odds: Floats, most: int = WINDOWS) -> Mentions:
    """Return the mentions that are read: the first ones of the best candidates, in at most ``most`` windows."""
    owner, (window, first, last) = shortlist.owner, windows.mentions(shortlist)
    chosen = chosen_windows(owner, window, sigmoid(log_odds), len(windows), most)
    in_order = np.arange(len(owner)) - shortlist.offsets[owner]
    mine = best_candidates(log_odds)[owner] & (in_order < MENTIONS) & np.isin(window, chosen)
    return Mentions(chosen, owner[mine], window[mine], first[mine], last[mine])


def chosen_windows(owner: Ints, window: Ints, weight: Floats, windows: int, most: int) -> Sequence[int]:
    """Return the windows to read, ascending: the first, then those with most candidates read too little."""
    if windows <= most:
        return range(windows)
    has = np.zeros((windows, len(weight)), bool)
    has[window, owner] = True
    chosen = list(range(min(_OPENING, most)))
    times = has[chosen].sum(axis=0)
    while len(chosen) < most:
        gain = has @ (weight * (times < _ENOUGH))
        gain[chosen] = -1.0
        best = int(np.argmax(gain))
        chosen.append(best)
        times += has[best]
    return sorted(chosen)


def gather_states(mentions: Mentions, states: Mapping[int, Floats]) -> tuple[Floats, Floats]:
    """Return the states of mentions and of the text, see ``corrections``, from windows that begin with a mark."""
    width = next(iter(states.values())).shape[1]
    vectors = np.empty((len(mentions.owner), 3 * width), np.float32)
    means = np.array([here.mean(axis=0) for here in states.values()], np.float32)
    for number, here in states.items():
        rows = np.flatnonzero(mentions.window == number)
        begin, end = mentions.first[rows] + 1, mentions.last[rows] + 1
        piece = np.arange(len(here))
        inside = (begin[:, None] <= piece) & (piece <= end[:, None])  # (mentions, pieces)
        sums = inside.astype(np.float32) @ here
        vectors[rows] = np.hstack([here[begin], here[end], sums / (end + 1 - begin)[:, None]])
    return vectors, np.concatenate([means.mean(axis=0), means[0]])
