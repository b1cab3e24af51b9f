"""Predictions of generators with token probabilities: JSON Lines with texts and gold, and dumps of the models' scripts.

Fields of a line of ``generations``, and marks by which outputs are split, are in docs/reference/run-formats.md. A dump
has every token with its probability, marks included: one JSON object of lists over documents. Word models (ExHiRD,
One2Seq, One2Set) have ``predictions`` and ``scores``; subword models ``token_predictions`` and ``probabilities``, T5
token numbers with the text of the whole output in ``predictions``. There are no ids: the order is the collection's.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadRecord
from keywright.core.json_values import check_list, check_numbers, check_object, check_text, check_texts, decode
from keywright.core.keyphrases import Generation, Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.run_formats import format as frame
from keywright.evaluation.run_formats.files import iterate_records, split_title
from keywright.evaluation.run_formats.format import LoadedRun, PhraseLists, RunFormat, Source, locate_errors

KPP: Final = "kpp"  # evidence of a phrase whose perplexity is all that is available
LEAST: Final = 1e-12  # lower bound of a token's probability, so that its logarithm is finite; arbitrary
_EXPECTED_RECORD: Final = (
    '{"doc_id", "source", "gold": […], "phrases": [{"phrase", "tokens": […], "probs": […]} or {…, "kpp"}, …]}'
)
_EXPECTED_DUMP: Final = "one JSON object of lists over documents, as the model's own script wrote it"
_PIECE_MARK: Final = "▁"
_STEMMED: Final = frozenset({"semeval"})  # collections whose gold ships stemmed
SLOT: Final = 6  # tokens of a slot of One2Set
_STARTS: Final = frozenset({"<p_start>", "<a_start>"})
_NULL: Final = "<null>"
_T5_DELIMITER, _T5_END, _T5_PADDING = "32100", "1", "0"
_WORDS: Final = ("predictions", "scores")
_PIECES: Final = ("token_predictions", "probabilities")


@dataclass(frozen=True, slots=True)
class Piece:
    """A phrase under the names of a line of ``generations``: its tokens and their probabilities, or its perplexity."""

    phrase: str
    tokens: tuple[str, ...] | None
    probs: tuple[float, ...] | None
    rank: int = 0
    start_prob: float | None = None
    end_prob: float | None = None
    slot: int | None = None
    kpp: float | None = None


Split: TypeAlias = Callable[[Sequence[str], Sequence[float]], list[Piece]]
"""Splits the tokens and probabilities of one document into phrases, in the order of generation."""


@dataclass(frozen=True, slots=True)
class Output:
    """The complete output of a generator for one document, delimiters, marks and null slots included."""

    tokens: tuple[str, ...]
    probabilities: tuple[float, ...]  # 0 to 1, one per token; 0 for a token that was forced, not generated


def _read_generations(source: Source, *, model_input: bool = False) -> LoadedRun:
    # Text and gold are those of the collection, or those that the model itself received.
    source_key, gold_key = ("model_source", "model_gold") if model_input else ("source", "gold")
    predictions = []
    labelled: dict[str, LabelledDocument[Document]] = {}
    stemmed = False
    systems: dict[str, None] = {}
    for line, record in iterate_records(source, _EXPECTED_RECORD):
        with locate_errors(f"line {line} of {source.name}", _EXPECTED_RECORD):
            name, seed = check_text(record["doc_id"], "doc_id"), record.get("seed")
            if name in labelled:
                raise ValueError(f"document {name!r} comes twice")
            phrases = [decode(Piece, phrase, "phrase") for phrase in check_list(record["phrases"], "phrases")]
            predictions.append(_make_prediction(name, phrases))
            if model_input and record.get(source_key) is None:
                raise KeyError(source_key)
            gold = record["gold"] if record.get(gold_key) is None else record[gold_key]
            document = split_title(name, check_text(record[source_key], source_key))
            labelled[name] = frame.label_document(document, check_texts(gold, gold_key))
            model = check_text(record.get("model", "generator"), "model")
            systems[model if seed is None else f"{model}|seed:{seed}"] = None
        stemmed = stemmed or record.get("dataset") in _STEMMED
    if len(systems) > 1:
        message = f"{source.name} has predictions of several models: {', '.join(systems)}"
        raise BadRecord(message, "expected one file per model")
    run = Run(f"{next(iter(systems), '')}|sha256:{source.sha256}", "", "", tuple(predictions))
    notes = frame.note_empty_lists(run)
    return LoadedRun("generations", run, notes, labelled=tuple(labelled.values()), stemmed=stemmed)


def _make_prediction(name: str, pieces: Sequence[Piece], *, spelled: bool = True) -> Prediction:
    """Keep the order of generation; sort phrases of slots by mean token probability. ``spelled``: tokens are text."""
    phrases = [_make_keyphrase(piece, spelled=spelled) for piece in pieces]
    if any(phrase.generation and phrase.generation.slot is not None for phrase in phrases):
        logarithms = (phrase.generation.log_probabilities if phrase.generation else () for phrase in phrases)
        means = [math.fsum(map(math.exp, each)) / max(1, len(each)) for each in logarithms]
        phrases = [phrases[at] for at in sorted(range(len(phrases)), key=means.__getitem__, reverse=True)]
    return Prediction(name, tuple(phrases))


def _make_keyphrase(piece: Piece, *, spelled: bool) -> Keyphrase:
    """Return the phrase of a piece; its score is minus its rank in the order of generation."""
    phrase, tokens = piece.phrase, piece.tokens
    if (tokens is None) is not (piece.probs is None):
        raise ValueError(f"{phrase!r:.60} has tokens or probabilities, not both")
    if tokens is None or piece.probs is None:
        if piece.kpp is None:
            raise KeyError(KPP)
        if piece.kpp < 1:
            raise ValueError(f"perplexity {piece.kpp} of {phrase!r:.60} is below 1")
        return Keyphrase(phrase, -float(piece.rank), evidence={KPP: piece.kpp})
    if spelled and "".join("".join(tokens).replace(_PIECE_MARK, "").split()) != "".join(phrase.split()):
        raise ValueError(f"tokens {list(tokens)!r:.60} do not make up the phrase {phrase!r:.60}")

    def logarithm(probability: float) -> float:
        if not 0 <= probability <= 1:
            raise ValueError(f"probability {probability} in {phrase!r:.60} is not between 0 and 1")
        return math.log(max(probability, LEAST))

    end, start = (each if each is None else logarithm(each) for each in (piece.end_prob, piece.start_prob))
    logarithms = tuple(map(logarithm, piece.probs))
    generation = Generation(tokens, logarithms, end=end, start=start, slot=piece.slot, words=len(phrase.split()))
    return Keyphrase(phrase, -float(piece.rank), generation=generation)


def parse_outputs(source: Source) -> dict[str, Output]:
    """Read the complete output for each document."""
    by_document = {}
    for line, record in iterate_records(source, _EXPECTED_RECORD):
        with locate_errors(f"line {line} of {source.name}", "raw_tokens and raw_probs"):
            tokens = check_texts(record["raw_tokens"], "raw_tokens")
            probabilities = check_numbers(record["raw_probs"], "raw_probs")
            _check_lengths(tokens, probabilities)
            by_document[check_text(record["doc_id"], "doc_id")] = Output(tokens, probabilities)
    return by_document


def _check_lengths(tokens: Sequence[str], probabilities: Sequence[float]) -> None:
    if len(tokens) != len(probabilities):
        raise ValueError(f"{len(tokens)} tokens and {len(probabilities)} probabilities")


def split_output(
    tokens: Sequence[str], probabilities: Sequence[float], delimiter: str, end: str, *, pieces: bool = False
) -> list[Piece]:
    """Split an output at delimiters, up to the end; some phrases may be empty. ``pieces``: tokens contain blanks."""
    _check_lengths(tokens, probabilities)
    phrases: list[Piece] = []
    rows: list[tuple[str, float]] = []
    start: float | None = None

    def add_phrase(end_prob: float | None) -> None:
        words = tuple(token for token, _ in rows)
        text = ("" if pieces else " ").join(words).strip()
        phrases.append(Piece(text, words, tuple(each for _, each in rows), start_prob=start, end_prob=end_prob))

    for token, probability in zip(tokens, probabilities, strict=True):
        mark = token.strip()
        if mark in (delimiter, end):
            add_phrase(probability)
            rows, start = [], None
            if mark == end:
                return phrases
        elif mark in _STARTS:
            start = probability
        else:
            rows.append((token, probability))
    add_phrase(None)
    return phrases


def split_slots(tokens: Sequence[str], probabilities: Sequence[float]) -> list[Piece]:
    """Split an output of slots that were filled at once; slots without a phrase are empty."""
    if len(tokens) % SLOT or len(tokens) != len(probabilities):
        raise ValueError(f"{len(tokens)} tokens and {len(probabilities)} probabilities do not fill slots of {SLOT}")
    phrases = []
    for slot, first in enumerate(range(0, len(tokens), SLOT)):
        within = slice(first, first if tokens[first] == _NULL else first + SLOT)
        pieces = split_output(tokens[within], probabilities[within], "<eos>", "<eos>")
        phrases += [replace(piece, slot=slot) for piece in pieces]
    return phrases


def split_numbers(tokens: Sequence[int], probabilities: Sequence[float], output: str) -> list[Piece]:
    """Split T5's token numbers into phrases, with texts from the whole output; padding on both sides is dropped."""
    rows = [row for row in zip(map(str, tokens), probabilities, strict=True) if row[0] != _T5_PADDING]
    pieces = split_output([row[0] for row in rows], [row[1] for row in rows], _T5_DELIMITER, _T5_END)
    phrases = [phrase.strip() for phrase in output.split("<sep>")]
    if len(phrases) != len(pieces):
        raise ValueError(f"{len(pieces)} phrases in the tokens and {len(phrases)} in {output!r:.60}")
    return [replace(piece, phrase=phrase) for piece, phrase in zip(pieces, phrases, strict=True)]


