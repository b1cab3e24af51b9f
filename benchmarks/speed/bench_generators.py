"""How fast generators are trained and decode, beside the library transformers at the same size, in one run.

Usage: python benchmarks/speed/bench_generators.py [--profile NAME] [--threads N] [--batch N] [--rounds N] [--json FILE]

Documents are made here: 100 to 200 words at the profile ``small``, six keyphrases of two words. Every row has the same
documents in the same batches, the same optimiser, learning rate, clipping and precision. The row "transformers, words"
is BartForConditionalGeneration with the width, layers, heads and number of words of One2Seq; "transformers, bart" and
"transformers, t5" are the very networks of ours, trained and decoded by the library's own loss and ``generate``. Lists
have 60 tokens: no end may be written before (``min_new_tokens`` there, no probability for the end here); the slots of
One2Set have 120 in all. Rounds of all rows alternate, and the median counts; the first round is left out.
"""

import argparse
import json
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from generator_work import (
    LISTED,
    Clock,
    Loss,
    Steps,
    greedy_of,
    loss_of,
    made_examples,
    made_words,
    new_model,
    tokens_listed,
)
from transformers import BartConfig, BartForConditionalGeneration

from keywright.neural.data.examples import Example
from keywright.neural.training.recipe import Profile, find_profile

_IGNORED = -100  # label that the loss of transformers leaves out
_WORDS = 20_000  # words that the documents are made of, at most; arbitrary
_MARKS = 4  # numbers in front of the words in "transformers, words": begin, padding, end, unknown, as in BART


class Contestant:
    """Training and greedy decoding by one program.

    Attributes:
        tokens: source and target tokens of a batch.
        listed: tokens of a greedy list.
    """

    def __init__(
        self,
        name: str,
        model: torch.nn.Module,
        training: tuple[Loss, Callable[[Sequence[Example]], int]],
        decode: Callable[[Sequence[Example]], object],
        listed: int,
    ) -> None:
        """Take the loss, the number of source tokens, and the decoding."""
        self.name, self.model, self.decode, self.listed = name, model, decode, listed
        self.loss, self.sources = training
        self.training_seconds: list[float] = []
        self.decoding_seconds: list[float] = []
        self.tokens = 0

    def row(self, documents: int) -> dict[str, Any]:
        """Speeds, by the median of all rounds but the first."""
        training, decoding = (statistics.median(each[1:]) for each in (self.training_seconds, self.decoding_seconds))
        return {
            "name": self.name,
            "weights": sum(weight.numel() for weight in self.model.parameters()),
            "tokens of a batch": self.tokens,
            "training tokens a second": self.tokens / training,
            "tokens of a list": self.listed,
            "greedy documents a second": documents / decoding,
        }


def ours(name: str, profile: Profile, words: Sequence[str]) -> Contestant:
    """A generator of this project."""
    model = new_model(name, profile, words, "cpu")
    training = loss_of(model), lambda examples: sum(_read(model, example) for example in examples)
    return Contestant(name, model, training, greedy_of(model), tokens_listed(model))


def _read(model: Any, example: Example) -> int:
    return len(model.sequences.source(example.source)) if hasattr(model, "subwords") else len(example.source)


def library_words(profile: Profile, words: Sequence[str]) -> Contestant:
    """BART of transformers with the size of One2Seq, which reads and writes whole words."""
    config = profile.config
    torch.manual_seed(profile.recipe.seed)
    network = BartForConditionalGeneration(
        BartConfig(
            vocab_size=len(words) + _MARKS,
            d_model=config["width"],
            encoder_layers=config["layers"],
            decoder_layers=config["layers"],
            encoder_attention_heads=config["heads"],
            decoder_attention_heads=config["heads"],
            encoder_ffn_dim=config["inner"],
            decoder_ffn_dim=config["inner"],
        )
    )
    numbers = {word: number + _MARKS for number, word in enumerate(words)}

    def source(example: Example) -> list[int]:
        return [numbers[word] for word in example.source]

    def target(example: Example) -> list[int]:
        joined = [number for phrase in example.phrases for number in (3, *(numbers[word] for word in phrase))]
        return [*joined[1:], 2]

    return _library("transformers, words", network, source, target)


