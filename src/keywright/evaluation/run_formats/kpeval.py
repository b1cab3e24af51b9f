"""KPEval's JSON Lines, ``{"source", "target", "prediction"}``: predictions with their own texts and gold.

Lists are JSON lists, or strings with ``;`` between phrases. A record may have an ``id``; else ids are line numbers.
"""

from keywright.core.json_values import text
from keywright.evaluation.run_formats.format import (
    LoadedRun,
    RunFormat,
    Source,
    gold,
    located,
    no_predictions,
    ranked,
    run_of,
)
from keywright.evaluation.run_formats.json_lines import document_of, first_record, phrases, records

_EXPECTED = '{"source": "…", "target": "a;b" or ["a", "b"], "prediction": "a;b" or ["a", "b"]}'


def _recognise(source: Source) -> bool:
    keys = first_record(source).keys()
    return {"source", "target"} <= keys and bool({"prediction", "predictions"} & keys)


def _read(source: Source) -> LoadedRun:
    lists, labelled, numbered = [], {}, True
    for number, record in records(source, _EXPECTED):
        name = str(record.get("id", number))
        numbered = numbered and "id" not in record
        with located(f"line {number} of {source.name}", _EXPECTED):
            document = document_of(name, text(record["source"], "source"))
            labelled[name] = gold(document, phrases(record["target"]))
            key = "predictions" if "predictions" in record and "prediction" not in record else "prediction"
            lists.append((name, ranked(phrases(record[key]))))
    run = run_of(source, "kpeval", lists)
    return LoadedRun("kpeval", run, no_predictions(run), numbered, tuple(labelled.values()))


FORM = RunFormat("kpeval", "JSON Lines of KPEval: source, target, prediction", _recognise, _read)
