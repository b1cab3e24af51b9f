"""Batches of tables, of each kind that an engine may pass; the engines themselves are in ``tests/scale``."""

import pickle

import pytest

from keywright.core.errors import UnknownName
from keywright.integrations.table_batches import BatchKeyphrases

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

# Short texts have warnings, and one table is empty.
pytestmark = pytest.mark.filterwarnings("ignore:documents have:UserWarning", "ignore:the table has no rows:UserWarning")
TEXT = "Tide gauges measure sea level. Tide gauges drift. " * 2
COLUMNS = {"doi": [1, 2, 3], "abstract": [TEXT, None, TEXT]}
IDS = ["1", "2", "3"]


@pytest.fixture(scope="module")
def keyphrases():
    return BatchKeyphrases("abstract", "doi", system="kpminer", top=1)


def checked(columns):
    assert list(columns) == ["id", "keyphrases", "error"]
    assert columns["id"] == IDS
    assert [None if phrases is None else list(phrases) for phrases in columns["keyphrases"]] == [
        ["Tide gauges"],
        None,
        ["Tide gauges"],
    ]
    assert [bool(error) for error in columns["error"]] == [False, True, False]
    assert "the cell in column 'abstract' is empty" in columns["error"][1]


def test_pandas_gives_pandas(keyphrases):
    done = keyphrases(pd.DataFrame(COLUMNS))
    frame = done.astype(object).where(done.notna(), None)
    checked({name: frame[name].tolist() for name in frame.columns})


def test_polars_gives_polars(keyphrases):
    checked(keyphrases(pl.DataFrame(COLUMNS)).to_dict(as_series=False))


def test_pyarrow_gives_pyarrow(keyphrases):
    checked(keyphrases(pa.table(COLUMNS)).to_pydict())
    done = keyphrases(pa.record_batch(COLUMNS))
    assert isinstance(done, pa.RecordBatch)
    checked(done.to_pydict())
    empty = keyphrases(pa.record_batch({"doi": pa.array([], pa.int64()), "abstract": pa.array([], pa.string())}))
    assert (empty.num_rows, empty.schema.names) == (0, ["id", "keyphrases", "error"])


def test_columns_give_a_table_of_pyarrow(keyphrases):
    checked(keyphrases(COLUMNS).to_pydict())


def test_ids_are_texts_in_every_batch(keyphrases):
    assert keyphrases(pa.table({"doi": [1], "abstract": [TEXT]}))["id"].type == pa.string()
    assert keyphrases(pa.table({"doi": ["x"], "abstract": [TEXT]}))["id"].type == pa.string()


def test_it_travels_without_its_system(keyphrases):
    keyphrases(pa.table(COLUMNS))
    pickled = pickle.dumps(keyphrases)
    assert len(pickled) < 1000
    (done,) = pickle.loads(pickled).each([pa.table(COLUMNS)])
    checked(done.to_pydict())


def test_long_results_have_one_row_a_keyphrase():
    long = BatchKeyphrases("abstract", "doi", wide=False, system="kpminer", top=2)
    assert long(pa.table(COLUMNS))["rank"].to_pylist() == [1, None, 1], "the second phrase of each nests in the first"
    assert long.spark_schema == (
        "`id` string, `rank` bigint, `keyphrase` string, `score` double, `probability` double, `start` bigint, "
        "`end` bigint, `error` string"
    )


def test_a_column_that_is_not_there_is_said(keyphrases):
    with pytest.raises(UnknownName, match="no column 'abstract'"):
        keyphrases(pa.table({"doi": [1], "text": [TEXT]}))
