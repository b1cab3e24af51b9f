"""Parts: how inputs are cut, what a ledger knows, and that results depend on neither executor nor interruption."""

import gzip
import json
import os
import signal
from pathlib import Path

import pytest

from keywright import api
from keywright.core.errors import BadParameter, UnknownName, UnreadableInput
from keywright.core.predictions import Failure
from keywright.reading.tables.files import NamedTables
from keywright.reading.tables.rows import TableColumns
from keywright.running.engines import Serial
from keywright.running.file_extraction import Shard
from keywright.running.part_inputs import Inputs, split_lines
from keywright.running.parts import PartLedger, PartWork, ResultFiles, run_parts
from keywright.running.pool import Processes

TEXT = "Tide gauges measure sea level. Tide gauges drift, and the sea level rises with storm surges."


def records(count: int, first: int = 0) -> str:
    return "".join(
        json.dumps({"id": f"d{n}", "text": f"{TEXT} Basin {n}."}) + "\n" for n in range(first, first + count)
    )


def inputs(*names: Path, size: int = 3, tables: NamedTables | None = None) -> Inputs:
    return Inputs(tuple(map(str, names)), None, tables, size)


def sizes(plan: Inputs) -> list[list[int]]:
    return [[piece.weight for piece in part.pieces] for part in plan.parts()]


@pytest.fixture(scope="module")
def extraction():
    return api.prepare("kpminer", top=2)


def written(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.glob("part-*"))}


def test_lines_are_cut_at_their_ends(tmp_path):
    file = tmp_path / "f"
    file.write_bytes(b"aa\nb\n\ncc\nd")
    assert list(split_lines(file, 2)) == [(0, 5, 1, 2), (5, 9, 3, 2), (9, 10, 5, 1)]
    assert list(split_lines(file, 5)) == [(0, 10, 1, 5)]
    file.write_bytes(b"aa\nb\n")
    assert list(split_lines(file, 2)) == [(0, 5, 1, 2)]
    file.write_bytes(b"")
    assert list(split_lines(file, 2)) == []


def test_lines_are_counted_over_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("keywright.running.part_inputs._BLOCK", 4)
    file = tmp_path / "f"
    file.write_bytes(b"aa\nb\n\ncc\nd")
    assert list(split_lines(file, 2)) == [(0, 5, 1, 2), (5, 9, 3, 2), (9, 10, 5, 1)]


def test_small_files_share_a_part_and_large_ones_are_cut(tmp_path):
    (tmp_path / "a.jsonl").write_text(records(7))
    for name in "bcd":
        (tmp_path / f"{name}.txt").write_text(TEXT)
    assert sizes(inputs(tmp_path)) == [[3], [3], [1, 1, 1], [1]]
    (tmp_path / "a.jsonl").rename(tmp_path / "a.jsonl.gz")
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(records(7).encode()))
    assert sizes(inputs(tmp_path)) == [[3], [1, 1, 1]]  # what is packed cannot be cut


