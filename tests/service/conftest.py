"""One service for all tests that do not stop or starve it."""

import pytest
from tests.service.running import running


@pytest.fixture(scope="session")
def service():
    with running("--jobs", "1", "--max-bytes", "400000", "--max-chars", "100000", "--timeout", "20") as started:
        yield started


@pytest.fixture
def client(service):
    with service.client() as client:
        yield client
