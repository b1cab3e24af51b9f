"""Files of phrases."""

import pytest

from keywright.core.errors import BadRecord, EmptyInput, UnreadableInput, UnsupportedFormat
from keywright.reading.sources import read_phrases


def test_one_phrase_a_line(tmp_path):
    path = tmp_path / "phrases.txt"
    path.write_bytes("\ufeffsoil  moisture\r\n\r\n C++\t\nIL-6\nsoil moisture\nbœuf".encode())
    assert read_phrases(path) == ("soil moisture", "C++", "IL-6", "bœuf")
    path.write_bytes("Größe\nÄrger".encode("cp1252"))
    assert read_phrases(str(path)) == ("Größe", "Ärger")


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        (b"", EmptyInput, "empty"),
        (b" \n\n", EmptyInput, "holds no phrases"),
        (b"grid\n--\n", BadRecord, "line 2 of phrases.txt is not a phrase: --"),
        (b"grid\n" + b"word " * 50, BadRecord, "line 2"),
        (bytes(range(256)) * 4, UnsupportedFormat, "not text"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path, content, error, said):
    path = tmp_path / "phrases.txt"
    path.write_bytes(content)
    with pytest.raises(error, match=said):
        read_phrases(path)


def test_a_missing_file_or_a_folder_is_said(tmp_path):
    with pytest.raises(UnreadableInput, match="no file"):
        read_phrases(tmp_path / "none.txt")
    with pytest.raises(UnreadableInput, match="not a regular file"):
        read_phrases(tmp_path)
