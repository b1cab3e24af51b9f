"""Evaluators of summaries: interface, specifications ``NAME:key=value``, and those by others' packages.

``length`` needs no package, ``bertscore`` that of its name, ``bleu`` and ``chrf`` sacrebleu, ``meteor`` NLTK.
"""

import importlib
import os
import re
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal

from keywright.core.errors import BadParameter, MissingData, MissingExtra, describe_install, unknown_name
from keywright.core.signatures import list_parameters, make_part, parse_parameters
from keywright.core.word_lists import read_pairs
from keywright.summaries.pairs import Pair, SummaryText

EVALUATORS: Final = read_pairs("summaries/evaluators.txt", "EVALUATORS")  # module and class, loaded on first use

NO_REFERENCE: Final = "no reference to compare with"
_LISTING: Final = "keywright summaries score --list"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of one summary under one evaluator, by name, None where undefined, and oddities, for people."""

    values: Mapping[str, float | None]
    notes: tuple[str, ...] = ()


class Evaluator(ABC):
    """A base of evaluators: frozen dataclasses whose fields are options, named in specifications and signatures."""

    name: ClassVar[str]  # in specifications, such as ``rouge155``
    headline: ClassVar[str]  # name of the value by which summaries are ranked

    @abstractmethod
    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield the scores of each pair, in order; work on texts that several pairs share is done once."""


@dataclass(frozen=True)
class Length(Evaluator):
    """Number of words of the summary; references are not used."""

    name: ClassVar[str] = "length"
    headline: ClassVar[str] = "score"

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield the number of words of each summary, in order."""
        for pair in pairs:
            yield Evaluation({"score": float(count_words(pair.summary))})


def count_words(text: SummaryText) -> int:
    """Return the number of words: tokens, or pieces between blanks, that have a letter or a digit."""
    sentences = (text.whole.split(),) if text.tokens is None else text.tokens
    return sum(any(map(str.isalnum, word)) for sentence in sentences for word in sentence)


def check_options(evaluator: Evaluator) -> None:
    """Check that options have one of their choices, also of evaluators made without a specification."""
    for option in list_parameters(type(evaluator)):
        value = getattr(evaluator, option.name)
        is_literal = typing.get_origin(option.type) is typing.Literal
        choices = (True, False) if option.type is bool else typing.get_args(option.type) if is_literal else ()
        if choices and (value not in choices or isinstance(value, bool) != (option.type is bool)):
            raise BadParameter(f"{evaluator.name}: {option.name} = {value!r:.60}", f"{option.name} takes {option.kind}")


def evaluator_class(name: str) -> type[Evaluator]:
    """Return the class of an evaluator. Raises UnknownName: there is no such evaluator."""
    if name not in EVALUATORS:
        raise unknown_name("evaluator", name, EVALUATORS, _LISTING)
    module, _, attribute = EVALUATORS[name].partition(":")
    kind: type[Evaluator] = getattr(importlib.import_module(f"keywright.summaries.{module}"), attribute)
    return kind


def read_specification(text: str) -> tuple[str, dict[str, str]]:
    """Return name and options of a text such as ``kpeval:combine=best,top=5``; else raises ``BadParameter``."""
    name, _, rest = text.strip().partition(":")
    options: dict[str, str] = {}
    for item in filter(None, (piece.strip() for piece in rest.split(","))):
        key, sign, value = (part.strip() for part in item.partition("="))
        if not sign or key in options:
            happened = "comes twice" if sign else "has no value"
            raise BadParameter(f"{text}: {key} {happened}", "expected NAME:key=value,key=value")
        options[key] = value
    return name.strip(), options


def make_evaluator(text: str, extractors: Callable[[str | None], Mapping[str, Any]]) -> Evaluator:
    """Return the evaluator of a specification.

    ``extractors`` makes the systems of ``kpeval`` by language, of the name of one system, or None for the usual ones.
    Raises UnknownName: there is no such evaluator, or no such extractor; BadParameter: an option that does not fit.
    """
    name, options = read_specification(text)
    kind = evaluator_class(name)
    values: dict[str, Any] = {}
    if any(parameter.name == "extractors" for parameter in list_parameters(kind)):
        values["extractors"] = extractors(options.pop("extractor", None))
    return make_part(kind, values | parse_parameters(kind, options, name, listing=_LISTING), name)


_BATCH: Final = 64  # pairs that the model of bert-score reads at once; its own default
_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_NO_SYNONYMS: Final = "no WordNet among NLTK's data: words match by form and stem, not as synonyms"


def import_package(module: str, evaluator: str, install: str) -> Any:
    """Return a module of an optional package; raises ``MissingExtra`` with the command to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        message = f"the evaluator {evaluator} needs the package {package}, which cannot be imported: {error}"
        raise MissingExtra(message, install) from error


