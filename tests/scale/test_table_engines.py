"""Batches of documents inside Ray Data, Daft and Spark: the rows of one process. Run by ``make check-scale``."""

import os
import sys

import pytest

from keywright.integrations.table_batches import BatchKeyphrases

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore"),  # those of the engines
]
TEXT = "Tide gauges measure sea level. Tide gauges drift. Tide gauges and the sea level {} are old. "
ROWS = [{"id": f"d{number}", "abstract": TEXT.format(number) * 3 if number % 7 else None} for number in range(30)]


@pytest.fixture(scope="module")
def keyphrases():
    return BatchKeyphrases("abstract", "id", system="kpminer", top=2)


@pytest.fixture(scope="module")
def table():
    return pa.Table.from_pylist(ROWS)


@pytest.fixture(scope="module")
def expected(keyphrases, table):
    rows = keyphrases(table).to_pylist()
    assert sum(row["error"] is not None for row in rows) == 5
    assert all(row["keyphrases"] for row in rows if row["error"] is None)
    return without_places(rows)


def without_places(rows):
    """Rows by id, with the reason of an error but not its row, which is counted in each batch."""
    plain = (
        {
            "id": row["id"],
            "keyphrases": None if row["error"] else [str(phrase) for phrase in row["keyphrases"]],
            "error": row["error"] and row["error"].partition(": ")[2],
        }
        for row in rows
    )
    return sorted(plain, key=lambda row: row["id"])


def test_ray_data(keyphrases, table, expected):
    ray = pytest.importorskip("ray", reason="the extra scale is not installed")
    ray.init(num_cpus=2, object_store_memory=100_000_000, include_dashboard=False, log_to_driver=False)
    try:
        for form in ("pyarrow", "pandas"):
            data = ray.data.from_arrow(table).map_batches(keyphrases, batch_format=form, batch_size=8, num_cpus=0.5)
            assert without_places(data.take_all()) == expected
    finally:
        ray.shutdown()


def test_daft(keyphrases, table, expected):
    daft = pytest.importorskip("daft", reason="daft is not installed")
    text = daft.DataType.string()
    kind = daft.DataType.struct({"keyphrases": daft.DataType.list(text), "error": text})

    @daft.udf(return_dtype=kind, batch_size=8)
    def extracted(ids, texts):
        done = keyphrases(pa.table({"id": ids.to_arrow(), "abstract": texts.to_arrow()}))
        return [{"keyphrases": row["keyphrases"], "error": row["error"]} for row in done.to_pylist()]

    frame = daft.from_arrow(table)
    frame = frame.select(frame["id"], extracted(frame["id"], frame["abstract"]).alias("done"))
    assert without_places([{"id": row["id"], **row["done"]} for row in frame.to_pylist()]) == expected


def test_spark(keyphrases, expected, monkeypatch):
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    try:
        frame = spark.createDataFrame([(row["id"], row["abstract"]) for row in ROWS], "id string, abstract string")
        for done in (
            frame.mapInPandas(keyphrases.each, keyphrases.spark_schema),
            frame.mapInArrow(keyphrases.each, keyphrases.spark_schema),
        ):
            assert without_places([row.asDict() for row in done.collect()]) == expected
    finally:
        spark.stop()
