"""Models behind an address, asked as OpenAI's interface defines: Ollama, llama.cpp, vLLM and clouds answer it.

Nothing is sent anywhere but to an address that the user names. The key is read for each request, and is never part of a
value, a signature, a message or a stored answer. A request that can succeed later is repeated after a growing wait;
after others, such as those with a wrong key, further requests fail at once for half a minute, so that a run of many
documents does not wait for each. The cache on the disk has each answer of a chat model under the hash of its address
and request, so that a run which is repeated or resumed asks for nothing twice; the document is not in it.
"""

import hashlib
import importlib
import json
import os
import random
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from keywright.core.atomic_files import cache_folder, write_whole
from keywright.core.errors import BadParameter, KeywrightError, Unavailable, needs_extra
from keywright.core.json_values import to_json
from keywright.core.keyphrases import Generation

KEY: Final = "KEYWRIGHT_LLM_KEY"  # environment variable with the key
FIRST_WAIT: Final = 0.5  # seconds before the second attempt, further waits are twice as long; usual for clients
_LONGEST_WAIT: Final = 60.0  # seconds that a server can ask to wait before the next attempt; arbitrary
_CLOSED: Final = 30.0  # seconds in which requests to an address that failed fail at once; arbitrary
_MOST_BYTES: Final = 20_000_000  # bytes of an answer; a million vectors of 384 numbers come in many answers. Arbitrary.
_SUCCESS: Final = range(300)  # statuses with an answer
_FOR_A_WHILE: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})  # the same request can succeed later
_LASTING: Final = frozenset({301, 302, 307, 308, 401, 402, 403, 404, 405})  # all requests to the address have these


class Refused(BadParameter):
    """A request that the model's server does not accept, such as one with a field that it does not know."""


class _Passing(Unavailable):
    """A fault that another attempt may not meet, after as many ``seconds`` as the server says."""

    seconds = 0.0
    code = "unavailable"


class _Unreadable(_Passing):
    """An answer that is damaged."""


