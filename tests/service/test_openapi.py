"""The description of the service and the running routes say the same."""

import json
import re

import jsonschema
import pytest
from tests.house.tree import ROOT
from tests.service.running import NDJSON, TEXT, rows

from keywright.core import VERSION
from keywright.faces.service.app import api_routes

EXAMPLES = ROOT / "examples"
RECORD = {"id": "a", "title": "Tides", "abstract": TEXT, "venue": "Seas"}
FILE = {"file": ("note.txt", b"Rain gardens take up rain. Rain gardens need no pipes.")}


@pytest.fixture(scope="module")
def description(service):
    with service.client() as client:
        return client.get("/openapi.json").json()


def validator(description, schema):
    return jsonschema.Draft202012Validator({**schema, "components": description["components"]})


def test_every_route_is_described_and_every_description_is_a_route(description):
    described = {
        (path, method.upper())
        for path, methods in description["paths"].items()
        for method in methods
        if method != "parameters"
    }
    routes = {(route.path, method) for route in api_routes() for method in (route.methods or ()) if method != "HEAD"}
    assert described == routes


def test_the_description_is_of_this_version(description):
    assert (description["openapi"], description["info"]["version"]) == ("3.1.0", VERSION)


def test_all_schemas_are_schemas_and_all_references_lead_somewhere(description):
    for schema in description["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    text = json.dumps(description)
    named = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert named <= set(description["components"]["schemas"])


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("/api/extract", {"json": {"text": TEXT}}),
        ("/api/extract", {"json": {"text": TEXT, "explain": True, "top": 2, "expect": 5, "style": "reader"}}),
        ("/api/extract", {"json": {"document": RECORD, "explain": True}}),
        ("/api/extract", {"json": {"text": "12 34 56"}}),
        ("/api/extract", {"json": {"text": TEXT, "tpo": 2}}),
        ("/api/extract", {"json": {"text": ""}}),
        ("/api/extract", {"content": b"{", "headers": {"Content-Type": "application/json"}}),
        ("/api/extract", {"content": b"{}", "headers": {"Content-Type": "text/plain"}}),
        ("/api/extract", {"json": {"text": "a " * 100_000}}),
        ("/api/extract", {"json": {"text": TEXT, "vocabulary": "none"}}),
        ("/api/extract/file", {"files": FILE, "data": {"explain": "true"}}),
        ("/api/extract/file", {"files": {"file": ("a.pdf", b"%PDF-1.4 broken")}}),
        ("/api/extract/file", {"files": {"file": ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(50))}}),
        ("/api/extract/file", {"files": {"other": ("a.txt", b"a text")}}),
        ("/api/extract/batch?tpo=2", {"content": b"{}", "headers": NDJSON}),
        ("/api/extract", {"json": {"text": TEXT, "vocabulary": "tides", "only_vocabulary": True}}),
        ("/v1/", {}),
        ("/v1/projects", {}),
        ("/v1/projects/tides-en", {}),
        ("/v1/projects/none-en", {}),
        ("/v1/projects/tides-en/suggest", {"data": {"text": TEXT, "limit": 2}}),
        ("/v1/projects/tides-en/suggest", {"data": {"text": TEXT, "limits": 2}}),
        ("/v1/projects/tides-fi/suggest-batch", {"json": {"documents": [{"text": TEXT, "document_id": "a"}]}}),
        ("/v1/projects/tides-en/learn", {"json": []}),
        ("/v1/detect-language", {"json": {"text": TEXT, "languages": ["en", "fi"]}}),
        ("/api/systems", {}),
        ("/api/vocabularies", {}),
        ("/healthz", {}),
        ("/readyz", {}),
        ("/openapi.json", {}),
    ],
)
def test_answers_are_as_described(client, description, path, options):
    method = "POST" if options else "GET"
    answer = client.request(method, path, **options)
    template = re.sub(r"(/projects)/[\w-]+", r"\1/{project_id}", path.partition("?")[0])
    operation = description["paths"][template][method.lower()]
    assert str(answer.status_code) in operation["responses"]
    content = operation["responses"][str(answer.status_code)]["content"]
    ((kind, described),) = content.items()
    assert answer.headers["content-type"] == kind
    validator(description, described["schema"]).validate(answer.json())
    if answer.status_code != 200:
        assert answer.json()["status"] == answer.status_code


def test_examples_are_answered(client, description):
    project = client.get("/v1/projects").json()["projects"][0]["project_id"]
    for path, item in description["paths"].items():
        for method, operation in item.items():
            for media_type, body in operation["requestBody"]["content"].items() if "requestBody" in operation else ():
                example, address = body["example"], path.replace("{project_id}", project)
                if media_type == "multipart/form-data":
                    name, _, file = example.partition("=@")
                    answer = client.post(address, files={name: (file, (EXAMPLES / "article.pdf").read_bytes())})
                else:
                    content = example if isinstance(example, str) else json.dumps(example)
                    answer = client.request(method, address, content=content, headers={"Content-Type": media_type})
                assert answer.status_code == 200, (path, answer.text)


def test_rows_of_a_batch_are_as_described(client, description):
    batch = (EXAMPLES / "abstracts.jsonl").read_bytes() + b"{}\n"
    answers = rows(client.post("/api/extract/batch", content=batch, headers=NDJSON).text)
    schema = {"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Extraction", "Failure")]}
    for answer in answers:
        validator(description, schema).validate(answer)
    assert "error" in answers[-1]


def test_the_schema_of_requests_refuses_what_the_service_refuses(client, description):
    schema = validator(description, {"$ref": "#/components/schemas/ExtractRequest"})
    for values in (
        {"text": 5},
        {"text": TEXT, "top": 0},
        {"text": TEXT, "top": 1.5},
        {"text": TEXT, "top": True},
        {"text": TEXT, "top": 10_001},
        {"text": TEXT, "expect": "5"},
        {"text": TEXT, "expect": 0},
        {"text": TEXT, "style": "poet"},
        {"text": TEXT, "stop_phrases": "tide gauges"},
        {"text": TEXT, "stop_phrases": [5]},
        {"text": TEXT, "min_words": 0},
        {"text": TEXT, "min_precision": 1},
        {"text": TEXT, "explain": 1},
        {"text": TEXT, "min_probability": 1.5},
        {"text": TEXT, "language": ["en"]},
        {"text": TEXT, "n": 3},
        {"document": "a text"},
    ):
        assert not schema.is_valid(values), values
        assert client.post("/api/extract", json=values).status_code == 422, values
    values = {"text": TEXT, "id": "a", "top": 1, "language": None, "explain": None, "only_vocabulary": False}
    assert schema.is_valid(values)
    assert client.post("/api/extract", json=values).status_code == 200
