"""Parquet: rows in batches, by pyarrow."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import BrokenFile, needs_extra
from keywright.reading.limits import Limits
from keywright.reading.tables.rows import Row, Rows

_BATCH: Final = 1_000  # rows in memory at once; arbitrary
_BUFFER: Final = 1 << 20  # bytes of a column that are read at once, in place of a whole group; arbitrary
_HARMLESS: Final = 1_000_000  # bytes unpacked that are accepted at any ratio; arbitrary


def parquet_rows(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of a Parquet file."""
    file = _open_file(path, name, limits)
    batches = file.iter_batches(batch_size=_BATCH)
    rows = (row for batch in batches for row in batch.to_pylist())
    return Rows(name, tuple(file.schema_arrow.names), _rows(rows, name))


def count_rows(path: Path, name: str, limits: Limits) -> int:
    """Return the number of rows, from the end of the file."""
    return int(_open_file(path, name, limits).metadata.num_rows)


def rows_between(path: Path, name: str, first: int, count: int, limits: Limits) -> Iterator[Row]:
    """Yield some rows, ``first`` from 0; only the row groups that hold them are read."""
    return _rows(_between(_open_file(path, name, limits), first, count), name, first)


def _between(file: Any, first: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield the records of some rows; a group is read in batches, so that it need not fit in memory."""
    start, last = 0, first + count
    for place in range(file.num_row_groups):
        rows = file.metadata.row_group(place).num_rows
        if start + rows > first and start < last:
            at = start
            for batch in file.iter_batches(batch_size=_BATCH, row_groups=[place]):
                begin, end = max(first - at, 0), min(last - at, len(batch))
                if begin < end:
                    yield from batch.slice(begin, end - begin).to_pylist()
                at += len(batch)
                if at >= last:
                    return
        start += rows


def _open_file(path: Path, name: str, limits: Limits) -> Any:
    """Return a file of pyarrow, whose groups are read piece by piece, as batches ask for them."""
    with needs_extra("parquet", "Parquet needs the package pyarrow"):
        import pyarrow as pa  # noqa: PLC0415 - optional
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional
    try:
        file = pq.ParquetFile(path, buffer_size=_BUFFER)
        groups = (file.metadata.row_group(place).total_byte_size for place in range(file.num_row_groups))
        # Batches are small, so that only one group is unpacked at a time.
        largest = max(groups, default=0)
    except (pa.ArrowException, OSError, ValueError) as error:
        message = f"{name} is not a readable Parquet file: {str(error).splitlines()[0]}"
        raise BrokenFile(message, "write it again") from error
    limits.check_unpacked(path.stat().st_size, largest, name, _HARMLESS)
    return file


def _rows(records: Iterable[dict[str, Any]], name: str, first: int = 0) -> Iterator[Row]:
    number = first
    try:
        for record in records:
            number += 1
            yield Row(f"{name}:{number}", record)
    except (OSError, ValueError) as error:  # pyarrow's errors are among them
        yield Row(f"{name}:{number + 1}", {}, f"{name} is damaged from this row on: {error}")
