"""Seven people's tasks, each as few lines as its person types, with what they get checked.

The seventh person, an editor on a phone, is in ``tests/browser/test_phone_review.py``.
"""

import csv
import json
import shlex
import shutil
import textwrap

import httpx
import pytest
from tests.end_to_end.program import keywright
from tests.house.tree import ROOT
from tests.service.running import running

MOST_LINES = 9  # under ten lines, as issue 43 asks


@pytest.fixture
def folder(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def type_commands(text):
    """Run commands as a person types them, each of which must succeed; there are few."""
    lines = textwrap.dedent(text).strip().splitlines()
    assert len(lines) <= MOST_LINES
    for line in lines:
        name, *arguments = shlex.split(line)
        assert name == "keywright"
        done = keywright(*arguments)
        assert done.returncode == 0, done.stderr.decode()


def type_python(text):
    """Run lines of Python as a person types them; return the names that they made."""
    source = textwrap.dedent(text).strip()
    assert len(source.splitlines()) <= MOST_LINES
    names = {}
    exec(source, names)  # noqa: S102 - written here
    return names


@pytest.mark.filterwarnings("default:documents have")
def test_a_data_scientist_has_a_table_of_a_folder_with_errors_kept(folder):
    papers = folder / "papers"
    papers.mkdir()
    shutil.copy(folder / "examples" / "article.pdf", papers / "good.pdf")
    (papers / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing else")
    names = type_python("""
        import keywright as kw
        keyphrases = kw.extract_table("papers", top=3)
        failed = keyphrases[keyphrases["error"].notna()]
        likely = keyphrases[keyphrases["probability"] >= 0.5]
    """)
    assert list(names["failed"]["id"]) == ["broken.pdf"]
    assert "soil moisture" in set(names["likely"]["keyphrase"])
    assert names["keyphrases"].columns[0] == "keyphrase"


def test_a_librarian_has_reviewed_records_with_subjects(folder):
    columns = "docs/examples/papers.csv --text-column abstract --title-column title --id-column doi"
    type_commands(f"""
        keywright vocabulary build docs/examples/thesaurus.ttl -o thesaurus
        keywright extract {columns} --vocabulary thesaurus --only-vocabulary -o proposals.csv
    """)
    with (folder / "proposals.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:  # the review in a spreadsheet
        row["accepted"] = "no" if row["rank"] == "2" else "yes"
    with (folder / "reviewed.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    type_commands(f"keywright label {columns} --keyphrases reviewed.csv -o subjects.marc.xml")
    records = (folder / "subjects.marc.xml").read_text("utf-8")
    accepted = [row["label"] for row in rows if row["accepted"] == "yes" and row["label"]]
    assert accepted
    assert all(label in records for label in accepted)
    assert "Osei, Kofi" in records


def test_a_researcher_has_significance_and_latex_of_a_language_models_answers(folder):
    labelled = [json.loads(line) for line in (folder / "examples" / "labelled.jsonl").read_text("utf-8").splitlines()]
    with (folder / "answers.jsonl").open("w", encoding="utf-8") as file:
        for each in labelled:
            listed = "\n".join(f"{rank}. **{phrase}**" for rank, phrase in enumerate(each["keyphrases"], 1))
            answer = {"id": each["id"], "output": f"Here are the keyphrases:\n\n{listed}"}
            file.write(json.dumps(answer) + "\n")
    type_commands("""
        keywright run yake examples/labelled.jsonl -o yake.jsonl
        keywright compare answers.jsonl yake.jsonl --gold examples/labelled.jsonl -o table.tex
    """)
    table = (folder / "table.tex").read_text("utf-8")
    assert r"answers & \textbf{" in table
    assert r"\textsuperscript{b}" in table


def test_a_search_engineer_has_tags_of_a_stream_and_of_parts(folder):
    type_commands("""
        keywright extract examples/abstracts.jsonl --top 3 --parts -o tagged
        keywright extract examples/abstracts.jsonl --top 3 -o tagged.jsonl
    """)
    files = sorted((folder / "tagged").glob("*.jsonl"))
    parts = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    whole = [json.loads(line) for line in (folder / "tagged.jsonl").read_text("utf-8").splitlines()]
    with running("--jobs", "1") as service:
        rows = (folder / "examples" / "abstracts.jsonl").read_bytes()
        headers = {"Content-Type": "application/x-ndjson"}
        answer = httpx.post(f"{service.address}/api/extract/batch?top=3", content=rows, headers=headers, timeout=60)
    streamed = [json.loads(line) for line in answer.text.splitlines()]

    def tags(records):
        return {record["id"]: [each["text"] for each in record["keyphrases"]] for record in records}

    assert len(tags(whole)) == 5
    assert tags(parts) == tags(whole) == tags(streamed)


@pytest.mark.usefixtures("folder")
def test_a_student_has_keyphrases_in_three_lines():
    names = type_python("""
        import keywright as kw
        paper = kw.read("examples/article.pdf")
        keyphrases = kw.extract(paper, top=5).texts
    """)
    assert names["keyphrases"][0] == "soil moisture"
    assert len(names["keyphrases"]) == 5


def test_an_administrator_has_a_service_with_token_metrics_and_health(folder):
    (folder / "tokens").write_text("a" * 64 + "\n")
    (folder / "tokens").chmod(0o600)
    with running("--jobs", "1", "--token-file", "tokens") as service:
        body = {"text": "Tide gauges measure sea level. Tide gauges drift.", "top": 2}
        # What a reverse proxy sends on behalf of a client.
        through = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "Host": "keyphrases.example.org"}
        token = {"Authorization": f"Bearer {'a' * 64}"}
        assert httpx.get(f"{service.address}/healthz").status_code == 200
        assert httpx.post(f"{service.address}/api/extract", json=body, headers=through).status_code == 401
        answer = httpx.post(f"{service.address}/api/extract", json=body, headers={**through, **token}, timeout=60)
        assert answer.status_code == 200
        assert len(answer.json()["keyphrases"]) == 2
        metrics = httpx.get(f"{service.address}/metrics", headers=token)
        assert "keywright_" in metrics.text
