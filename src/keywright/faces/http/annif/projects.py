"""``GET /v1/``, ``/v1/projects`` and ``/v1/projects/{id}``: what there is."""

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from keywright.core.errors import unknown
from keywright.core.version import VERSION
from keywright.faces.http.lookup import json_answer

if TYPE_CHECKING:
    from keywright.api.vocabulary_projects import Project


async def about(_request: Request) -> Response:
    """Return name and version."""
    return json_answer({"title": "keywright, with the addresses of Annif", "version": VERSION})


async def projects(request: Request) -> Response:
    """List all projects."""
    return json_answer({"projects": [described(project) for project in request.app.state.projects.values()]})


async def project(request: Request) -> Response:
    """Describe a project."""
    return json_answer(described(named(request)))


def named(request: Request) -> "Project":
    """Return the project that an address names.

    Raises:
        UnknownName: there is none.
    """
    existing: dict[str, Project] = request.app.state.projects
    name = request.path_params["project_id"]
    if name not in existing:
        raise unknown("project", name, existing, "GET /v1/projects")
    return existing[name]


def described(project: "Project") -> dict[str, Any]:
    """Return the description of a project."""
    return {
        "project_id": project.name,
        "name": f"{project.vocabulary} ({project.language})",
        "language": project.language,
        "backend": {"backend_id": "keywright"},
        "vocab": {"vocab_id": project.vocabulary, "languages": list(project.languages)},
        "vocab_language": project.language,
        "is_trained": True,
        "modification_time": None,
    }
