import functools
import hashlib
import http.server
import threading

import pytest

from keywright.core.errors import BadParameter, MissingData, TooLarge, WrongFingerprint
from keywright.datasets.card import card, read_card
from keywright.datasets.fetch import download, fetch
from keywright.datasets.files import Files
from keywright.datasets.readers.originals import read_semeval2010


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        pass

    def do_GET(self):
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://192.0.2.1/elsewhere")
            self.end_headers()
        else:
            super().do_GET()


@pytest.fixture
def server(tmp_path):
    (tmp_path / "served").mkdir()
    handler = functools.partial(Quiet, directory=tmp_path / "served")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KEYWRIGHT_MIRROR", raising=False)
    return tmp_path / "cache" / "datasets"


@pytest.fixture
def served(tmp_path, server, papers, as_tar):
    path = as_tar(tmp_path / "served" / "tiny.tar.gz", papers, under="repository-1/data/Tiny/")
    return f"{server}/tiny.tar.gz", hashlib.sha256(path.read_bytes()).hexdigest()


def test_fetched_verified_and_found_again(cache, served, tiny_card):
    url, sha256 = served
    card = read_card(tiny_card(url, sha256))
    told = []
    place = fetch(card, lambda *progress: told.append(progress))
    assert place == cache / "tiny"
    assert told[-1][0] == "tiny.tar.gz"
    assert told[-1][1] == told[-1][2]
    assert [one.id for one in read_semeval2010(Files(place), "test", "stem")] == ["H-2", "I-3"]
    assert [path.name for path in cache.iterdir()] == ["tiny"]
    assert fetch(read_card(tiny_card("https://192.0.2.1/never-asked"))) == place


@pytest.mark.parametrize("wrong", [{"sha256": "0" * 64}, {"train": "0" * 64}])
def test_what_is_not_as_the_card_says_is_not_kept(cache, served, tiny_card, wrong):
    with pytest.raises(WrongFingerprint, match=f"says {'0' * 64}"):
        fetch(read_card(tiny_card(**{"url": served[0], "sha256": served[1], **wrong})))
    assert list(cache.iterdir()) == []


def test_nothing_there(cache, server, tiny_card):
    with pytest.raises(MissingData, match="404"):
        fetch(read_card(tiny_card(f"{server}/nothing")))
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("url", ["http://192.0.2.1/x", "file:///etc/hostname", "ftp://192.0.2.1/x"])
def test_https_only(cache, tiny_card, url):  # noqa: ARG001 - the cache is set, nothing must come into it
    with pytest.raises(BadParameter, match="expected an https address"):
        fetch(read_card(tiny_card(url)))


def test_redirections_are_checked_as_well(cache, server, tiny_card):  # noqa: ARG001 - see above
    with pytest.raises(BadParameter, match="elsewhere"):
        fetch(read_card(tiny_card(f"{server}/away")))


def test_a_download_has_a_ceiling(tmp_path, served, tiny_card):
    (source,) = read_card(tiny_card(*served)).sources
    with pytest.raises(TooLarge, match="more than 10 bytes"):
        download(source, tmp_path, largest=10)


def test_a_collection_without_address_comes_with_instructions(cache):  # noqa: ARG001 - see above
    with pytest.raises(MissingData, match="git sparse-checkout"):
        fetch(card("krapivin2009"))
