"""Downloads of collections: download, check, then put in place in one step."""

import hashlib
import shutil
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from keywright.core.atomic_files import cache_folder
from keywright.core.errors import BadParameter, BrokenFile, MissingData, TooLarge, WrongFingerprint
from keywright.datasets.card import Card, Source
from keywright.datasets.collection import demand_equal, verify_splits
from keywright.datasets.files import find_copy, make_files

Progress = Callable[[str, int, int | None], None]  # file, bytes so far, bytes in all if they are said
_LARGEST: Final = 1_000_000_000  # bytes of one download; arbitrary, above any collection with a card
_SECONDS: Final = 60.0  # without any answer; arbitrary
_CHUNK: Final = 1 << 20  # bytes per read; arbitrary
_THIS_MACHINE: Final = {"127.0.0.1", "localhost", "::1"}


def fetch(card: Card, progress: Progress | None = None, mirror: Path | None = None) -> Path:
    """Return the folder of a local copy; download it into the cache if there is none.

    Hashes and fingerprints are compared with the card in a temporary folder, so that a broken download leaves nothing
    behind. ``MissingData``: it cannot be downloaded, the hint says how to get it; ``WrongFingerprint``: the files
    differ from the card; ``TooLarge``: a file above 1 GB.
    """
    if (there := find_copy(card, mirror)) is not None:
        return there
    if not card.downloadable:
        raise MissingData(f"data set {card.name} has no address to download from", card.instructions.strip())
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{card.name}-", dir=cache) as arriving:
        place = Path(arriving) / card.name
        place.mkdir()
        for source in card.sources:
            download(source, place, progress)
        demand_equal(verify_splits(card, card.splits.values(), make_files(card, place)))
        final = cache / card.name
        if final.exists():  # an empty or broken leftover that holds no copy
            shutil.rmtree(final)
        place.replace(final)
    return final


def download(source: Source, folder: Path, progress: Progress | None = None, largest: int = _LARGEST) -> Path:
    """Download one file of a collection, and compare its hash if the card gives one."""
    _check_url(source.url)
    target = folder / source.saved_as
    digest, received = hashlib.sha256(), 0
    opener = urllib.request.build_opener(_Redirects)
    try:
        with opener.open(source.url, timeout=_SECONDS) as answer, target.open("wb") as file:
            stated = answer.headers.get("Content-Length")
            total = int(stated) if stated and stated.isdigit() else None
            while chunk := answer.read(_CHUNK):
                received += len(chunk)
                if received > largest:
                    raise TooLarge(f"{source.url} sends more than {largest:,} bytes", "nothing was kept")
                digest.update(chunk)
                file.write(chunk)
                if progress:
                    progress(source.saved_as, received, total)
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # it holds the answer's body
            reason = f"{error.code} {error.reason}"
        message = f"{source.url} could not be fetched: {reason}"
        raise MissingData(message, "try again later, or get it by hand") from error
    if total is not None and received != total:
        raise BrokenFile(f"{source.url} broke off after {received:,} of {total:,} bytes", "try again")
    if source.sha256 and digest.hexdigest() != source.sha256:
        message = f"{source.saved_as} has SHA-256 {digest.hexdigest()}, its card says {source.sha256}"
        raise WrongFingerprint(message, "nothing was kept")
    return target


def _check_url(url: str) -> None:
    """Check that an address may be fetched: https, or http of this machine."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _THIS_MACHINE):
        raise BadParameter(f"{url!r} is not fetched", "expected an https address")


class _Redirects(urllib.request.HTTPRedirectHandler):
    """A handler that follows redirections, to https only."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        try:
            _check_url(newurl)
        except BadParameter:
            fp.close()
            raise
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type] # Message
