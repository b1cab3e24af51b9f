"""Quotes inside the cells of CSV: doubled, or behind backslashes as some databases write them."""

from pathlib import Path

from keywright.reading.limits import Limits
from keywright.reading.tables.files import open_table


def rows(path: Path, data: bytes):
    path.write_bytes(data)
    table = open_table(path, path.name, Limits())
    return table.columns, [(row.place, dict(row.cells), row.problem) for row in table.rows], table.notes


def test_quotes_behind_backslashes(tmp_path):
    data = b'id,text\n1,"the \\"ebb\\", and flow"\n2,"C:\\new\\temp"\n3,"all \\"gauges\\""\n4,"a \\\\"\n'
    _, found, _ = rows(tmp_path / "a.csv", data)
    texts = ['the "ebb", and flow', "C:\\new\\temp", 'all "gauges"', "a \\\\"]
    assert [(cells["text"], problem) for _, cells, problem in found] == [(text, "") for text in texts]


def test_backslashes_before_the_end_of_a_cell_are_no_part_of_a_quote(tmp_path):
    _, found, _ = rows(tmp_path / "a.csv", b'id,text,more\n1,"C:\\new\\",x\n2,"D:\\",y\n3,"the ""ebb""",z\n')
    assert [cells["text"] for _, cells, _ in found] == ["C:\\new\\", "D:\\", 'the "ebb"']
