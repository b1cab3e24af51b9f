"""Answer files of SemEval-2010 Task 5: ``id : stem,stem,...``. Phrases are stems already and are scored as they are."""

import re

from keywright.evaluation.formats.answers import parse_answers
from keywright.evaluation.run_formats.format import LoadedRun, RunFormat, Source

_LINE = re.compile(r"\S+ :( |$)")


def _recognise(source: Source) -> bool:
    lines = source.beginning()
    return 2 * sum(bool(_LINE.match(line)) for line in lines) > len(lines)


def _read(source: Source) -> LoadedRun:
    return LoadedRun("semeval", parse_answers(source.data, source.marks))


FORM = RunFormat("semeval", "answer lines of SemEval-2010: `id : stem,stem,...`", _recognise, _read)
