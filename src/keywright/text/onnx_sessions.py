"""Sessions of onnxruntime."""

from typing import Any, Final

_SLOWER: Final = ("SkipLayerNormFusion",)
"""Rewritings of graphs that make them slower: this operator takes six times as long as the sum and the norm
that it joins."""


def session_of(onnxruntime: Any, content: bytes) -> Any:
    """Return a session of a graph on one thread, so that numbers do not depend on the machine's cores."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # only fatal errors are logged; others are raised
    return onnxruntime.InferenceSession(
        content, options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER
    )
