"""What generators wrote out while decoding: every token with its probability, marks included, a document a list.

A file is one JSON object of lists over documents. Models of words (ExHiRD, One2Seq, One2Set) have ``predictions`` and
``scores``; models of pieces ``token_predictions`` and ``probabilities``, T5 numbers of pieces with the text of the
whole output in ``predictions``. There are no ids: the order is that of the collection. How outputs are cut:

=========  ====================================  ==================================================
format     a phrase ends with                    else
=========  ====================================  ==================================================
exhird     ``;``                                 begins with ``<p_start>`` or ``<a_start>``; ``</s>`` ends all
one2seq    ``<sep>``                             ``<eos>`` ends all
one2set    ``<eos>``, or after six tokens        twenty slots of six tokens; ``<null>`` in place of no phrase
bart       `` ;``                                ``</s>`` ends all
t5         32100                                 1 ends all, 0 fills up; texts are cut at ``<sep>``
=========  ====================================  ==================================================
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from keywright.core.errors import BadRecord
from keywright.core.json_values import a_list, an_object, numbers, texts, whole
from keywright.core.predictions import Prediction
from keywright.core.runs import Run
from keywright.evaluation.run_formats.format import Form, LoadedRun, Source, some
from keywright.evaluation.run_formats.token_probabilities import best_first, keyphrase

Piece: TypeAlias = dict[str, Any]
"""A phrase under the names of ``generations``, but for its rank."""
Cut: TypeAlias = Callable[[Mapping[str, Any], int], list[Piece]]
"""The phrases of one document of a file, in the order of generation."""

SLOT: Final = 6
"""Tokens of a slot of One2Set."""

_STARTS: Final = frozenset({"<p_start>", "<a_start>"})
_NULL: Final = "<null>"
_T5_DELIMITER, _T5_END, _T5_PADDING = "32100", "1", "0"
_EXPECTED = "expected one JSON object of lists over documents, as the model's own script wrote it"


def cut(
    tokens: Sequence[str], probabilities: Sequence[float], delimiter: str, end: str, *, pieces: bool = False
) -> list[Piece]:
    """Phrases of an output in one row: what stands between delimiters, up to the end; some may be empty.

    Args:
        tokens: of one document, marks included.
        probabilities: one a token.
        delimiter: mark that ends a phrase, blanks aside.
        end: mark that ends the output; without it, the last phrase may be unfinished.
        pieces: whether tokens bring their blanks along.

    Raises:
        ValueError: there is another number of probabilities than of tokens.
    """
    if len(tokens) != len(probabilities):
        raise ValueError(f"{len(tokens)} tokens and {len(probabilities)} probabilities")
    found: list[Piece] = [{"tokens": [], "probs": []}]
    for token, probability in zip(tokens, probabilities, strict=True):
        mark = token.strip()
        if mark in (delimiter, end):
            found[-1]["end_prob"] = probability
            if mark == end:
                break
            found.append({"tokens": [], "probs": []})
        elif mark in _STARTS:
            found[-1]["start_prob"] = probability
        else:
            found[-1]["tokens"].append(token)
            found[-1]["probs"].append(probability)
    between = "" if pieces else " "
    return [piece | {"phrase": between.join(piece["tokens"]).strip()} for piece in found]


def cut_slots(tokens: Sequence[str], probabilities: Sequence[float]) -> list[Piece]:
    """Phrases of slots that were filled at once; slots that gave no phrase are empty.

    Raises:
        ValueError: tokens do not fill whole slots, or there is another number of probabilities.
    """
    if len(tokens) % SLOT or len(tokens) != len(probabilities):
        raise ValueError(f"{len(tokens)} tokens and {len(probabilities)} probabilities do not fill slots of {SLOT}")
    found = []
    for slot, first in enumerate(range(0, len(tokens), SLOT)):
        within = slice(first, first if tokens[first] == _NULL else first + SLOT)
        found += [piece | {"slot": slot} for piece in cut(tokens[within], probabilities[within], "<eos>", "<eos>")]
    return found


def cut_numbers(tokens: Sequence[int], probabilities: Sequence[float], output: str) -> list[Piece]:
    """Phrases of T5's numbers of pieces, with their texts from the whole output; padding goes, before and after.

    Raises:
        ValueError: numbers and texts are not the same number of phrases, or there are not as many probabilities.
    """
    rows = [row for row in zip(map(str, tokens), probabilities, strict=True) if row[0] != _T5_PADDING]
    found = cut([row[0] for row in rows], [row[1] for row in rows], _T5_DELIMITER, _T5_END)
    phrases = [one.strip() for one in output.split("<sep>")]
    if len(phrases) != len(found):
        raise ValueError(f"{len(found)} phrases in the tokens and {len(phrases)} in {output!r:.60}")
    return [piece | {"phrase": phrase} for piece, phrase in zip(found, phrases, strict=True)]


def _exhird(dump: Mapping[str, Any], at: int) -> list[Piece]:
    return cut(*_columns(dump, at, "predictions", "scores"), ";", "</s>")


def _one2seq(dump: Mapping[str, Any], at: int) -> list[Piece]:
    return cut(*_columns(dump, at, "predictions", "scores"), "<sep>", "<eos>")


def _one2set(dump: Mapping[str, Any], at: int) -> list[Piece]:
    return cut_slots(*_columns(dump, at, "predictions", "scores"))


def _bart(dump: Mapping[str, Any], at: int) -> list[Piece]:
    return cut(*_columns(dump, at, "token_predictions", "probabilities"), ";", "</s>", pieces=True)


def _t5(dump: Mapping[str, Any], at: int) -> list[Piece]:
    (tokens,), (output,) = dump["token_predictions"][at], texts(dump["predictions"][at], "predictions")
    given = numbers(dump["probabilities"][at], "probabilities")
    return cut_numbers([whole(one, "token") for one in a_list(tokens, "tokens")], given, output)


def _columns(dump: Mapping[str, Any], at: int, tokens: str, given: str) -> tuple[Sequence[str], Sequence[float]]:
    """Tokens and probabilities of a document."""
    return texts(dump[tokens][at], tokens), numbers(dump[given][at], given)


def _read(source: Source, form: str, tokens: str, phrases: Cut) -> LoadedRun:
    """Predictions by number of document, the first 1."""
    try:
        dump = an_object(json.loads(source.text()))
        documents = a_list(dump[tokens], tokens)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadRecord(f"{source.name} is no output of {form}: {_reason(error)}", _EXPECTED) from None
    predictions = []
    for at in range(len(documents)):
        try:
            kept = [piece for piece in phrases(dump, at) if piece["tokens"] and piece["phrase"]]
            given = [
                keyphrase(piece | {"rank": rank}, spelled=form != "t5") for rank, piece in enumerate(kept, start=1)
            ]
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise BadRecord(f"document {at + 1} of {source.name}: {_reason(error)}", _EXPECTED) from None
        predictions.append(Prediction(str(at + 1), best_first(given)))
    run = Run(f"{form}|sha256:{source.sha256}", "", "", tuple(predictions))
    empty = sum(not one.keyphrases for one in predictions)
    return LoadedRun(form, run, some(empty, "documents have no predictions"), numbered=True)


def _reason(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)


def _recognise(source: Source, column: bytes, mark: bytes, without: bytes) -> bool:
    """One JSON object with the column; JSON Lines, such as runs of our own, may hold all these words by chance."""
    data = source.data.lstrip()
    first, _, rest = data.partition(b"\n")
    lines = first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")
    return data[:1] == b"{" and not lines and column in data and mark in data and without not in data


def _form(name: str, what: str, columns: tuple[str, str, bytes, bytes], phrases: Cut) -> Form:
    """A format of one model."""
    tokens, probabilities, mark, without = columns
    return Form(
        name,
        f"output of {what} with the probability of every token",
        partial(_recognise, column=f'"{probabilities}"'.encode(), mark=mark, without=without),
        partial(_read, form=name, tokens=tokens, phrases=phrases),
    )


_WORDS: Final = ("predictions", "scores")
_PIECES: Final = ("token_predictions", "probabilities")

FORMS: Final = (
    _form("exhird", "ExHiRD", (*_WORDS, b'"<p_start>"', b'"<null>"'), _exhird),
    _form("one2seq", "the Transformer of sequences", (*_WORDS, b'"<sep>"', b'"<null>"'), _one2seq),
    _form("one2set", "the Transformer of sets (SetTrans)", (*_WORDS, b'"<null>"', b'"<sep>"'), _one2set),
    _form("bart", "BART", (*_PIECES, b'" ;"', b"<sep>"), _bart),
    _form("t5", "T5", (*_PIECES, b"32100", b'" ;"'), _t5),
)
"""The five formats."""
