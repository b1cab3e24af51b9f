"""Features of candidates: functions ``(candidates, document) -> Floats  # (candidates,)``."""
