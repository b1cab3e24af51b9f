"""Predictions of keyphrase generators: text with one document a line, and OpenNMT-kpg's ``.pred`` JSON Lines.

Text has ``;`` between phrases, as OpenNMT-kpg's exports, kg_one2set and the scripts of Chan and others write it.
Neither form has ids: line numbers are matched with the gold's order. A mark ``<peos>`` between present and absent
phrases is dropped.
"""

from typing import Final

from keywright.core.errors import BadRecord
from keywright.evaluation.run_formats.format import Form, LoadedRun, Source, ranked, run_of, some
from keywright.evaluation.run_formats.json_lines import first_record, phrases, records

PEOS: Final = "<peos>"
_EXPECTED = 'a list "pred_sents" or "preds" on each line'


def _looks_like_text(source: Source) -> bool:
    lines = source.beginning()
    return any(";" in line for line in lines) and not any("\0" in line or "\ufffd" in line for line in lines)


def _read_text(source: Source) -> LoadedRun:
    lists, empty, marks = [], 0, 0
    for number, line in enumerate(source.lines(), start=1):
        pieces = [piece.strip() for piece in line.replace(PEOS, f";{PEOS};").split(";")]
        kept = [piece for piece in pieces if piece and piece != PEOS]
        marks += PEOS in pieces
        empty += not kept
        lists.append((str(number), ranked(kept)))
    notes = some(empty, "lines are empty: no predictions") + some(marks, f"lines have a mark {PEOS}, it was dropped")
    return LoadedRun("kpg", run_of(source, "kpg", lists), notes, numbered=True)


def _looks_like_opennmt(source: Source) -> bool:
    return bool({"pred_sents", "preds"} & first_record(source).keys())


def _read_opennmt(source: Source) -> LoadedRun:
    lists, empty = [], 0
    for count, (number, record) in enumerate(records(source, _EXPECTED), start=1):
        given = record.get("pred_sents") or record.get("preds") or []
        try:
            found = phrases(given)
        except TypeError as error:
            raise BadRecord(f"line {number} of {source.name}: {error} is wrong", f"expected {_EXPECTED}") from None
        kept = [phrase for phrase in found if phrase != PEOS]
        empty += not kept
        lists.append((str(count), ranked(kept)))
    return LoadedRun(
        "opennmt", run_of(source, "opennmt", lists), some(empty, "documents have no predictions"), numbered=True
    )


TEXT = Form("kpg", "text of keyphrase generators: a document a line, `;` between phrases", _looks_like_text, _read_text)
OPENNMT = Form("opennmt", "JSON Lines of OpenNMT-kpg: `pred_sents`", _looks_like_opennmt, _read_opennmt)