@dataclass(frozen=True)
class ModelAddress:
    """An address that answers ``POST {url}/...`` with JSON, and how it is asked; a ``BadParameter`` if it is none.

    ``key_file``: file with the key, empty for the environment's, or none; ``attempts``: requests before an error is
    reported, at least 1; ``timeout``: seconds for an answer; ``requests_per_minute``, ``tokens_per_minute``: limits of
    the rate, 0 for none; ``budget``: tokens that this process may use in all, 0 for no limit.
    """

    url: str
    key_file: str = ""
    attempts: int = 5
    timeout: float = 120.0
    requests_per_minute: float = 0
    tokens_per_minute: float = 0
    budget: int = 0

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            raise BadParameter("the address of the model is not one", "such as url=http://127.0.0.1:11434/v1") from None
        if parts.username or parts.password:
            hint = f"put the key into {KEY} or a file (key_file=FILE), and leave it out of the address"
            raise BadParameter(f"the address of {parts.hostname} holds a user name or password", hint)
        if not valid:
            raise BadParameter(f"the address {self.url!r:.80} is not one", "such as url=http://127.0.0.1:11434/v1")

    @property
    def host(self) -> str:
        """Host and port, for people."""
        return urlsplit(self.url).netloc

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the JSON value of the answer to a request, joined if the server streams it.

        ``Refused``: the server does not accept the request; ``Unavailable``: it gives no usable answer, or the budget
        is used up; ``BadParameter``: it does not accept the key, or does not know the model; ``MissingExtra``: no extra
        ``llm``.
        """
        connection = _connect(self, os.getpid())  # a client must not be shared by processes
        wait = FIRST_WAIT
        for attempt in range(1, self.attempts + 1):
            connection.take_turn()
            try:
                answer = self._ask_once(connection, path, body)
            except (Unavailable, BadParameter) as error:
                if not isinstance(error, _Passing) or attempt == self.attempts:
                    if not isinstance(error, Refused | _Unreadable):
                        connection.close(error)
                    raise
                # Requests that failed together are not repeated together.
                time.sleep(min(max(error.seconds, wait * random.uniform(0.75, 1.25)), _LONGEST_WAIT))  # noqa: S311
                wait *= 2
            else:
                connection.count(answer)
                return answer
        raise BadParameter(f"attempts {self.attempts}", "expected a number from 1")

    def _ask_once(self, connection: "_Connection", path: str, body: Mapping[str, Any]) -> Any:
        """Return an answer; errors are ``_Passing`` where another attempt is worth it."""
        httpx, key = connection.httpx, read_key(self.key_file)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        parts, size, deadline = [], 0, time.monotonic() + self.timeout
        url = f"{self.url.removesuffix('/').removesuffix('/chat/completions')}/{path}"
        try:
            with connection.client.stream("POST", url, json=dict(body), headers=headers) as response:
                for part in response.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if time.monotonic() > deadline or size > _MOST_BYTES:
                        problem = f"has sent {size:,} bytes in {self.timeout:g} s and is not finished"
                        raise _Passing(f"the model at {self.host} {problem}", "raise timeout, or ask for less")
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            reason = "did not answer in time" if isinstance(error, httpx.TimeoutException) else "cannot be reached"
            hint = f"is the server running, and is the address right? ({type(error).__name__})"
            raise _Passing(f"the model at {self.host} {reason}", hint) from None
        text = b"".join(parts).decode("utf-8", "replace")
        if response.status_code not in _SUCCESS:
            raise self._explain(response.status_code, response.headers.get("retry-after", ""), text, key)
        return self._parse(text, response.headers.get("content-type", ""))

    def _explain(self, status: int, after: str, text: str, key: str) -> KeywrightError:
        """Return the error of a status, with what the server says, without the key."""
        said = " ".join(re.sub(r"<[^>]*>", " ", text).split())
        with suppress(ValueError, AttributeError, TypeError):
            record = json.loads(text)
            said = str(record.get("error", record).get("message", said)) if isinstance(record, dict) else said
        said = (said.replace(key, "(the key)") if key else said)[:200]
        message = f"the model at {self.host} answered {status}: {said}" if said else f"{self.host} answered {status}"
        if status in {401, 403}:
            return BadParameter(message, f"is the key right? it is read from {KEY} or key_file=FILE")
        if status in _FOR_A_WHILE:
            error = _Passing(message, "try later, or set requests_per_minute")
            if re.fullmatch(r"\d+(\.\d+)?", after):
                error.seconds = min(float(after), _LONGEST_WAIT)
            return error
        if status in _LASTING:
            return BadParameter(message, "are the address (it often ends in /v1) and the model's name right?")
        return Refused(message, "the server does not accept this request: the text may be too long for the model")

    def _parse(self, text: str, content_type: str) -> Any:
        """Return the JSON value of an answer, or the joined parts of a stream."""
        if text.lstrip()[:1] == "<":
            message = f"the model at {self.host} answered with a page, not with JSON"
            raise BadParameter(message, "is the address right? it often ends in /v1")
        try:
            if "event-stream" in content_type or text.lstrip().startswith("data:"):
                return join_stream(text)
            return json.loads(text)
        except (ValueError, TypeError, AttributeError, RecursionError):
            message = f"the model at {self.host} answered with damaged JSON: {text:.60}"
            raise _Unreadable(message, "ask again; if it stays so, the server is at fault") from None


def read_key(key_file: str) -> str:
    """Return the key of a file, or of the environment; empty without one. It is never kept or shown."""
    try:
        key = Path(key_file).expanduser().read_text("utf-8").strip() if key_file else os.environ.get(KEY, "").strip()
    except (OSError, UnicodeError) as error:
        raise BadParameter(f"the key file {key_file} cannot be read", f"key_file names a file ({error})") from None
    if not key.isascii() or any(map(str.isspace, key)):
        raise BadParameter("the key is not one line of plain characters", "expected the key alone")
    return key


def join_stream(text: str) -> dict[str, Any]:
    """Return the answer of a stream of events as a server without streams would give it."""
    content, logprobs, whole = list[str](), list[Any](), dict[str, Any]()
    for line in text.splitlines():
        data = line.removeprefix("data:").strip()
        if not line.startswith("data:") or data == "[DONE]":
            continue
        event = json.loads(data)
        whole |= {name: event[name] for name in ("model", "usage") if event.get(name)}
        for choice in event.get("choices") or ():
            content.append((choice.get("delta") or {}).get("content") or "")
            logprobs += (choice.get("logprobs") or {}).get("content") or ()
            whole["finish"] = choice.get("finish_reason") or whole.get("finish")
    choice = {"message": {"content": "".join(content)}, "finish_reason": whole.pop("finish", None)}
    return whole | {"choices": [choice | ({"logprobs": {"content": logprobs}} if logprobs else {})]}


@dataclass(eq=False)
class _Connection:
    """State that the requests of this process to an address share."""

    address: ModelAddress
    httpx: Any
    client: Any
    lock: threading.Lock = field(default_factory=threading.Lock)
    next_turn: float = 0.0
    spent: int = 0
    closed_until: float = 0.0
    error: KeywrightError | None = None

    def take_turn(self) -> None:
        """Wait until the rates allow a request; raise the last lasting error, or that the budget is used up."""
        with self.lock:
            now = time.monotonic()
            if self.error is not None and now < self.closed_until:
                raise type(self.error)(self.error.message, self.error.hint)
            if 0 < self.address.budget <= self.spent:
                message = f"the budget of {self.address.budget:,} tokens is used up: {self.spent:,} so far"
                raise Unavailable(message, "answers are in the cache: call again with a larger budget")
            turn = max(now, self.next_turn)
            self.next_turn = turn + (60 / self.address.requests_per_minute if self.address.requests_per_minute else 0)
        time.sleep(max(0.0, turn - now))

    def count(self, answer: Any) -> None:
        """Count the tokens of an answer, which later turns wait for."""
        usage = answer.get("usage") if isinstance(answer, dict) else None
        tokens = usage.get("total_tokens", 0) if isinstance(usage, dict) else 0
        with self.lock:
            self.error = None
            if isinstance(tokens, int):
                self.spent += tokens
                if self.address.tokens_per_minute:
                    self.next_turn += 60 * tokens / self.address.tokens_per_minute

    def close(self, error: KeywrightError) -> None:
        """Let further requests fail with an error for a while."""
        with self.lock:
            if time.monotonic() >= self.closed_until:
                self.error, self.closed_until = error, time.monotonic() + _CLOSED


@lru_cache(maxsize=16)
def _connect(address: ModelAddress, _process: int) -> _Connection:
    with needs_extra("llm", "models behind an address are asked by httpx"):
        httpx = importlib.import_module("httpx")
    return _Connection(address, httpx, httpx.Client(timeout=address.timeout))


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
            words = map(re.escape, phrase.split())  # the answer may have several blanks where the phrase has one
            place = re.compile(r"\s+".join(words)).search(self.text, at) if aligned and self.tokens else None
            if place is None:
                yield None
                continue
            start, at = place.span()
            # A token belongs to the phrase if it ends behind its start and begins before its end.
            first, last = ends.searchsorted(start, "right"), ends.searchsorted(at, "left")
            pieces, logs = zip(*self.tokens[int(first) : int(last) + 1], strict=True)
            yield Generation(pieces, logs, words=len(phrase.split())) if all(np.isfinite(logs)) else None


@dataclass(frozen=True, slots=True)
class ChatModels:
    """Models behind an address; ``cache``: folder of answers, ``none`` for none, empty for the user's own cache."""

    address: ModelAddress
    cache: str = ""

    def ask(self, request: dict[str, Any]) -> Answer:
        """Return the answer from the cache, or from the server, to which a simpler request is sent if it refuses."""
        path = None
        if self.cache.lower() != "none":
            folder = Path(self.cache).expanduser() if self.cache else cache_folder("answers")
            name = hashlib.sha256(f"{self.address.url}\0{hash_request(request)}".encode()).hexdigest()
            path = folder / name[:2] / f"{name[2:]}.json"
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
