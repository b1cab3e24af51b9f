"""The routes of the service; other folders of pages add theirs in ``app``."""

from starlette.routing import BaseRoute, Route

from keywright.faces.http.annif.language_detection import detect_language
from keywright.faces.http.annif.projects import about, project, projects
from keywright.faces.http.annif.suggestions import learn, suggest, suggest_batch
from keywright.faces.http.batches import ExtractBatch
from keywright.faces.http.extraction import extract, extract_file
from keywright.faces.http.lookup import health, metrics, readiness, systems, vocabularies
from keywright.faces.http.openapi import openapi


def api_routes() -> list[BaseRoute]:
    """Return the routes for programs."""
    return [
        Route("/api/extract", extract, methods=["POST"]),
        Route("/api/extract/file", extract_file, methods=["POST"]),
        Route("/api/extract/batch", ExtractBatch(), methods=["POST"]),
        Route("/api/systems", systems),
        Route("/api/vocabularies", vocabularies),
        Route("/healthz", health),
        Route("/readyz", readiness),
        Route("/metrics", metrics),
        Route("/openapi.json", openapi),
        Route("/v1/", about),
        Route("/v1/projects", projects),
        Route("/v1/projects/{project_id}", project),
        Route("/v1/projects/{project_id}/suggest", suggest, methods=["POST"]),
        Route("/v1/projects/{project_id}/suggest-batch", suggest_batch, methods=["POST"]),
        Route("/v1/projects/{project_id}/learn", learn, methods=["POST"]),
        Route("/v1/detect-language", detect_language, methods=["POST"]),
    ]
