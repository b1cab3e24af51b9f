"""Tasks of a training: the changes of a step's examples, and the measures of a validation.

KPDrop (Ray Chowdhury, Park, Kundu and Caragea, "KPDrop: Improving Absent Keyphrase Generation", Findings of EMNLP
2022): all occurrences, by stems, of present keyphrases drawn with one probability are replaced by a mark, and what does
not occur any more becomes absent. Denoising (Lewis et al., "BART: Denoising Sequence-to-Sequence Pre-training", ACL
2020, section 2.2): sentences but the title change places, and spans of words with Poisson lengths become one mark each.
"""

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np
import torch

from keywright.evaluation.answers import Answers, GoldDocument, GoldSet
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.scoring.scorer import Scorer
from keywright.neural.data.examples import (
    MASKED,
    TITLE_END,
    Example,
    Words,
    batch_by_length,
    divide_phrases,
    find_phrase,
    stem_words,
)
from keywright.neural.decoding.phrases import Decoding, generate_phrases
from keywright.neural.models.generator import KeyphraseGenerator
from keywright.neural.training.recipe import Recipe

_SHARE: Final = 0.3  # share of the words that spans replace; Lewis et al. 2020, section 3
_MEAN_LENGTH: Final = 3.0  # mean length of a span in words; Lewis et al. 2020, section 2.2
LOSS = "loss"
_MEASURES = ("present/F@M", "present/F@5", "absent/F@M", "absent/F@5")


def change_examples(
    recipe: Recipe, model: KeyphraseGenerator, examples: Sequence[Example], step: int
) -> Sequence[Example]:
    """Return the examples that a model reads in a step, counted from 0.

    Seed and step alone decide the changes, so that a resumed training repeats them.
    """
    if recipe.objective == "denoising":
        return _add_noise(model, examples, np.random.default_rng((recipe.seed, step, 1)))
    if not recipe.kpdrop:
        return examples
    random = np.random.default_rng((recipe.seed, step, 0))
    changed = []
    for example in examples:
        drawn = random.random(len(example.present)) < recipe.kpdrop
        changed.append(remove_phrases(example, {example.present[place] for place in np.flatnonzero(drawn)}))
    return changed if recipe.kpdrop_variant == "replace" else [*examples, *changed]


def validate(recipe: Recipe, model: KeyphraseGenerator, examples: Sequence[Example]) -> dict[str, float]:
    """Return the loss of a target token, and F1 at 5 and of the whole list for present and absent keyphrases.

    Denoising has the loss only, with the same changes at each validation.
    """
    model.eval()
    values = {}
    if recipe.objective == "denoising":
        examples = _add_noise(model, examples, np.random.default_rng((recipe.seed, 2)))
    else:
        values = _score_lists(model, examples, recipe.batch)
    total, tokens = 0.0, 0
    with torch.inference_mode():
        for rows in batch_by_length([len(example.source) for example in examples], recipe.batch):
            loss = model.loss([examples[row] for row in rows])
            total, tokens = total + loss.total.item(), tokens + loss.tokens
    return {**values, LOSS: total / tokens if tokens else math.nan}


def _score_lists(model: KeyphraseGenerator, examples: Sequence[Example], batch: int) -> dict[str, float]:
    sources, decoding = [example.source for example in examples], Decoding(longest=model.longest)
    lists = {
        examples[row].id: tuple(" ".join(phrase.words) for phrase in phrases)
        for row, phrases in generate_phrases(model, sources, decoding, batch)
    }
    phrases_of = ((each.id, map(" ".join, (*each.phrases, *each.behind))) for each in examples)
    gold = [GoldDocument(name, tuple((phrase,) for phrase in phrases)) for name, phrases in phrases_of]
    # Keyphrases of the part behind the cut are present, though it was not read.
    texts = {each.id: " ; ".join(map(" ".join, (each.source, *each.behind))) for each in examples}
    scorer = Scorer.of(KPG, [GoldSet("gold", tuple(gold))], texts)
    values = scorer.score(Answers("validation", lists, len(lists))).values
    return {measure: values[measure] for measure in _MEASURES}


def _add_noise(model: KeyphraseGenerator, examples: Sequence[Example], random: np.random.Generator) -> list[Example]:
    """Return noisy examples of the words that the model reads: others cannot be restored."""
    return [make_noisy_example(each.id, each.source[: model.count_read(each.source)], random) for each in examples]


def remove_phrases(example: Example, phrases: Collection[Words]) -> Example:
    """Return an example whose source lacks some phrases; one mark is left for each stretch of removed words."""
    if not phrases:
        return example
    words, stems = list(example.source), list(stem_words(example.source))
    for phrase in sorted(phrases, key=len, reverse=True):  # a long one first, before its parts break it up
        sought, start = stem_words(phrase), 0
        while (at := find_phrase(tuple(stems[start:]), sought)) is not None:
            place = slice(start + at, start + at + len(sought))
            words[place], stems[place] = [MASKED], [MASKED]
            start += at + 1
    present, absent = divide_phrases(tuple(stems), example.phrases)
    joined = tuple(word for word, before in zip(words, ("", *words), strict=False) if not word == before == MASKED)
    return Example(example.id, joined, tuple(present), tuple(absent))


def make_noisy_example(name: str, source: Words, random: np.random.Generator) -> Example:
    """Return an example of this name with the changed source, whose only keyphrase is the text."""
    text = tuple(word for word in source if word != TITLE_END[-1])
    return Example(name, corrupt_source(source, random), (text,), ())


def corrupt_source(source: Words, random: np.random.Generator) -> Words:
    """Return a source with some spans replaced by marks, and the sentences behind its title in another order."""
    head = source.index(TITLE_END[-1]) if TITLE_END[-1] in source else 0
    title, mark, text = source[:head], source[head : head + 1] if head else (), source[head + 1 if head else 0 :]
    sentences = split_sentences(text)
    order = random.permutation(len(sentences)).tolist()
    shuffled = tuple(itertools.chain.from_iterable(sentences[place] for place in order))
    return (*_replace_spans(title, random), *mark, *_replace_spans(shuffled, random))


def split_sentences(words: Words) -> list[Words]:
    """Return the sentences of a text, which end with full stops."""
    bounds = [0, *(at + 1 for at, word in enumerate(words) if word == "."), len(words)]
    return [words[start:end] for start, end in itertools.pairwise(bounds) if start < end]


def _replace_spans(words: Words, random: np.random.Generator) -> Words:
    """Return words of which a share is replaced, at random."""
    room = round(_SHARE * len(words))
    lengths: list[int] = []
    while sum(lengths) < room:
        lengths.append(min(int(random.poisson(_MEAN_LENGTH)), room - sum(lengths)))
    left = len(words) - room
    # At most one span between two kept words, so that marks are never adjacent; only empty spans can be too many.
    lengths = sorted(lengths, reverse=True)[: left + 1]
    gaps = random.choice(left + 1, size=len(lengths), replace=False).tolist()
    return infill_spans(words, dict(zip(gaps, lengths, strict=True)))


def infill_spans(words: Words, spans: Mapping[int, int]) -> Words:
    """Return words with each of ``spans`` replaced by one mark: lengths, 0 between words, by words before."""
    result: list[str] = []
    at = 0
    for count in range(len(words) - sum(spans.values()) + 1):
        if count in spans:
            result.append(MASKED)
            at += spans[count]
        result += words[at : at + 1]
        at += 1
    return tuple(result)