def library_pieces(model: Any) -> Contestant:
    """The network of our BART or T5 and its pieces, by the library alone."""
    torch.manual_seed(0)
    network = model.network_class(model.network.config)
    network.load_state_dict(model.network.state_dict())

    def target(example: Example) -> list[int]:
        return [*model.sequences.marks.prefix[1:], *model.sequences.target(example.phrases)]

    return _library(f"transformers, {model.name}", network, lambda each: model.sequences.source(each.source), target)


def _library(
    name: str,
    network: Any,
    source: Callable[[Example], list[int]],
    target: Callable[[Example], list[int]],
) -> Contestant:
    def inputs(examples: Sequence[Example]) -> dict[str, torch.Tensor]:
        rows = [source(example) for example in examples]
        numbers = _padded(rows, network.config.pad_token_id)
        return {"input_ids": numbers, "attention_mask": _padded([[1] * len(row) for row in rows], 0)}

    def loss(examples: Sequence[Example]) -> tuple[torch.Tensor, int]:
        labels = _padded([target(example) for example in examples], _IGNORED)
        mean = network(**inputs(examples), labels=labels).loss
        return mean, int((labels != _IGNORED).sum())

    def decode(examples: Sequence[Example]) -> object:
        network.eval()
        with torch.inference_mode():
            return network.generate(
                **inputs(examples),
                do_sample=False,
                num_beams=1,
                min_new_tokens=LISTED,
                max_new_tokens=LISTED,
                forced_eos_token_id=None,
            )

    training = loss, lambda examples: sum(len(source(example)) for example in examples)
    return Contestant(name, network, training, decode, LISTED)


def _padded(rows: Sequence[Sequence[int]], fill: int) -> torch.Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows])


def measured(profile: str, threads: int, batch: int, rounds: int) -> list[dict[str, Any]]:
    """Rows of all contestants, over the same documents."""
    torch.set_num_threads(threads)
    profiles = {name: find_profile(name, profile) for name in ("one2seq", "one2set", "exhird", "bart", "t5")}
    one2seq = profiles["one2seq"]
    words = made_words(min(_WORDS, one2seq.words))
    contestants = [ours(name, chosen, words) for name, chosen in profiles.items()]
    pieces = [library_pieces(each.model) for each in contestants if each.name in {"bart", "t5"}]
    contestants = [*contestants, library_words(one2seq, words), *pieces]
    examples = made_examples(batch, words, one2seq.limits.source)
    steps = [Steps(each.model, one2seq.recipe, each.loss, "cpu") for each in contestants]
    clock = Clock("cpu", threads)
    for _ in range(rounds + 1):
        for each, training in zip(contestants, steps, strict=True):
            with clock.timing(each.training_seconds):
                _, targets = training.make(examples)
            each.tokens = each.sources(examples) + targets
            with clock.timing(each.decoding_seconds):
                each.decode(examples)
    return [each.row(len(examples)) for each in contestants]


def main() -> None:
    """Measure, print the table, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", default="small", help="size of the generators (default: small)")
    parser.add_argument("--threads", type=int, default=1, help="of torch (default: 1)")
    parser.add_argument("--batch", type=int, default=32, help="documents of a batch (default: 32)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the median counts (default: 3)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there too")
    chosen = parser.parse_args()
    rows = measured(chosen.profile, chosen.threads, chosen.batch, chosen.rounds)
    print("| | weights | training tokens/s | greedy documents/s | tokens of a list |\n|---|---:|---:|---:|---:|")
    for row in rows:
        speeds = f"{row['training tokens a second']:,.0f} | {row['greedy documents a second']:.2f}"
        print(f"| {row['name']} | {row['weights'] / 1e6:.1f} million | {speeds} | {row['tokens of a list']} |")
    if chosen.json:
        settings = {key: value for key, value in vars(chosen).items() if key != "json"}
        chosen.json.write_text(json.dumps({**settings, "torch": torch.__version__, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
