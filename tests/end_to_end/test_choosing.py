"""Which phrases `keywright extract` shows, and how it shows them: good and bad input, the same from Python."""

import json
import re
from dataclasses import replace

import pytest
from lxml import html
from tests.end_to_end.program import first_record, keywright
from tests.house.tree import ROOT

import keywright as kw

ARTICLE = ROOT / "examples" / "article.txt"
TEXT = """Support vector machines <b>for</b> crops & "fields"

Support vector machine (SVM) training is slow on field data. The SVM learns from IL-6 and COVID-19 records, in C++. The
EU pays for the support vector machine of each field. Quality of service is no set goal of the field.
</main><script>alert(1)</script>
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "crops.txt").write_text(TEXT)
    (tmp_path / "stop.txt").write_text("fields\n\nSCRIPTS\n")
    (tmp_path / "vocabulary.txt").write_text("quality of services\nEU\nno such thing\n")
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "signs.txt").write_text("EU\n--\n")
    return tmp_path


def printed(folder, *arguments: object):
    """The one record that was printed."""
    done = keywright("extract", "crops.txt", "--language", "en", "--json", "--quiet", *arguments, cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    (record,) = json.loads(done.stdout)
    return record


def texts(record):
    return [keyphrase["text"] for keyphrase in record["keyphrases"]]


def test_all_options_at_once_and_from_python(folder):
    options = ("--diversity", 0.5, "--stop-phrases", "stop.txt", "--min-words", 2, "--expand-acronyms", "--top", 40)
    record = printed(folder, "--vocabulary", "vocabulary.txt", "--explain", *options)
    found = texts(record)
    assert found[:2] == ["Quality of service", "EU"]
    assert not {"field", "script", "SVM", "slow"} & set(found)
    assert {"IL-6", "C++"} <= set(found)
    machine = next(one for one in record["keyphrases"] if one["text"].lower() == "support vector machine")
    assert machine["acronym"] == {"short": "SVM", "long": "Support vector machine"}
    text = kw.read(folder / "crops.txt").text
    for keyphrase in record["keyphrases"]:
        shown = {" ".join(text[start:end].split()).lower() for start, end in keyphrase["spans"]}
        assert keyphrase["text"].lower() in shown
        start, end = keyphrase["sentence"]["span"]
        assert " ".join(text[start:end].split()) == keyphrase["sentence"]["text"]
        assert sum(place["mentions"] for place in keyphrase["places"]) == len(keyphrase["spans"])
        assert [name for names in keyphrase["reasons"].values() for name in names] != [] or keyphrase["evidence"] == {}
    prediction = kw.extract(
        replace(kw.read(folder / "crops.txt"), id="crops.txt"),
        top=40,
        language="en",
        explain=True,
        diversity=0.5,
        stop_phrases=folder / "stop.txt",
        vocabulary=["quality of services", "EU", "no such thing"],
        min_words=2,
        expand_acronyms=True,
    )
    assert first_record(prediction, kw.system("default")) == record


def test_nothing_but_the_vocabulary(folder):
    record = printed(folder, "--vocabulary", "vocabulary.txt", "--only-vocabulary")
    assert texts(record) == ["Quality of service", "EU"]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--min-probability", "1.5"), 2, "min_probability 1.5"),
        (("--diversity", "-1"), 2, "diversity -1"),
        (("--min-words", "0"), 2, "min_words 0"),
        (("--only-vocabulary",), 2, "only_vocabulary without a vocabulary"),
        (("--stop-phrases", "none.txt"), 3, "no file 'none.txt'"),
        (("--vocabulary", "empty.txt"), 3, "empty.txt holds no phrases"),
        (("--vocabulary", "signs.txt"), 3, "line 2 of signs.txt is not a phrase"),
        (("--system", "kpminer", "--min-probability", "0.5"), 2, "kpminer gives no probabilities"),
    ],
)
def test_what_can_mean_nothing_is_refused_before_any_document(folder, arguments, status, said):
    done = keywright("extract", "crops.txt", "--json", *arguments, cwd=folder)
    assert done.returncode == status
    assert said in json.loads(done.stdout)["error"]["message"]
    assert said in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_tables_show_acronyms_author_keywords_and_places(folder):
    done = keywright("extract", "crops.txt", ARTICLE, "--expand-acronyms", "--explain", "--language", "en", cwd=folder)
    text = done.stdout.decode()
    assert "Support vector machine (SVM)" in text
    listed = "author keywords: soil moisture; wireless sensor networks; irrigation scheduling; "
    assert listed in " ".join(text.split())  # the line is wrapped
    assert re.search(r"why    [+-]+ +\w", text)
    assert "where  title; abstract ×2; " in text


def test_a_page_of_html_holds_the_documents_and_their_marks(folder):
    done = keywright("extract", "crops.txt", ARTICLE, "none.txt", "--format", "html", "-o", "page.html", cwd=folder)
    assert (done.returncode, done.stdout) == (1, b"")
    tree = html.document_fromstring((folder / "page.html").read_text("utf-8"))
    assert not tree.xpath("//script | //link | //img | //b")
    assert [node.text_content() for node in tree.xpath("//article/h2")] == ["crops.txt", str(ARTICLE)]
    assert len(tree.xpath("//nav//li")) == 2
    assert "none.txt" in tree.xpath("//header/ul")[0].text_content()
    body = " ".join(tree.xpath("//section[@class='text']")[0].text_content().split())
    assert "</main><script>alert(1)</script>" in body.replace(" ", "")
    marked = {node.text_content().lower() for node in tree.xpath("//mark[contains(@title, '. soil moisture')]")}
    assert "soil moisture" in marked


def test_a_thousand_phrases(folder):
    (folder / "crops.txt").write_text(". ".join(f"alpha{n} beta{n} gamma{n}" for n in range(1100)) * 2)
    record = printed(folder, "--top", "1000", "--diversity", "0.01")
    assert len(record["keyphrases"]) == 1000
    done = keywright("extract", "crops.txt", "--top", "1000", "-f", "html", "--explain", cwd=folder)
    assert done.returncode == 0
    assert len(html.document_fromstring(done.stdout.decode()).xpath("//section[@class='phrases']/ol/li")) == 1000


def test_short_and_odd_terms_are_kept_by_the_default_system():
    text = "The EU funds IL-6 studies. COVID-19 runs in C++ and C#, on .NET. The WHO says: IT needs TCP/IP, 5G, p53."
    found = set(kw.extract(text, top=100, language="en").texts)
    assert {"EU", "IL-6", "COVID-19", "C++", "C#", ".NET", "WHO", "IT", "TCP/IP", "5G", "p53"} <= found