def list_tokens(text: SummaryText) -> list[str]:
    """Return the tokens of a text as given, or its words and punctuation marks."""
    if text.tokens is None:
        return _TOKEN.findall(text.whole)
    return [token for sentence in text.tokens for token in sentence]


@dataclass(frozen=True)
class BertScore(Evaluator):
    """BERTScore (Zhang, Kishore, Wu, Weinberger and Artzi 2020), by bert-score; the best reference counts."""

    model: str = ""  # folder of the model, as the package transformers saves it
    num_layers: int = 0  # layer of the model whose vectors are compared, from 1

    name: ClassVar[str] = "bertscore"
    headline: ClassVar[str] = "F"

    def __post_init__(self) -> None:
        if not self.model or self.num_layers < 1:
            message = f"{self.name}: model={self.model!r}, num_layers={self.num_layers}"
            raise BadParameter(message, f"give a local folder and a layer, {self.name}:model=DIR,num_layers=N")
        if not Path(self.model).is_dir():
            hint = "save a model there with transformers' save_pretrained; nothing is downloaded"
            raise MissingData(f"{self.name}: there is no folder {self.model}", hint)

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield ``P``, ``R``, ``F`` of each pair; None without references, 0 if empty. Raises ``MissingExtra``."""
        os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}  # nothing is downloaded
        package = import_package("bert_score", self.name, "pip install bert-score")
        scorer = package.BERTScorer(model_type=self.model, num_layers=self.num_layers)
        for start in range(0, len(pairs), _BATCH):
            batch = pairs[start : start + _BATCH]
            references = [[text.whole for text in pair.references if not text.empty] for pair in batch]
            scored = [at for at, pair in enumerate(batch) if references[at] and not pair.summary.empty]
            values: dict[int, tuple[float, ...]] = {}
            if scored:
                columns = scorer.score([batch[at].summary.whole for at in scored], [references[at] for at in scored])
                values = dict(zip(scored, zip(*(column.tolist() for column in columns), strict=True), strict=True))
            for at, pair in enumerate(batch):
                scores = values.get(at, (0.0,) * 3) if pair.references else (None,) * 3
                yield Evaluation(dict(zip("PRF", scores, strict=True)), () if pair.references else (NO_REFERENCE,))


class _PairMetric(Evaluator):
    """A metric of one summary and its references at a time."""

    headline: ClassVar[str] = "score"

    def evaluate(self, pairs: Sequence[Pair]) -> Iterator[Evaluation]:
        """Yield ``score`` of each pair, from 0 to 1, in order; None without references. Raises ``MissingExtra``."""
        score, notes = self._load()
        for pair in pairs:
            value = score(pair) if pair.references else None
            yield Evaluation({"score": value}, notes if pair.references else (NO_REFERENCE,))

    @abstractmethod
    def _load(self) -> tuple[Callable[[Pair], float], tuple[str, ...]]:
        """Return the function that scores a pair, and notes for people."""


@dataclass(frozen=True)
class Meteor(_PairMetric):
    """METEOR (Banerjee and Lavie 2005), by NLTK: the best over references.

    Words match by form, by Porter stem and, if NLTK's data has WordNet, as synonyms; case is ignored. Texts are cut
    into words and punctuation marks unless they came in tokens. Raises BadParameter: a number is out of range.
    """

    alpha: float = 0.9  # weight of precision against recall, from 0 to 1
    beta: float = 3.0  # exponent of the penalty for scattered matches
    gamma: float = 0.5  # weight of that penalty, from 0 to 1

    name: ClassVar[str] = "meteor"

    def __post_init__(self) -> None:
        if not (0 <= self.alpha <= 1 and self.beta >= 0 and 0 <= self.gamma <= 1):
            numbers = f"alpha={self.alpha:g}, beta={self.beta:g}, gamma={self.gamma:g}"
            raise BadParameter(f"{self.name}: {numbers}", "expected alpha and gamma from 0 to 1, beta from 0")

    def _load(self) -> tuple[Callable[[Pair], float], tuple[str, ...]]:
        nltk = import_package("nltk.translate.meteor_score", self.name, "pip install nltk")
        wordnet = import_package("nltk.corpus", self.name, "pip install nltk").wordnet
        notes: tuple[str, ...] = ()
        try:
            wordnet.ensure_loaded()
        except LookupError:
            wordnet, notes = SimpleNamespace(synsets=lambda _word: ()), (_NO_SYNONYMS,)
        options = {"wordnet": wordnet, "alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}

        def score(pair: Pair) -> float:
            # NLTK divides by the lengths, so that empty texts must not reach it.
            summary, references = list_tokens(pair.summary), list(filter(None, map(list_tokens, pair.references)))
            return float(nltk.meteor_score(references, summary, **options)) if summary and references else 0.0

        return score, notes


def _use_sacrebleu(name: str, make: Callable[[Any, bool], Any]) -> tuple[Callable[[Pair], float], tuple[str, ...]]:
    """Return what scores pairs by a metric of single sentences; ``make`` gets the package, and whether tokens come."""
    metrics = import_package("sacrebleu.metrics", name, describe_install("eval"))
    by_form = [make(metrics, tokens) for tokens in (False, True)]

    def score(pair: Pair) -> float:
        texts = (pair.summary, *pair.references)
        cut = all(text.tokens is not None for text in texts)
        summary, *references = (" ".join(list_tokens(text)) if cut else text.whole for text in texts)
        return float(by_form[cut].sentence_score(summary, references).score / 100)  # sacrebleu gives percentages

    return score, ()


@dataclass(frozen=True)
class Bleu(_PairMetric):
    """BLEU of one summary (Papineni et al. 2002), by sacrebleu, without lengths that it is too short for."""

    # Sacrebleu's way of cutting texts; texts that came in tokens keep them.
    tokenize: Literal["13a", "intl", "char", "none"] = "13a"
    smooth: Literal["exp", "floor", "add-k", "none"] = "exp"  # sacrebleu's way of smoothing precisions of 0
    lowercase: bool = False  # ignore case

    name: ClassVar[str] = "bleu"

    def _load(self) -> tuple[Callable[[Pair], float], tuple[str, ...]]:
        options = {"lowercase": self.lowercase, "force": True, "smooth_method": self.smooth, "effective_order": True}
        cut = self.tokenize, "none"
        return _use_sacrebleu(self.name, lambda metrics, tokens: metrics.BLEU(tokenize=cut[tokens], **options))


@dataclass(frozen=True)
class ChrF(_PairMetric):
    """chrF, or chrF++ with ``word_order=2`` (Popović 2015, 2017), of one summary, by sacrebleu."""

    char_order: int = 6  # greatest length of character n-grams
    word_order: int = 0  # greatest length of word n-grams; 0 for none
    beta: int = 2  # weight of recall against precision
    lowercase: bool = False  # ignore case

    name: ClassVar[str] = "chrf"

    def __post_init__(self) -> None:
        if self.char_order < 1 or self.word_order < 0 or self.beta < 1:
            numbers = f"char_order={self.char_order}, word_order={self.word_order}, beta={self.beta}"
            raise BadParameter(f"{self.name}: {numbers}", "expected char_order and beta from 1, word_order from 0")

    def _load(self) -> tuple[Callable[[Pair], float], tuple[str, ...]]:
        orders, lowercase = (self.char_order, self.word_order, self.beta), self.lowercase
        return _use_sacrebleu(self.name, lambda metrics, _: metrics.CHRF(*orders, lowercase=lowercase))
