"""Features of the published systems: ``(candidates, document) -> Floats  # (candidates,)``, one number each."""
