"""KPEval's JSON Lines, ``{"source", "target", "prediction"}``: predictions with their own texts and gold.

Lists are JSON lists, or texts with ``;`` between phrases. ``id`` may stand in a record; else ids are numbers of lines.
"""

from keywright.core.errors import BadRecord
from keywright.core.gold import GoldKeyphrase, LabelledDocument
from keywright.evaluation.run_formats.format import GOLD, Form, LoadedRun, Source, ranked, run_of, some
from keywright.evaluation.run_formats.json_lines import first_record, phrases, records
from keywright.evaluation.run_formats.marked_text import document_of

_EXPECTED = '{"source": "…", "target": "a;b" or ["a", "b"], "prediction": "a;b" or ["a", "b"]}'


def _recognise(source: Source) -> bool:
    keys = first_record(source).keys()
    return {"source", "target"} <= keys and bool({"prediction", "predictions"} & keys)


def _read(source: Source) -> LoadedRun:
    lists, labelled, numbered, empty = [], {}, True, 0
    for number, record in records(source, _EXPECTED):
        name = str(record.get("id", number))
        numbered = numbered and "id" not in record
        where = f"line {number} of {source.name}"
        try:
            text = record["source"]
            target = phrases(record["target"])
            predicted = phrases(record["prediction"] if "prediction" in record else record["predictions"])
            if not isinstance(text, str):
                raise TypeError("source is no text")  # noqa: TRY301 - one place adds the line
        except (KeyError, TypeError) as error:
            raise BadRecord(f"{where}: {error} is missing or wrong", f"expected {_EXPECTED}") from None
        empty += not predicted
        lists.append((name, ranked(predicted)))
        gold = tuple(GoldKeyphrase((phrase,), GOLD) for phrase in target)
        labelled[name] = LabelledDocument(document_of(name, text), gold)
    run = run_of(source, "kpeval", lists)
    return LoadedRun("kpeval", run, some(empty, "documents have no predictions"), numbered, tuple(labelled.values()))


FORM = Form("kpeval", "JSON Lines of KPEval: source, target, prediction", _recognise, _read)
