"""Runs written in each format as other tools write them, for tests."""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

from tests.builders import run

from keywright.core.records import run_lines

Lists = dict[str, tuple[str, ...]]


def keywright(lists: Lists, path: Path) -> Path:
    return _text(path, "".join(run_lines(run(lists, "s|v0"))))


def semeval(lists: Lists, path: Path) -> Path:
    return _text(path, "".join(f"{name} : {','.join(given)}\n" for name, given in lists.items()))


def res(lists: Lists, path: Path) -> Path:
    return _folder(lists, path, ".res")


def key(lists: Lists, path: Path) -> Path:
    return _folder(lists, path, ".key")


def trec(lists: Lists, path: Path) -> Path:
    lines = [
        f"{name} Q0 {phrase} {rank} {1 / rank:.9f} mine\n"
        for name, given in lists.items()
        for rank, phrase in enumerate(given, start=1)
    ]
    return _text(path, "".join(lines))


def table(lists: Lists, path: Path) -> Path:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["Score", "keyphrase", "rank", "id"])
    for name, given in lists.items():
        writer.writerows([1 / rank, phrase, rank, name] for rank, phrase in enumerate(given, start=1))
        if not given:
            writer.writerow(["", "", "", name])
    return _text(path, text.getvalue())


def ake(lists: Lists, path: Path) -> Path:
    return _text(path, json.dumps({name: [[phrase] for phrase in given] for name, given in lists.items()}, indent=1))


def kpeval(lists: Lists, path: Path) -> Path:
    records = (
        {"id": name, "source": "a title <eos> an abstract .", "target": "gold", "prediction": ";".join(given)}
        for name, given in lists.items()
    )
    return _lines(path, records)


def kpg(lists: Lists, path: Path) -> Path:
    return _text(path, "".join(";".join(given) + "\n" for given in lists.values()))


def opennmt(lists: Lists, path: Path) -> Path:
    records = ({"src": [], "pred_sents": [phrase.split() for phrase in given]} for given in lists.values())
    return _lines(path, records)


def generations(lists: Lists, path: Path) -> Path:
    records = (
        {
            "doc_id": name,
            "source": "a title . <eos> an abstract .",
            "gold": ["gold"],
            "model_source": "a title <eot> an abstract .",
            "phrases": [
                {"phrase": phrase, "rank": rank, "tokens": phrase.split(), "probs": [0.5] * len(phrase.split())}
                for rank, phrase in enumerate(given, start=1)
            ],
        }
        for name, given in lists.items()
    )
    return _lines(path, records)


def _words(lists: Lists, path: Path, cut) -> Path:
    tokens = [[token for phrase in given for token in cut(phrase.split())] for given in lists.values()]
    return _text(path, json.dumps({"scores": [[0.5] * len(row) for row in tokens], "predictions": tokens}))


def exhird(lists: Lists, path: Path) -> Path:
    return _words(lists, path, lambda words: ["<p_start>", *words, ";"])


def one2seq(lists: Lists, path: Path) -> Path:
    return _words(lists, path, lambda words: [*words, "<sep>"])


def one2set(lists: Lists, path: Path) -> Path:
    return _words(lists, path, lambda words: ["<null>", *["<eos>"] * 5, *words, *["<eos>"] * (6 - len(words))])


def bart(lists: Lists, path: Path) -> Path:
    tokens = [
        [*(token for phrase in given for token in [*(f" {word}" for word in phrase.split()), " ;"]), "</s>"]
        for given in lists.values()
    ]
    record = {"kp_predictions": [], "probabilities": [[0.5] * len(row) for row in tokens], "token_predictions": tokens}
    return _text(path, json.dumps(record))


def t5(lists: Lists, path: Path) -> Path:
    tokens = [
        [0, *(one for phrase in given for one in [*(813 for _ in phrase.split()), 32100])] for given in lists.values()
    ]
    outputs = [["".join(f"{phrase} <sep> " for phrase in given)] for given in lists.values()]
    probabilities = [[0.0] + [0.5] * (len(row) - 1) for row in tokens]
    record = {"predictions": outputs, "probabilities": probabilities, "token_predictions": [[row] for row in tokens]}
    return _text(path, json.dumps(record))


def records(lists: Lists, path: Path) -> Path:
    rows = ({"id": name, "keyphrases": list(given)} for name, given in lists.items())
    return _lines(path, rows)


def huggingface(lists: Lists, path: Path) -> Path:
    rows = ({"id": name, "document": ["a", "b"], "predictions": list(given)} for name, given in lists.items())
    return _text(path, "".join(json.dumps(row | {"extractive_keyphrases": ["a"]}) + "\n" for row in rows))


def io_rows(lists: Lists, path: Path) -> Path:
    rows = ({"input": "a text", "label": "gold", "output": list(given)} for given in lists.values())
    return _lines(path, rows)


def list_of_lists(lists: Lists, path: Path) -> Path:
    return _text(path, json.dumps(list(lists.values()), indent=1))


WRITERS = {
    **{each.__name__: each for each in (keywright, semeval, res, key, trec, ake, kpeval, kpg, opennmt, generations)},
    **{each.__name__: each for each in (exhird, one2seq, one2set, bart, t5, records, huggingface)},
    "csv": table,
    "generations-own": generations,
    "io": io_rows,
    "lists": list_of_lists,
}


def _text(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8", newline="")
    return path


def _lines(path: Path, values: Iterable[object]) -> Path:
    return _text(path, "".join(json.dumps(value) + "\n" for value in values))


def _folder(lists: Lists, path: Path, ending: str) -> Path:
    path.mkdir()
    for name, given in lists.items():
        _text(path / f"{name}{ending}", "".join(f"{phrase}\n" for phrase in given))
    return path
