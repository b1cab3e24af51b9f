"""The routes of the service; other folders of pages add theirs in ``app``."""

from starlette.routing import BaseRoute, Route

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
    ]
