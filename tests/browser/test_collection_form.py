"""The page of the service as one collection: uploaded tables and texts, and what is wrong with them."""

import httpx
import pytest
from lxml.html import document_fromstring as html_document

from keywright.faces.outputs.collection_files import find_policy

TABLE = "id,year,keywords\n1,2001,neural networks; loss\n2,2002,Neural network; loss\n3,2002,gain\n"


@pytest.fixture(scope="module")
def client(address):
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client


def send(client, files, fields):
    parts = [("files", (name, content.encode("utf-8"))) for name, content in files]
    return client.post("/collection", data=fields, files=parts or None)


def phrases(answer):
    rows = html_document(answer.text).xpath("//table[@id='phrases']/tbody/tr")
    return {row[0].text_content(): int(row[1].text_content()) for row in rows}


def test_a_table_of_keyphrases_is_counted(client):
    answer = send(client, [("library.csv", TABLE)], {"by": "year"})
    assert answer.status_code == 200
    assert phrases(answer) == {"Neural network": 2, "loss": 2, "gain": 1}
    assert "3 documents, by year" in answer.text


def test_the_page_runs_its_own_script_alone(client):
    policy = send(client, [("library.csv", TABLE)], {}).headers["content-security-policy"]
    assert policy.startswith(find_policy())
    assert "script-src 'self'" not in policy
    assert "frame-ancestors 'none'" in policy


def test_texts_are_extracted_with_the_options_of_the_page(client):
    text = "Rain gardens take up storm water. A rain garden is a shallow basin with plants."
    files = [(f"{name}.txt", text) for name in "ab"]
    answer = send(client, files, {"text": text, "stop_phrases": "storm water", "top": "3"})
    listed = phrases(answer)
    assert listed["Rain gardens"] == 3
    assert "storm water" not in listed
    assert "3 documents" in answer.text


def test_a_file_that_fails_costs_itself_only_and_is_named(client):
    answer = send(client, [("library.csv", TABLE), ("broken.pdf", "%PDF-1.4 nothing")], {"phrases_column": "keywords"})
    assert phrases(answer)["loss"] == 2
    assert "broken.pdf" in html_document(answer.text).xpath("//details")[0].text_content()


@pytest.mark.parametrize(
    ("fields", "files", "words"),
    [
        ({}, [], "neither a text nor a file"),
        ({"by": "colour"}, [("library.csv", TABLE)], "no document has a column 'colour'"),
        ({"top": "0"}, [("library.csv", TABLE)], "top 0"),
        ({}, [("broken.pdf", "%PDF-1.4 nothing")], "no document can be counted"),
    ],
)
def test_errors_are_told_on_the_page(client, fields, files, words):
    answer = send(client, files, fields) if files else client.post("/collection", data={"text": " ", **fields})
    problem = html_document(answer.text).xpath("//*[@role='alert']")[0].text_content()
    assert answer.status_code in {400, 404, 422}
    assert words in problem