def _make_dump(form: str, columns: tuple[str, str], mark: bytes, without: bytes, split: Split | None) -> RunFormat:
    """Return the format of one model's dumps; a file has one mark and not the other; no ``split`` for T5's numbers."""

    def recognise(source: Source) -> bool:
        data = source.data.lstrip()
        first, _, rest = data.partition(b"\n")
        # JSON Lines, such as our own runs, may contain these words too.
        lines = first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")
        column = f'"{columns[1]}"'.encode()
        return data[:1] == b"{" and not lines and column in data and mark in data and without not in data

    def read(source: Source) -> LoadedRun:
        with locate_errors(f"{source.name} is not an output of {form}", _EXPECTED_DUMP):
            dump = check_object(json.loads(source.text()))
            documents = len(check_list(dump[columns[0]], columns[0]))
        predictions = []
        for number in range(1, documents + 1):
            with locate_errors(f"document {number} of {source.name}", _EXPECTED_DUMP):
                tokens, values = (dump[column][number - 1] for column in columns)
                probabilities = check_numbers(values, columns[1])
                if split is not None:
                    pieces = split(check_texts(tokens, columns[0]), probabilities)
                else:
                    (row,), (output,) = tokens, check_texts(dump["predictions"][number - 1], "predictions")
                    pieces = split_numbers(decode(tuple[int, ...], row, "tokens"), probabilities, output)
                phrased = [piece for piece in pieces if piece.tokens and piece.phrase]
                ranked = [replace(piece, rank=rank) for rank, piece in enumerate(phrased, start=1)]
                predictions.append(_make_prediction(str(number), ranked, spelled=split is not None))
        run = Run(f"{form}|sha256:{source.sha256}", "", "", tuple(predictions))
        return LoadedRun(form, run, frame.note_empty_lists(run), numbered=True)

    return RunFormat(form, recognise, read)


