"""Clients of Annif work with the service as they are."""

import io

import pytest
import requests
from annif_client import AnnifClient
from tests.service.running import TEXT

from keywright.core import VERSION
from keywright.faces.service.annif import score_by_rank


@pytest.fixture
def annif(service):
    return AnnifClient(f"{service.address}/v1/")


def test_name_and_version(annif):
    assert annif.api_info["version"] == VERSION


def test_a_project_is_a_vocabulary_with_uris_in_a_language(annif):
    assert [project["project_id"] for project in annif.projects] == ["tides-en", "tides-fi"]
    project = annif.get_project("tides-fi")
    assert (project["language"], project["vocab"]["vocab_id"], project["is_trained"]) == ("fi", "tides", True)
    for name in ("labels-en", "tides-de", "tides"):
        with pytest.raises(ValueError, match=f"no project called '{name}'"):
            annif.get_project(name)


def test_subjects_of_a_text(annif):
    results = annif.suggest("tides-en", TEXT)
    assert [(each["uri"], each["label"], each["notation"]) for each in results] == [
        ("http://ex.org/gauge", "tide gauges", "T1"),
        ("http://ex.org/level", "sea level", None),
    ]
    assert all(0 <= each["score"] <= 1 for each in results)
    assert annif.suggest("tides-en", io.StringIO(TEXT), limit=1) == results[:1]
    assert annif.suggest("tides-en", TEXT, threshold=1) == []
    assert annif.suggest("tides-en", "Lichens grow on trees.") == []
    assert annif.suggest("tides-en", " ") == annif.suggest("tides-en", "...") == []


def test_labels_are_in_the_language_of_the_project_where_there_are_any(annif):
    text = "Vedenkorkeusmittarit mittaavat merta. Vedenkorkeusmittarit ovat tarkkoja."
    assert [each["label"] for each in annif.suggest("tides-fi", text)] == ["vedenkorkeusmittarit"]


def test_subjects_without_a_probability_have_scores_that_fall_with_the_rank(annif):
    text = "Vedenkorkeusmittarit mittaavat merta. Merenpinta nousee."
    scores = [each["score"] for each in annif.suggest("tides-fi", text, threshold=0.01)]
    assert scores
    assert all(0 < score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert score_by_rank([None, None]) == [0.5, pytest.approx(1 / 3)]
    assert score_by_rank([0.6, 0.4, None, None]) == [0.6, 0.4, 0.2, pytest.approx(0.4 / 3)]


def test_subjects_of_a_batch(annif):
    documents = [{"document_id": "a", "text": TEXT}, {"text": ""}, {"document_id": "b", "text": "Sea level. " * 5}]
    results = annif.suggest_batch("tides-en", documents, limit=1, threshold=0)
    assert [(each["document_id"], [subject["label"] for subject in each["results"]]) for each in results] == [
        *(("a", ["tide gauges"]), (None, []), ("b", ["sea level"]))
    ]
    annif.suggest_batch("tides-en", documents[:1] * 32)
    with pytest.raises(requests.HTTPError, match="422"):
        annif.suggest_batch("tides-en", documents[:1] * 33)


def test_languages(annif):
    results = annif.detect_language(TEXT, ["fi", "en"])["results"]
    assert [each["language"] for each in results] == ["en", "fi", None]
    assert results[0]["score"] > 0.5
    assert sum(each["score"] for each in results) == pytest.approx(1)


def test_learning_is_refused_in_a_way_that_clients_understand(annif):
    with pytest.raises(requests.HTTPError, match="403") as refused:
        annif.learn("tides-en", [{"text": TEXT, "subjects": [{"uri": "http://ex.org/sea", "label": "oceanography"}]}])
    assert "learning is not allowed" in refused.value.response.json()["detail"]
    with pytest.raises(ValueError, match="no project called 'none-en'"):
        annif.learn("none-en", [])


@pytest.mark.parametrize(
    ("path", "options", "status"),
    [
        ("suggest", {"data": {"text": TEXT, "limit": "0"}}, 422),
        ("suggest", {"data": {"text": TEXT, "limit": "1.5"}}, 422),
        ("suggest", {"data": {"text": TEXT, "limit": "ten"}}, 422),
        ("suggest", {"data": {"text": TEXT, "threshold": "nan"}}, 422),
        ("suggest", {"data": {"text": TEXT, "threshold": "2"}}, 422),
        ("suggest", {"data": {"text": TEXT, "language": "english"}}, 422),
        ("suggest", {"data": {"limit": "1"}}, 422),
        ("suggest", {"data": {"text": [TEXT, TEXT]}}, 422),
        ("suggest", {"data": b"text=%ff%fe", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}, 400),
        ("suggest", {"data": b"text=\xff", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}, 400),
        ("suggest", {"json": {"text": TEXT}}, 415),
        ("suggest", {"data": {"text": "a " * 60_000}}, 413),
        ("suggest-batch", {"json": {"documents": TEXT}}, 422),
        ("suggest-batch", {"json": {"documents": [TEXT]}}, 422),
        ("suggest-batch", {"json": {"documents": [{"text": TEXT, "id": "a"}]}}, 422),
        ("suggest-batch", {"json": [{"text": TEXT}]}, 400),
        ("suggest-batch", {"data": b"{", "headers": {"Content-Type": "application/json"}}, 400),
    ],
    ids=range(17),
)
def test_bad_requests_have_a_detail(service, path, options, status):
    answer = requests.post(f"{service.address}/v1/projects/tides-en/{path}", timeout=30, **options)
    assert (answer.status_code, bool(answer.json()["detail"])) == (status, True)


@pytest.mark.parametrize(
    "values", [{}, {"text": TEXT}, {"text": TEXT, "languages": []}, {"text": 5, "languages": ["en"]}, {"languages": 5}]
)
def test_bad_questions_about_languages(service, values):
    assert requests.post(f"{service.address}/v1/detect-language", timeout=30, json=values).status_code == 422