def test_rows_of_parquet_are_cut_over_groups(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [json.loads(line) for line in records(10).splitlines()]
    rows[4]["text"] = None
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet", row_group_size=4)
    tables = NamedTables(TableColumns("text", None, "id"), print)
    plan = inputs(tmp_path / "t.parquet", tables=tables)
    assert sizes(plan) == [[3], [3], [3], [1]]
    documents = [list(part.sources()) for part in plan.parts()]
    ids = [[getattr(each, "id", None) or each.document_id for each in part] for part in documents]
    assert ids == [["d0", "d1", "d2"], ["d3", "d4", "d5"], ["d6", "d7", "d8"], ["d9"]]
    assert isinstance(documents[1][1], Failure)
    assert "t.parquet:5: the cell in column 'text' is empty" in documents[1][1].message


def test_parts_together_are_the_results_without_parts(tmp_path, extraction):
    (tmp_path / "a.jsonl").write_text(records(3) + "broken\n" + records(4, first=3))
    report = api.extract_parts(extraction, [tmp_path / "a.jsonl"], tmp_path / "out", size=3)
    assert (report.parts, report.before, report.documents, report.failures) == (3, 0, 8, {"bad_record": 1})
    assert report.examples[0].document_id == f"{tmp_path}/a.jsonl:4"
    lines = [json.loads(line) for content in written(tmp_path / "out").values() for line in content.splitlines()]
    alone = [outcome.to_dict() for _, outcome in api.extract_files(extraction, [tmp_path / "a.jsonl"])]
    assert [(line["id"], line.get("keyphrases")) for line in lines] == [
        (record["id"], record.get("keyphrases")) for record in alone
    ]


def test_a_repeated_run_does_only_what_is_missing(tmp_path, extraction):
    file, out = tmp_path / "a.jsonl", tmp_path / "out"
    file.write_text(records(7))
    api.extract_parts(extraction, [file], out, size=3)
    first = written(out)
    (out / "part-000001.jsonl").unlink()
    (out / ".part-000001.jsonl.0123456789abcdef.part").write_text("cut o")  # as a killed process leaves it
    (out / "part-000002.jsonl").write_text("cut off")
    before = (out / "part-000000.jsonl").stat().st_mtime_ns
    report = api.extract_parts(extraction, [file], out, size=3)
    assert (report.parts, report.before, report.documents) == (3, 1, 7)
    assert written(out) == first
    assert (out / "part-000000.jsonl").stat().st_mtime_ns == before
    assert sorted(entry.name for entry in out.iterdir()) == ["_ledger", *first]


def test_changed_inputs_are_done_again_and_what_they_no_longer_have_goes(tmp_path, extraction):
    file, out = tmp_path / "a.jsonl", tmp_path / "out"
    file.write_text(records(7))
    api.extract_parts(extraction, [file], out, size=3)
    file.write_text(records(2, first=20))
    report = api.extract_parts(extraction, [file], out, size=3)
    assert (report.parts, report.before) == (1, 0)
    assert list(written(out)) == ["part-000000.jsonl"]
    assert b'"d20"' in written(out)["part-000000.jsonl"]


def test_other_work_over_the_same_folder_is_refused(tmp_path, extraction):
    file, out = tmp_path / "a.jsonl", tmp_path / "out"
    file.write_text(records(2))
    api.extract_parts(extraction, [file], out)
    with pytest.raises(BadParameter, match="holds results with top 2, and this is 5"):
        api.extract_parts(api.prepare("kpminer", top=5), [file], out)
    with pytest.raises(BadParameter, match="holds results with system kpminer"):
        api.extract_parts(api.prepare("tfidf", top=2), [file], out)
    with pytest.raises(BadParameter, match="documents in a part 2000, and this is 9"):
        api.extract_parts(extraction, [file], out, size=9)
    assert api.extract_parts(api.prepare("kpminer", top=5), [file], out, force=True).before == 0
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("keep this")
    with pytest.raises(BadParameter, match="holds other files"):
        api.extract_parts(extraction, [file], tmp_path / "other")
    with pytest.raises(BadParameter, match="holds other files"):
        api.extract_parts(extraction, [file], tmp_path / "other", force=True)
    assert (tmp_path / "other" / "mine.txt").exists()


def test_what_cannot_be_begun_is_said_at_once(tmp_path, extraction):
    with pytest.raises(UnreadableInput, match="no file"):
        api.extract_parts(extraction, [tmp_path / "nothing.jsonl"], tmp_path / "out")
    with pytest.raises(BadParameter, match="standard input"):
        api.extract_parts(extraction, ["-"], tmp_path / "out")
    with pytest.raises(BadParameter, match="parts of 0 documents"):
        api.extract_parts(extraction, [tmp_path], tmp_path / "out", size=0)
    with pytest.raises(UnknownName, match="no format of parts called 'csv'"):
        api.extract_parts(extraction, [tmp_path], tmp_path / "out", output="csv")
    assert not (tmp_path / "out").exists()


def test_machines_share_the_parts_of_one_folder(tmp_path, extraction):
    file = tmp_path / "a.jsonl"
    file.write_text(records(10))
    api.extract_parts(extraction, [file], tmp_path / "whole", size=3)
    second = api.extract_parts(extraction, [file], tmp_path / "out", size=3, shard="2/2")
    assert list(written(tmp_path / "out")) == ["part-000001.jsonl", "part-000003.jsonl"]
    assert (second.parts, second.documents) == (2, 4)
    api.extract_parts(extraction, [file], tmp_path / "out", size=3, shard="1/2")
    assert written(tmp_path / "out") == written(tmp_path / "whole")


def test_repeated_ids_are_numbered_within_a_part(tmp_path, extraction):
    file = tmp_path / "a.jsonl"
    file.write_text(records(1) + records(1) + records(1))
    api.extract_parts(extraction, [file], tmp_path / "out", size=2)
    ids = [[json.loads(line)["id"] for line in part.splitlines()] for part in written(tmp_path / "out").values()]
    assert ids == [["d0", "d0#2"], ["d0"]]


@pytest.mark.parametrize("wide", [False, True], ids=["long", "wide"])
def test_parquet_has_the_same_columns_in_every_part(tmp_path, extraction, wide):
    pq = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "a.jsonl"
    file.write_text("broken\n" + records(3))
    api.extract_parts(extraction, [file], tmp_path / "out", size=2, output="parquet", wide=wide)
    first, second = (pq.read_table(part) for part in sorted((tmp_path / "out").glob("*.parquet")))
    assert first.schema.equals(second.schema)
    assert first.schema.metadata[b"keywright.system"].startswith(b"kpminer|")
    rows = first.to_pylist()
    assert rows[0]["id"].endswith("a.jsonl:1")
    assert "is not valid JSON" in rows[0]["error"]
    assert second.column("id").unique().to_pylist() == ["d1", "d2"]


class Deadly:
    """An extraction that ends its process at one document."""

    def __init__(self, extraction) -> None:
        self.extraction = extraction

    def __getattr__(self, name) -> object:
        if name.startswith("__") or name == "extraction":
            raise AttributeError(name)
        return getattr(self.extraction, name)

    def together(self, documents) -> object:
        if any(getattr(document, "id", "") == "d4" for document in documents):
            os.kill(os.getpid(), signal.SIGKILL)
        return self.extraction.together(documents)


@pytest.mark.long
def test_a_document_that_ends_its_process_costs_itself_only(tmp_path, extraction):
    file = tmp_path / "a.jsonl"
    file.write_text(records(7))
    work = PartWork(Deadly(extraction), ResultFiles(tmp_path / "out", "jsonl", extraction.signature))
    report = run_parts(work, inputs(file), executor=Processes(2))
    assert (report.parts, report.documents, dict(report.failures)) == (3, 7, {"unexpected": 1})
    lines = [json.loads(line) for content in written(tmp_path / "out").values() for line in content.splitlines()]
    assert [line["id"] for line in lines] == [f"d{n}" for n in range(7)]
    assert lines[4]["error"]["message"] == "the process that worked on it died"


@pytest.mark.long
def test_processes_write_the_same_bytes(tmp_path, extraction):
    file = tmp_path / "a.jsonl"
    file.write_text(records(8) + "broken\n")
    api.extract_parts(extraction, [file], tmp_path / "one", size=2)
    api.extract_parts(extraction, [file], tmp_path / "two", size=2, jobs=2)
    assert written(tmp_path / "one") == written(tmp_path / "two")


def test_an_error_of_the_machine_keeps_the_parts_before_it(tmp_path, extraction, monkeypatch):
    file = tmp_path / "a.jsonl"
    file.write_text(records(7))
    work = PartWork(extraction, ResultFiles(tmp_path / "out", "jsonl", extraction.signature))
    write = ResultFiles.write

    def full(self, path, outcomes):
        if path.name == "part-000001.jsonl":
            raise OSError(28, "No space left on device")
        write(self, path, outcomes)

    monkeypatch.setattr(ResultFiles, "write", full)
    with pytest.raises(OSError, match="No space left"):
        run_parts(work, inputs(file), executor=Serial())
    monkeypatch.undo()
    report = run_parts(work, inputs(file), executor=Serial(), shard=Shard(1, 1))
    assert (report.before, report.documents) == (1, 7)


@pytest.mark.parametrize(("share", "force"), [(Shard(1, 1), False), (Shard(1, 3), False), (Shard(2, 2), True)])
def test_two_commands_that_could_write_the_same_parts_are_refused(share, force, tmp_path):
    """Parts are divided by their numbers: by another divisor, or where all are removed, they are the same."""
    with PartLedger(tmp_path / "out", Shard(1, 2)).open({}, force=False):
        with (
            pytest.raises(BadParameter, match="another command writes to"),
            PartLedger(tmp_path / "out", share).open({}, force=force),
        ):
            pass
        with PartLedger(tmp_path / "out", Shard(2, 2)).open({}, force=False):
            pass
