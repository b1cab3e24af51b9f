"""Notebooks: the text between the code."""

import base64
import json
import time
from pathlib import Path

import pytest

from keywright.core.documents import SectionKind as Kind
from keywright.core.errors import BrokenFile, EmptyInput
from keywright.reading.formats.notebook import read_notebook
from keywright.reading.limits import Limits

FIXTURES = Path(__file__).parent / "fixtures"
LIMITS = Limits()


def test_a_notebook():
    document = read_notebook((FIXTURES / "notebook.ipynb").read_bytes(), "a.ipynb", LIMITS)
    assert document.text == "Heat pumps\n\nThe brine flows. x\n\nResults\n\nThe pump works."
    assert document.section(Kind.TITLE) == "Heat pumps"
    assert document.warnings == ("left out: 1 code cell, 1 output",)
    assert document.coverage
    assert document.coverage.given > document.coverage.read


def test_cells_of_the_third_version():
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Brine"]},
        {"cell_type": "markdown", "source": "It flows."},
    ]
    document = read_notebook(json.dumps({"worksheets": [{"cells": cells}]}).encode(), "a.ipynb", LIMITS)
    assert document.text == "Brine\n\nIt flows."


def test_megabytes_of_pictures_take_little_time():
    picture = base64.b64encode(bytes(range(256)) * 20_000).decode()
    cells = [
        {"cell_type": "markdown", "source": f"Before\n\n![a picture](data:image/png;base64,{picture})\n\nAfter it."},
        {"cell_type": "code", "source": "plot()", "outputs": [{"data": {"image/png": picture}}]},
    ]
    data = json.dumps({"cells": cells}).encode()
    start = time.process_time()
    assert read_notebook(data, "a.ipynb", LIMITS).text == "Before\n\na picture\n\nAfter it."
    assert time.process_time() - start < 5


@pytest.mark.parametrize("data", [b"{", b"[" * 100_000, b"\x00\x01\x02" * 99])
def test_what_is_no_notebook(data: bytes):
    with pytest.raises((BrokenFile, ValueError)):
        read_notebook(data, "a.ipynb", LIMITS)


@pytest.mark.parametrize("notebook", [[], {}, {"cells": 3}, {"cells": [3, None, {}, {"cell_type": "markdown"}]}])
def test_notebooks_without_text(notebook: object):
    with pytest.raises(EmptyInput):
        read_notebook(json.dumps(notebook).encode(), "a.ipynb", LIMITS)
