"""Parquet: rows in batches, by pyarrow, or by polars where that is installed."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from keywright.core.errors import BrokenFile
from keywright.core.extras import needs_extra
from keywright.reading.formats import Limits
from keywright.reading.tables.rows import Row, Rows

_BATCH: Final = 1_000
"""Rows in memory at once; arbitrary."""
_HARMLESS: Final = 1_000_000
"""Bytes unpacked that are accepted at any ratio; arbitrary."""


def parquet_rows(path: Path, name: str, limits: Limits) -> Rows:
    """Return the rows of a Parquet file.

    Raises:
        MissingExtra: neither pyarrow nor polars is installed.
        BrokenFile: it is damaged, or not Parquet.
        TooLarge: it unpacks to more than ``limits`` accept.
    """
    try:
        import pyarrow as pa  # noqa: F401, PLC0415 - optional
    except ImportError:
        with needs_extra("parquet", "Parquet needs the package pyarrow, or polars"):
            import polars as pl  # noqa: F401, PLC0415 - optional
        columns, records = _by_polars(path, name)
    else:
        columns, records = _by_pyarrow(path, name, limits)
    return Rows(name, columns, _rows(records, name))


def _by_pyarrow(path: Path, name: str, limits: Limits) -> tuple[tuple[str, ...], Iterable[dict[str, Any]]]:
    import pyarrow as pa  # noqa: PLC0415 - optional
    import pyarrow.parquet as pq  # noqa: PLC0415 - optional

    try:
        file = pq.ParquetFile(path)
        groups = (file.metadata.row_group(place).total_byte_size for place in range(file.num_row_groups))
        # Batches are small, so that only one group is unpacked at a time.
        largest = max(groups, default=0)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _broken(name, error) from error
    limits.check_unpacked(path.stat().st_size, largest, name, _HARMLESS)
    batches = file.iter_batches(batch_size=_BATCH)
    return tuple(file.schema_arrow.names), (record for batch in batches for record in batch.to_pylist())


def _by_polars(path: Path, name: str) -> tuple[tuple[str, ...], Iterable[dict[str, Any]]]:
    import polars as pl  # noqa: PLC0415 - optional

    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise _broken(name, error) from error
    return tuple(frame.columns), frame.iter_rows(named=True)


def _rows(records: Iterable[dict[str, Any]], name: str) -> Iterator[Row]:
    number = 0
    try:
        for record in records:
            number += 1
            yield Row(f"{name}:{number}", record)
    except (OSError, ValueError) as error:  # pyarrow's errors are among them
        yield Row(f"{name}:{number + 1}", {}, f"{name} is damaged from this row on: {error}")


def _broken(name: str, error: Exception) -> BrokenFile:
    return BrokenFile(f"{name} is not a readable Parquet file: {str(error).splitlines()[0]}", "write it again")
