"""The HTTP service: routes for programs that parse a request, call ``api`` and return its answer, and a page."""
