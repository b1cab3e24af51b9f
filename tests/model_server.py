"""A server on loopback that answers as servers of language models and of embeddings do, and misbehaves as asked."""

import contextlib
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FRAMEWORK = {"the", "and", "with", "from", "that", "this", "document", "in", "of", "a", "is", "are"}


@dataclass(frozen=True)
class Reply:
    """What goes over the wire."""

    body: str | bytes
    status: int = 200
    type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


def document_of(request: dict[str, Any]) -> str:
    return request["messages"][-1]["content"].removeprefix("<document>").removesuffix("</document>").strip()


def frequent_words(text: str, most: int = 8) -> list[str]:
    """Return a document's most frequent words: a model without knowledge."""
    words = [word for word in re.findall(r"[^\W\d_]{2,}", text.lower()) if word not in FRAMEWORK]
    return [word for word, _ in Counter(words).most_common(most)]


def completion(content: str, *, tokens: list[tuple[str, float]] | None = None, finish: str = "stop") -> Reply:
    """Return a whole answer, in the form that all servers share."""
    choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}
    if tokens is not None:
        choice["logprobs"] = {"content": [{"token": token, "logprob": log} for token, log in tokens]}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return Reply(json.dumps({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}))


def error(status: int, message: str, **headers: str) -> Reply:
    return Reply(json.dumps({"error": {"message": message, "type": "error"}}), status, headers=headers)


def as_stream(reply: Reply) -> Reply:
    """Return an answer in events of three characters each."""
    whole = json.loads(reply.body)
    content = whole["choices"][0]["message"]["content"]
    events = [{"choices": [{"delta": {"content": content[at : at + 3]}}]} for at in range(0, len(content), 3)]
    events += [{"choices": [{"delta": {}, "finish_reason": "stop"}]}, {"choices": [], "usage": whole["usage"]}]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Reply(": keep-alive\n\n" + "".join(lines) + "data: [DONE]\n\n", type="text/event-stream")


def ollama(request: dict[str, Any], _headers: Any) -> Reply:
    """A fence in spite of the schema, no probabilities of tokens."""
    return completion("```json\n" + json.dumps({"keyphrases": frequent_words(document_of(request))}) + "\n```")


def llama_cpp(request: dict[str, Any], _headers: Any) -> Reply:
    """The schema is kept to, and tokens have probabilities where asked."""
    assert request["response_format"]["type"] == "json_schema"
    content = json.dumps({"keyphrases": frequent_words(document_of(request))})
    tokens = [(piece, -0.25) for piece in re.findall(r"\s*\w{1,3}|\W", content)] if request.get("logprobs") else None
    return completion(content, tokens=tokens)


def vllm(request: dict[str, Any], _headers: Any) -> Reply:
    """Schemas are unknown, and bullets are written."""
    if "response_format" in request:
        return error(400, "response_format is not supported by this model")
    return completion("\n".join(f"- {word}" for word in frequent_words(document_of(request))))


def cloud(request: dict[str, Any], headers: Any) -> Reply:
    """A key is needed, a temperature is refused, and answers are streams."""
    if headers.get("Authorization") != "Bearer secret-key-1":
        return error(401, f"Incorrect API key provided: {headers.get('Authorization', '')[7:]}")
    if "temperature" in request:
        return error(400, "Unsupported value: 'temperature' does not support 0 with this model")
    return as_stream(completion(json.dumps(frequent_words(document_of(request)))))


SERVERS = {"ollama": ollama, "llama_cpp": llama_cpp, "vllm": vllm, "cloud": cloud}


def embeddings(request: dict[str, Any], _headers: Any) -> Reply:
    """Counts of letters, in reverse order: clients must go by ``index``."""
    rows = [
        {
            "index": row,
            "embedding": [float(text.lower().count(letter)) + 0.01 for letter in "abcdefghijklmnopqrstuvwxyz"],
        }
        for row, text in enumerate(request["input"])
    ]
    return Reply(json.dumps({"data": rows[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}))


@dataclass
class ModelServer:
    """The server's address, how it answers, and the requests that came."""

    url: str
    respond: Callable[[dict[str, Any], Any], Reply]
    requests: list[dict[str, Any]] = field(default_factory=list)


@contextlib.contextmanager
def serve_model(respond: Callable[[dict[str, Any], Any], Reply] = ollama) -> Iterator[ModelServer]:
    """Run a server until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.requests.append(request)
            reply = (embeddings if self.path.endswith("/embeddings") else state.respond)(request, self.headers)
            time.sleep(reply.seconds)
            body = reply.body if isinstance(reply.body, bytes) else reply.body.encode()
            with contextlib.suppress(OSError):
                self.send_response(reply.status)
                for name, value in {
                    "Content-Type": reply.type,
                    "Content-Length": str(len(body)),
                    **reply.headers,
                }.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state = ModelServer(f"http://127.0.0.1:{server.server_port}/v1", respond)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
