"""What is made once for all exports of a test process."""

import functools

import pytest


@pytest.fixture(scope="session", autouse=True)
def one_table_of_operators():
    """Torch reads its table of ONNX operators anew for each graph, a tenth of an export, and changes nothing in it."""
    from torch.onnx._internal.exporter import _registration  # noqa: PLC0415 - heavy

    with pytest.MonkeyPatch.context() as patch:
        read = functools.cache(_registration.ONNXRegistry.from_torchlib)
        patch.setattr(_registration.ONNXRegistry, "from_torchlib", staticmethod(read))
        yield
