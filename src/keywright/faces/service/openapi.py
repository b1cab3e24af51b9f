"""``GET /openapi.json``: a description of all routes, which a test holds against those that run.

``openapi.json`` beside this file is written by hand. Options of requests, records of results and formats of files,
which are declared elsewhere, are put into it here, and so are the answers of errors, which all addresses share.
"""

import json
from functools import cache
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response

from keywright.core import VERSION
from keywright.core.choices import FORMATS
from keywright.core.json_values import to_json
from keywright.core.option_types import User
from keywright.core.options import options_for
from keywright.faces.record_schemas import Schema, extraction, failure, keyphrase, option_schema


def answer_openapi(_request: Request) -> Response:
    """Return the description."""
    return Response(_encode_description(), media_type="application/json")


@cache
def _encode_description() -> bytes:
    return to_json(describe_service()).encode("utf-8")


def describe_service() -> Schema:
    """Return the description of the service, OpenAPI 3.1."""
    described: Schema = json.loads(resources.files(__package__).joinpath("openapi.json").read_text("utf-8"))
    paths, components = described["paths"], described["components"]
    described["info"]["version"] = VERSION
    shared = components.pop("responses")
    for operation in (each for path in paths.values() for name, each in path.items() if name != "parameters"):
        answers = operation["responses"]
        answers |= {status: shared[status] for status in answers if status in shared}
    options = {name: option_schema(option, for_service=True) for name, option in options_for(User.SERVICE).items()}
    paths["/api/extract/batch"]["post"]["parameters"] = [
        {"name": name, "in": "query", "schema": schema, "required": False} for name, schema in options.items()
    ]
    of_file = paths["/api/extract/file"]["post"]
    of_file["summary"] = of_file["summary"].replace("FORMATS", FORMATS)
    schemas = components["schemas"]
    for name in ("ExtractRequest", "FileForm"):
        schemas[name]["properties"] |= options
    phrases = {"$ref": "#/components/schemas/Keyphrase"}
    schemas |= {"Extraction": extraction(phrases), "Keyphrase": keyphrase(), "Failure": failure()}
    return described
