"""Predictions of keyphrase generators: text with one document per line, and OpenNMT-kpg's ``.pred`` JSON Lines.

Text has ``;`` between phrases, as OpenNMT-kpg's exports, kg_one2set and the scripts of Chan and others write it.
Neither form has ids: line numbers are matched with the gold's order. A mark ``<peos>`` between present and absent
phrases is dropped.
"""

from keywright.evaluation.rules import PRESENT_END
from keywright.evaluation.run_formats.format import (
    LoadedRun,
    RunFormat,
    Source,
    located,
    no_predictions,
    note,
    ranked,
    run_of,
)
from keywright.evaluation.run_formats.json_lines import first_record, phrases, records

_EXPECTED = 'a list "pred_sents" or "preds" on each line'


def _looks_like_text(source: Source) -> bool:
    lines = source.beginning()
    return any(";" in line for line in lines) and not any("\0" in line or "\ufffd" in line for line in lines)


def _read_text(source: Source) -> LoadedRun:
    lists, empty, marks = [], 0, 0
    for number, line in enumerate(source.lines(), start=1):
        pieces = phrases(line.replace(PRESENT_END, f";{PRESENT_END};"))
        predicted = [piece for piece in pieces if piece != PRESENT_END]
        marks += PRESENT_END in pieces
        empty += not predicted
        lists.append((str(number), ranked(predicted)))
    notes = note(empty, "lines are empty: no predictions")
    notes += note(marks, f"lines have a mark {PRESENT_END}, it was dropped")
    return LoadedRun("kpg", run_of(source, "kpg", lists), notes, numbered=True)


def _looks_like_opennmt(source: Source) -> bool:
    return bool({"pred_sents", "preds"} & first_record(source).keys())


def _read_opennmt(source: Source) -> LoadedRun:
    lists = []
    for count, (number, record) in enumerate(records(source, _EXPECTED), start=1):
        with located(f"line {number} of {source.name}", _EXPECTED):
            predicted = phrases(record.get("pred_sents") or record.get("preds") or [])
        lists.append((str(count), ranked(phrase for phrase in predicted if phrase != PRESENT_END)))
    run = run_of(source, "opennmt", lists)
    return LoadedRun("opennmt", run, no_predictions(run), numbered=True)


_TEXT_LINES = "text of keyphrase generators: a document a line, `;` between phrases"
TEXT = RunFormat("kpg", _TEXT_LINES, _looks_like_text, _read_text)
OPENNMT = RunFormat("opennmt", "JSON Lines of OpenNMT-kpg: `pred_sents`", _looks_like_opennmt, _read_opennmt)
