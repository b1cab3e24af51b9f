"""The HTTP service: routes that parse a request, call ``api``, and return its answer."""
