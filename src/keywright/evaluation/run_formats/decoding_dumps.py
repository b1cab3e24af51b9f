"""Dumps of generators while decoding: every token with its probability, marks included, one list per document.

A file is one JSON object of lists over documents. Word models (ExHiRD, One2Seq, One2Set) have ``predictions`` and
``scores``; subword models ``token_predictions`` and ``probabilities``, T5 token numbers with the text of the whole
output in ``predictions``. There are no ids: the order is that of the collection. How outputs are split:

=========  ====================================  ==================================================
format     a phrase ends with                    else
=========  ====================================  ==================================================
exhird     ``;``                                 begins with ``<p_start>`` or ``<a_start>``; ``</s>`` ends all
one2seq    ``<sep>``                             ``<eos>`` ends all
one2set    ``<eos>``, or after six tokens        twenty slots of six tokens; ``<null>`` in place of no phrase
bart       `` ;``                                ``</s>`` ends all
t5         32100                                 1 ends all, 0 is padding; texts are split at ``<sep>``
=========  ====================================  ==================================================
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from keywright.core.json_values import a_list, an_object, numbers, texts, whole
from keywright.core.predictions import Prediction, Run
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source, located, no_predictions
from keywright.evaluation.run_formats.token_probabilities import best_first, keyphrase

Piece: TypeAlias = dict[str, Any]
"""A phrase under the names of ``token_probabilities``, without its rank."""
Cut: TypeAlias = Callable[[Sequence[str], Sequence[float]], list[Piece]]
"""Splits the tokens and probabilities of one document into phrases, in the order of generation."""
SLOT: Final = 6
"""Tokens of a slot of One2Set."""
_STARTS: Final = frozenset({"<p_start>", "<a_start>"})
_NULL: Final = "<null>"
_T5_DELIMITER, _T5_END, _T5_PADDING = "32100", "1", "0"
_EXPECTED = "one JSON object of lists over documents, as the model's own script wrote it"
_WORDS: Final = ("predictions", "scores")
_PIECES: Final = ("token_predictions", "probabilities")


def cut(
    tokens: Sequence[str], probabilities: Sequence[float], delimiter: str, end: str, *, pieces: bool = False
) -> list[Piece]:
    """Split an output at delimiters, up to the end; some phrases may be empty.

    ``pieces``: whether tokens contain their own blanks. Without the end mark the last phrase may be incomplete.
    """
    if len(tokens) != len(probabilities):
        raise ValueError(f"{len(tokens)} tokens and {len(probabilities)} probabilities")
    phrases: list[Piece] = [{"tokens": [], "probs": []}]
    for token, probability in zip(tokens, probabilities, strict=True):
        mark = token.strip()
        if mark in (delimiter, end):
            phrases[-1]["end_prob"] = probability
            if mark == end:
                break
            phrases.append({"tokens": [], "probs": []})
        elif mark in _STARTS:
            phrases[-1]["start_prob"] = probability
        else:
            phrases[-1]["tokens"].append(token)
            phrases[-1]["probs"].append(probability)
    between = "" if pieces else " "
    return [piece | {"phrase": between.join(piece["tokens"]).strip()} for piece in phrases]


def cut_slots(tokens: Sequence[str], probabilities: Sequence[float]) -> list[Piece]:
    """Split an output of slots that were filled at once; slots without a phrase are empty."""
    if len(tokens) % SLOT or len(tokens) != len(probabilities):
        raise ValueError(f"{len(tokens)} tokens and {len(probabilities)} probabilities do not fill slots of {SLOT}")
    phrases = []
    for slot, first in enumerate(range(0, len(tokens), SLOT)):
        within = slice(first, first if tokens[first] == _NULL else first + SLOT)
        phrases += [piece | {"slot": slot} for piece in cut(tokens[within], probabilities[within], "<eos>", "<eos>")]
    return phrases


def cut_numbers(tokens: Sequence[int], probabilities: Sequence[float], output: str) -> list[Piece]:
    """Split T5's token numbers into phrases, with texts from the whole output; padding on both sides is dropped."""
    rows = [row for row in zip(map(str, tokens), probabilities, strict=True) if row[0] != _T5_PADDING]
    pieces = cut([row[0] for row in rows], [row[1] for row in rows], _T5_DELIMITER, _T5_END)
    phrases = [phrase.strip() for phrase in output.split("<sep>")]
    if len(phrases) != len(pieces):
        raise ValueError(f"{len(pieces)} phrases in the tokens and {len(phrases)} in {output!r:.60}")
    return [piece | {"phrase": phrase} for piece, phrase in zip(pieces, phrases, strict=True)]