GENERATIONS: Final = RunFormat(
    "generations",
    lambda source: {"doc_id", "source", "gold", "phrases"} <= source.first_record.keys(),
    _read_generations,
    lambda source: PhraseLists("generations", _read_generations(source).labelled),
)
GENERATIONS_OWN: Final = RunFormat("generations-own", None, partial(_read_generations, model_input=True))
"""The same, with the texts and gold that the model itself received."""

_EXHIRD: Final = partial(split_output, delimiter=";", end="</s>")
_ONE2SEQ: Final = partial(split_output, delimiter="<sep>", end="<eos>")
_BART: Final = partial(split_output, delimiter=";", end="</s>", pieces=True)
DUMPS: Final = (
    _make_dump("exhird", _WORDS, b'"<p_start>"', b'"<null>"', _EXHIRD),
    _make_dump("one2seq", _WORDS, b'"<sep>"', b'"<null>"', _ONE2SEQ),
    _make_dump("one2set", _WORDS, b'"<null>"', b'"<sep>"', split_slots),
    _make_dump("bart", _PIECES, b'" ;"', b"<sep>", _BART),
    _make_dump("t5", _PIECES, b"32100", b'" ;"', None),
)
"""Dumps of ExHiRD, the Transformers of sequences and of sets (SetTrans), BART and T5."""
