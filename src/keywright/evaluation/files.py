"""Files of predictions, ours and other tools', told apart by how they begin."""

from pathlib import Path

from keywright.core.errors import BadRecord, UnreadableInput
from keywright.core.records import read_run
from keywright.core.runs import Run
from keywright.evaluation.answers import Answers, parse_answers
from keywright.evaluation.gold_files import limited
from keywright.evaluation.rules import ByteMarks

_WRITTEN = "`keywright run SYSTEM DATASET -o RUN` writes one"


def read_predictions(path: Path, marks: ByteMarks) -> Run | Answers:
    """A run file, or answer lines of SemEval-2010 where the file does not begin as JSON does.

    Raises:
        UnreadableInput: there is no such file, or it is neither; the message names the line.
    """
    if not path.is_file():
        raise UnreadableInput(f"no file {path}", _WRITTEN)
    content = limited(path)
    if not content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return parse_answers(content, marks)
    try:
        lines = content.decode("utf-8-sig").split("\n")  # only line feeds: JSON texts may hold other line separators
    except UnicodeDecodeError as error:
        raise BadRecord(f"{path.name} is no UTF-8: {error.reason} at byte {error.start}", _WRITTEN) from error
    return read_run(lines, path.name)
