"""Runs written in each format as other tools write them, for tests."""

import csv
import io
import json
from pathlib import Path

from keywright.core.predictions import Keyphrase, Prediction
from keywright.core.records import run_lines
from keywright.core.runs import Run

Lists = dict[str, tuple[str, ...]]


def keywright(lists: Lists, path: Path) -> Path:
    predictions = (
        Prediction(name, tuple(Keyphrase(text, -float(rank)) for rank, text in enumerate(given)))
        for name, given in lists.items()
    )
    return _text(path, "".join(run_lines(Run("s|v0", "", "", tuple(predictions)))))


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
    return _text(path, "".join(json.dumps(record) + "\n" for record in records))


def kpg(lists: Lists, path: Path) -> Path:
    return _text(path, "".join(";".join(given) + "\n" for given in lists.values()))


def opennmt(lists: Lists, path: Path) -> Path:
    records = ({"src": [], "pred_sents": [phrase.split() for phrase in given]} for given in lists.values())
    return _text(path, "".join(json.dumps(record) + "\n" for record in records))


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
    return _text(path, "".join(json.dumps(record) + "\n" for record in records))


WRITERS = {
    "keywright": keywright,
    "semeval": semeval,
    "res": res,
    "key": key,
    "trec": trec,
    "csv": table,
    "ake": ake,
    "kpeval": kpeval,
    "kpg": kpg,
    "opennmt": opennmt,
    "generations": generations,
    "generations-own": generations,
}


def _text(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8", newline="")
    return path


def _folder(lists: Lists, path: Path, ending: str) -> Path:
    path.mkdir()
    for name, given in lists.items():
        _text(path / f"{name}{ending}", "".join(f"{phrase}\n" for phrase in given))
    return path
