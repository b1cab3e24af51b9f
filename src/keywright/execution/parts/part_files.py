"""Files of results of a part: JSON Lines or Parquet, written while the results come."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice, starmap
from pathlib import Path
from typing import Any, Final, TypeAlias

from keywright.core.atomic_files import synced_file
from keywright.core.data_frames import data_frame
from keywright.core.errors import unknown
from keywright.core.extras import needs_extra
from keywright.core.finished_records import signed_texts
from keywright.core.json_text import to_json
from keywright.core.result_rows import kinds, result_columns
from keywright.core.signatures import short_signature
from keywright.execution.file_extraction import FileOutcome
from keywright.execution.finishing import AsRecord

_GROUP: Final = 2_000
"""Documents of a group of rows in Parquet, which are in memory at once; arbitrary."""


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """How results are written.

    Attributes:
        form: ``jsonl`` or ``parquet``.
        system: signature of the system.
        options: options that decide the results; the first record of each file has them.
        wide: whether Parquet has one row for each document, not for each keyphrase.
        include_text: whether records of JSON Lines hold the documents' texts.
        concepts: whether Parquet has columns of concepts.
    """

    form: str
    system: str
    options: Mapping[str, Any] = field(default_factory=dict)
    wide: bool = False
    include_text: bool = False
    concepts: bool = False

    def check(self) -> None:
        """Check that files of this form can be written here.

        Raises:
            UnknownName: there is no such form.
            MissingExtra: pyarrow is not installed.
        """
        if self.form not in _WRITERS:
            raise unknown("format of parts", self.form, _WRITERS, "keywright extract --help")
        if self.form == "parquet":
            with needs_extra("parquet", "Parquet in parts needs the package pyarrow"):
                import pyarrow.parquet  # noqa: F401, PLC0415 - optional

    @property
    def ending(self) -> str:
        """Ending of the files' names."""
        return f".{self.form}"

    def write(self, path: Path, outcomes: Iterable[FileOutcome]) -> None:
        """Write a file, which appears when it is whole."""
        with synced_file(path) as file:
            binary: Any = file
            _WRITERS[self.form](self, binary.buffer, outcomes)


def _json_lines(files: ResultFiles, target: Any, outcomes: Iterable[FileOutcome]) -> None:
    """Write a record a line, as ``extract`` does."""
    records = starmap(AsRecord(short_signature(files.system), files.include_text), outcomes)
    for text in signed_texts(records, files.system, files.options):
        target.write(text.encode("utf-8") + b"\n")


def _parquet(files: ResultFiles, target: Any, outcomes: Iterable[FileOutcome]) -> None:
    """Write rows in groups, each of so many documents; the columns have the same types in all files."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - optional

    def table(group: Iterable[FileOutcome]) -> Any:
        shape = {"wide": files.wide, "concepts": files.concepts}
        columns = result_columns((outcome for _, outcome in group), **shape)
        return data_frame(columns, kinds(**shape), "pyarrow")

    stream = iter(outcomes)
    schema = table(()).schema.with_metadata(
        {"keywright.system": files.system, "keywright.options": to_json(dict(files.options))}
    )
    with pq.ParquetWriter(target, schema) as writer:
        while group := list(islice(stream, _GROUP)):
            writer.write_table(table(group).replace_schema_metadata(schema.metadata))


Write: TypeAlias = Callable[[ResultFiles, Any, Iterable[FileOutcome]], None]
_WRITERS: Final[Mapping[str, Write]] = {"jsonl": _json_lines, "parquet": _parquet}
FORMS: Final = tuple(_WRITERS)
"""Forms of results in parts."""
