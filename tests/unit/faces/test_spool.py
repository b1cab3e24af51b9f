"""Messages for the end of a command."""

from keywright.core.predictions import Failure
from keywright.faces.outputs import results as spool_module
from keywright.faces.outputs.results import Spool


def test_messages_come_back_in_order_from_memory_and_from_disk(monkeypatch):
    for most in (10, 1_000_000):
        monkeypatch.setattr(spool_module, "_IN_MEMORY", most)
        texts, failures = Spool(), Spool()
        expected = [Failure(f"\udcff{number}", "empty_input", "nöthing", "give a text") for number in range(5)]
        for failure in expected:
            failures.append(failure)
            texts.append(failure.message)
        assert (list(failures), len(failures)) == (expected, 5)
        assert (list(texts), list(texts)) == (["nöthing"] * 5, ["nöthing"] * 5)
        assert expected[2] in failures
    assert not Spool()
