import gzip
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from keywright.core.errors import BrokenFile, MissingData, TooLarge
from keywright.core.zstandard import zstd
from keywright.datasets.files import Files

TEXT = re.compile(r"(?:^|/)a/(\w+)\.txt$")


def found(place: Path, **options: Any) -> list[tuple[str, str]]:
    return [(match[1], text) for match, text in Files(place, **options).matching(TEXT)]


def test_a_folder_and_archives_in_it_and_an_archive_alone_are_alike(tmp_path, as_folder, as_tar):
    files = {"a/x.txt": "one", "a/y.txt": "two", "b/x.txt": "other"}
    expected = [("x", "one"), ("y", "two")]
    assert found(as_folder(tmp_path / "plain", files)) == expected
    (tmp_path / "packed").mkdir()
    packed = as_tar(tmp_path / "packed" / "some.tar.gz", files)
    assert found(tmp_path / "packed") == expected
    assert found(packed) == expected
    plain = gzip.decompress(packed.read_bytes())
    zst = tmp_path / "some.tar.zst"
    zst.write_bytes(zstd.compress(plain))
    assert found(zst) == expected
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    assert found(tmp_path / "some.zip") == expected


def test_an_archive_beside_the_folder_it_belongs_to(tmp_path, as_tar):
    (tmp_path / "a").mkdir()
    as_tar(tmp_path / "a" / "texts.tar.gz", {"x.txt": "one"})
    assert found(tmp_path) == [("x", "one")]


def test_byte_order_mark_and_line_ends(tmp_path, as_folder):
    place = as_folder(tmp_path, {"a/x.txt": ""})
    (place / "a/x.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert found(place) == [("x", "one\ntwo\nthree\n")]


def test_only_one_folder_of_a_repository_counts(tmp_path, as_tar):
    place = as_tar(tmp_path / "repository.tar.gz", {"r-1/data/one/a/x.txt": "one", "r-1/data/two/a/x.txt": "two"})
    assert found(place, folders={"repository.tar.gz": "data/two"}) == [("x", "two")]


@pytest.mark.parametrize("name", ["../a/x.txt", "/a/x.txt", "a/../../a/x.txt", "..\\a/x.txt", "C:/a/x.txt"])
@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_a_path_out_of_the_archive_is_refused(tmp_path, as_tar, name, kind):
    place = tmp_path / f"evil.{'tar.gz' if kind == 'tar' else 'zip'}"
    if kind == "tar":
        as_tar(place, {name: "one"})
    else:
        with zipfile.ZipFile(place, "w") as archive:
            archive.writestr(name, "one")
    with pytest.raises(BrokenFile, match="leads out of the archive"):
        found(place)


def test_a_link_is_refused(tmp_path):
    with tarfile.open(tmp_path / "links.tar", "w") as archive:
        link = tarfile.TarInfo("a/x.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        archive.addfile(link)
    with pytest.raises(BrokenFile, match="link or device"):
        found(tmp_path / "links.tar")


def test_truncated_archives(tmp_path, as_tar):
    text = "".join(chr(33 + (i * i) % 89) for i in range(50_000))
    whole = as_tar(tmp_path / "some.tar.gz", {"a/x.txt": text})
    whole.write_bytes(whole.read_bytes()[:-300])
    with pytest.raises(BrokenFile, match="damaged"):
        found(whole)
    (tmp_path / "some.zip").write_bytes(b"PK\x03\x04 no zip")
    with pytest.raises(BrokenFile, match="damaged"):
        found(tmp_path / "some.zip")
    (tmp_path / "some.tar.zst").write_bytes(zstd.compress(b"x" * 2000)[:-4])
    with pytest.raises(BrokenFile, match="damaged"):
        found(tmp_path / "some.tar.zst")


def test_ceilings(tmp_path, as_tar, as_folder):
    files = {"a/x.txt": "x" * 1000}
    for place in (as_folder(tmp_path / "plain", files), as_tar(tmp_path / "some.tar.gz", files)):
        with pytest.raises(TooLarge, match="999 bytes"):
            found(place, member_bytes=999)
        assert len(found(place, member_bytes=1000)) == 1


def test_no_utf8_and_no_place(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.txt").write_bytes("naïve".encode("latin-1"))
    with pytest.raises(BrokenFile, match="not UTF-8"):
        found(tmp_path)
    with pytest.raises(MissingData, match="does not exist"):
        found(tmp_path / "nowhere")


def test_a_whole_archive_is_bounded(tmp_path):
    with tarfile.open(tmp_path / "big.tar", "w") as archive:
        for name in "xyz":
            member = tarfile.TarInfo(f"b/{name}.txt")
            member.size = 10
            archive.addfile(member, io.BytesIO(b"x" * 10))
    limits = Files(tmp_path).limits
    small = type(limits)(expanded_bytes=29)
    with pytest.raises(TooLarge):
        found(tmp_path / "big.tar", limits=small)


def test_an_extended_header_is_bounded(tmp_path):
    with tarfile.open(tmp_path / "long.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("a/x.txt")
        member.pax_headers = {"comment": "x" * 1_000_001}
        archive.addfile(member)
    with pytest.raises(TooLarge, match="extended header"):
        found(tmp_path / "long.tar.gz")
