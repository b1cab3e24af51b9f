"""Records that are finished where the work was done, and the rare changes where they come together."""

import json

from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import FinishedRecord
from keywright.running.extraction import AsRecord
from keywright.running.file_extraction import DistinctIds

ODD = "\udcff naïve\u2028"


def test_a_record_is_the_one_of_its_outcome():
    prediction = Prediction(ODD, (Keyphrase("a", 0.1),), warnings=("w",), profile=(1, 2))
    finished = AsRecord("s#1")(None, prediction)
    assert json.loads(finished.text) == prediction.to_dict("s#1")
    assert (finished.document_id, finished.warnings, finished.profile) == (ODD, ("w",), (1, 2))
    failed = AsRecord("s#1")(None, Failure("a", "empty_input", "nothing", meta={"year": 1}))
    assert json.loads(failed.text)["meta"] == {"year": 1}
    assert failed.failure == Failure("a", "empty_input", "nothing")


def test_a_changed_record_is_the_one_of_a_changed_outcome():
    first, second = Prediction(ODD, (Keyphrase("a", 0.1),)), Prediction(ODD, (Keyphrase("b", 1e-20),), warnings=("w",))
    whole, lines = DistinctIds(), DistinctIds()
    for outcome in (first, second, Failure(ODD, "empty_input", "nothing")):
        expected = AsRecord("s#1")(None, whole(outcome))
        assert lines(AsRecord("s#1")(None, outcome)) == expected


def test_more_keys_come_behind_the_others():
    record = FinishedRecord("a", '{"id": "a", "score": 0.1}')
    assert record.extended({"signature": "s|v1"}).text == '{"id": "a", "score": 0.1, "signature": "s|v1"}'
