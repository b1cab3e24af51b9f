"""Function from a batch of documents to a batch of keyphrases, for engines of tables: Ray Data, Spark, Daft."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Unpack

from keywright.api import extract_table, load_vocabulary
from keywright.api.inputs import SystemLike, system_of
from keywright.core.interfaces import Extractor, concept_extractor
from keywright.core.options import ListKeywords
from keywright.core.predictions import name_columns
from keywright.integrations.texts import needs_package

_SPARK: Final = {str: "string", int: "bigint", float: "double", list: "array<string>"}  # types in Spark's schemas
_RECORD_BATCH: Final = "RecordBatch"  # type of pyarrow that Spark passes; it is loaded only where it was passed


class BatchKeyphrases:
    """A function from a table of documents to a table of keyphrases, of the same library.

    A batch is a table of pandas, polars or pyarrow, a record batch of pyarrow, or a mapping of columns, for which the
    result is a table of pyarrow. Its result has the columns of ``kw.extract_table``; a document that fails has a row
    with ``error``, and the others of its batch are not touched. Ids are texts, and distinct within a batch.

    It can be sent to other processes; a system is loaded once in each, with the first batch.

    >>> import keywright as kw
    >>> import pandas
    >>> from keywright.integrations.table_batches import BatchKeyphrases
    >>> keyphrases = BatchKeyphrases("abstract", id="doi", top=1)
    >>> batch = pandas.DataFrame({"doi": ["a"], "abstract": [kw.read("examples/note.txt").text]})
    >>> keyphrases(batch)["keyphrases"].tolist()
    [['rain gardens']]

    Args:
        text: column of the texts.
        id: column of the ids.
        title: column of the titles; None for none.
        wide: one row for each document, with a list of keyphrases; False for one row a keyphrase.
        system, top, language, options: as for ``kw.extract``.
    """

    def __init__(  # noqa: PLR0913 - keywords, as of the verb
        self,
        text: str,
        id: str,  # noqa: A002 - what the column is called
        title: str | None = None,
        *,
        wide: bool = True,
        system: SystemLike = "default",
        top: int | None = None,
        language: str | None = None,
        **options: Unpack[ListKeywords],
    ) -> None:
        self._columns: dict[str, Any] = {"text": text, "id": id, "title": title, "wide": wide}
        self._options: dict[str, Any] = {"top": top, "language": language, **options}
        self._system = system
        self._wide = wide
        self._loaded: Extractor | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the system, which each process loads by itself."""
        return {**self.__dict__, "_loaded": None}

    @property
    def spark_schema(self) -> str:
        """Schema of the results for ``mapInPandas`` and ``mapInArrow`` of Spark."""
        return ", ".join(
            f"`{name}` {_SPARK[kind]}"
            for name, kind in name_columns(wide=self._wide, concepts=self._names_concepts).items()
        )

    @property
    def _names_concepts(self) -> bool:
        if concept_extractor(self._extractor()) is not None:
            return True
        vocabulary = self._options.get("vocabulary")
        if isinstance(vocabulary, str | Path) and Path(vocabulary).is_dir():
            vocabulary = load_vocabulary(vocabulary)
        return getattr(vocabulary, "concepts", None) is not None

    def __call__(self, batch: Any) -> Any:
        """Return the keyphrases of a batch.

        Raises:
            KeywrightError: an option is invalid, or a column is not there.
        """
        done = extract_table(_make_table(batch), system=self._extractor(), **self._columns, **self._options)
        import narwhals as nw  # noqa: PLC0415 - optional, and needed for the line above

        # In one batch all ids may be whole numbers, in the next not: a column has one type.
        texts = nw.from_native(done).with_columns(nw.col("id").cast(nw.String)).to_native()
        if type(batch).__name__ != _RECORD_BATCH:
            return texts
        import pyarrow as pa  # noqa: PLC0415 - a record batch came in

        whole = texts.combine_chunks().to_batches()  # none of an empty table
        return whole[0] if whole else pa.RecordBatch.from_pylist([], schema=texts.schema)

    def _extractor(self) -> Extractor:
        self._loaded = self._loaded or system_of(self._system)
        return self._loaded

    def each(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the keyphrases of each batch, as Spark's ``mapInPandas`` and ``mapInArrow`` call it."""
        return map(self, batches)


def _make_table(batch: Any) -> Any:
    if type(batch).__name__ != _RECORD_BATCH and not isinstance(batch, Mapping):
        return batch
    with needs_package("pyarrow"):
        import pyarrow as pa  # noqa: PLC0415 - optional
    if isinstance(batch, Mapping):
        return pa.table({name: list(values) for name, values in batch.items()})
    return pa.Table.from_batches([batch])
