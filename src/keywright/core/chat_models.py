"""Chat models behind an address: requests that their servers accept, a cache of answers on the disk, answers as values.

The cache has each answer under the hash of its address and request, so that a run which is repeated or resumed asks for
nothing twice; neither the key nor the document is in it.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.atomic_files import cache_folder, write_whole
from keywright.core.errors import BadParameter, KeywrightError
from keywright.core.json_values import to_json
from keywright.core.keyphrases import Generation
from keywright.core.model_address import ModelAddress, Refused

_REFUSABLE: Final = (("logprobs",), ("response_format",), ("temperature", "seed"), ("max_tokens",))
"""Fields that are left out one after the other where a server does not accept a request."""
_ACCEPTED: Final[dict[tuple[str, str], int]] = {}
"""Number of groups of these fields that the model at an address makes do without, as far as this process has tried."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of a model: its text, the probability of each token where the server gives them, and tokens used."""

    text: str
    tokens: tuple[tuple[str, float], ...] = ()
    used: tuple[int, int] = (0, 0)
    is_cut: bool = False

    def align(self, phrases: Sequence[str]) -> Iterator[Generation | None]:
        """Yield the tokens of each phrase in the answer; None where the server gives none, or not those of its text."""
        ends = np.cumsum([len(token) for token, _ in self.tokens], dtype=np.int64)
        aligned = "".join(token for token, _ in self.tokens) == self.text
        at = max(0, self.text.rfind("</think>"))
        for phrase in phrases:
            start = self.text.find(phrase, at) if aligned and self.tokens else -1
            if start < 0:
                yield None
                continue
            at = start + len(phrase)
            # A token belongs to the phrase if it ends behind its start and begins before its end.
            first, last = ends.searchsorted(start, "right"), ends.searchsorted(at, "left")
            tokens = self.tokens[int(first) : int(last) + 1]
            pieces, logs = zip(*tokens, strict=True)
            finite = all(np.isfinite(logs))
            yield Generation(pieces, logs, words=len(phrase.split())) if finite else None


@dataclass(frozen=True, slots=True)
class ChatModels:
    """Models behind an address; ``cache``: folder of answers, ``none`` for none, empty for the user's own cache."""

    address: ModelAddress
    cache: str = ""

    def ask(self, request: dict[str, Any]) -> Answer:
        """Return the answer from the cache, or from the server, to which a simpler request is sent if it refuses."""
        path = self._cached_path(request)
        if path is not None and path.is_file():
            try:
                return answer_of(json.loads(path.read_text("utf-8")), self.address.host)
            except (OSError, ValueError, KeywrightError):
                pass  # a damaged entry is asked for again, and replaced
        refused: Refused | None = None
        for count in range(_ACCEPTED.get((self.address.url, str(request["model"])), 0), len(_REFUSABLE) + 1):
            left_out = {name for group in _REFUSABLE[:count] for name in group}
            if refused and not set(_REFUSABLE[count - 1]) & request.keys():
                continue
            try:
                value = self.address.post("chat/completions", {k: v for k, v in request.items() if k not in left_out})
            except Refused as error:
                refused = refused or error
                continue
            _ACCEPTED[self.address.url, str(request["model"])] = count
            answer = answer_of(value, self.address.host)
            if path is not None:
                try:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_whole(path, to_json(value).encode("utf-8"))
                except OSError as error:
                    hint = "name another folder (cache=FOLDER), or none (cache=none)"
                    raise BadParameter(f"the cache {path.parent.parent} cannot be written: {error}", hint) from None
            return answer
        raise refused or Refused(f"the model at {self.address.host} refuses the request")

    def _cached_path(self, request: dict[str, Any]) -> Path | None:
        """Return the file of an answer in the cache, None without a cache; the key is not part of it."""
        if self.cache.lower() == "none":
            return None
        folder = Path(self.cache).expanduser() if self.cache else cache_folder("answers")
        name = hashlib.sha256(f"{self.address.url}\0{hash_request(request)}".encode()).hexdigest()
        return folder / name[:2] / f"{name[2:]}.json"


def hash_request(request: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a request."""
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode("utf-8")).hexdigest()


def answer_of(value: Any, host: str) -> Answer:
    """Return the answer in a server's JSON."""
    try:
        choice = value["choices"][0]
        text = choice["message"]["content"] or ""
        text = "".join(text)  # an error for what is not text
        usage = value.get("usage") or {}
        used = (int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0))
        content = (choice.get("logprobs") or {}).get("content") or ()
        tokens = tuple((str(each["token"]), min(0.0, float(each["logprob"]))) for each in content)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        message = f"the model at {host} answered with JSON that is not of OpenAI's chat interface: {error!r:.60}"
        raise BadParameter(message, "expected choices[0].message.content; is the address right?") from None
    return Answer(text, tokens, used, choice.get("finish_reason") == "length")