def _phrases(dump: Mapping[str, Any], place: int, columns: tuple[str, str], split: Cut | None) -> list[Piece]:
    """Return the phrases of one document of a file; without ``split`` as T5's numbers."""
    tokens, probabilities = (dump[column][place] for column in columns)
    probabilities = numbers(probabilities, columns[1])
    if split is not None:
        return split(texts(tokens, columns[0]), probabilities)
    (row,), (output,) = tokens, texts(dump["predictions"][place], "predictions")
    return cut_numbers([whole(token, "token") for token in a_list(row, "tokens")], probabilities, output)


def _read(source: Source, form: str, columns: tuple[str, str], split: Cut | None) -> LoadedRun:
    """Read predictions; documents are numbered from 1."""
    with located(f"{source.name} is not an output of {form}", _EXPECTED):
        dump = an_object(json.loads(source.text()))
        documents = len(a_list(dump[columns[0]], columns[0]))
    predictions = []
    for place in range(documents):
        with located(f"document {place + 1} of {source.name}", _EXPECTED):
            pieces = [piece for piece in _phrases(dump, place, columns, split) if piece["tokens"] and piece["phrase"]]
            ranked = (piece | {"rank": rank} for rank, piece in enumerate(pieces, start=1))
            phrases = [keyphrase(piece, spelled=split is not None) for piece in ranked]
        predictions.append(Prediction(str(place + 1), best_first(phrases)))
    run = Run(f"{form}|sha256:{source.sha256}", "", "", tuple(predictions))
    return LoadedRun(form, run, no_predictions(run), numbered=True)


def _recognise(source: Source, column: bytes, mark: bytes, without: bytes) -> bool:
    """Check for one JSON object with the column; JSON Lines, such as our own runs, may contain these words too."""
    data = source.data.lstrip()
    first, _, rest = data.partition(b"\n")
    lines = first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")
    return data[:1] == b"{" and not lines and column in data and mark in data and without not in data


def _form(name: str, what: str, columns: tuple[str, str], marks: tuple[bytes, bytes], split: Cut | None) -> RunFormat:
    """Return the format of one model; a file has the first of the marks and not the second."""
    return RunFormat(
        name,
        f"output of {what} with the probability of every token",
        partial(_recognise, column=f'"{columns[1]}"'.encode(), mark=marks[0], without=marks[1]),
        partial(_read, form=name, columns=columns, split=split),
    )


_EXHIRD = partial(cut, delimiter=";", end="</s>")
_ONE2SEQ = partial(cut, delimiter="<sep>", end="<eos>")
_BART = partial(cut, delimiter=";", end="</s>", pieces=True)

FORMS: Final = (
    _form("exhird", "ExHiRD", _WORDS, (b'"<p_start>"', b'"<null>"'), _EXHIRD),
    _form("one2seq", "the Transformer of sequences", _WORDS, (b'"<sep>"', b'"<null>"'), _ONE2SEQ),
    _form("one2set", "the Transformer of sets (SetTrans)", _WORDS, (b'"<null>"', b'"<sep>"'), cut_slots),
    _form("bart", "BART", _PIECES, (b'" ;"', b"<sep>"), _BART),
    _form("t5", "T5", _PIECES, (b"32100", b'" ;"'), None),
)
"""The five formats."""
