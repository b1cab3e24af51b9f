"""Candidates to one number each: functions ``(candidates, document) -> Floats  # (candidates,)``."""
