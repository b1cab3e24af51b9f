"""Collections as a whole: what is counted, merged, grouped and said, also of bad input."""

import json
import warnings
from pathlib import Path

import networkx as nx
import pytest

import keywright as kw
from keywright.collecting.groups import find_year, group_documents
from keywright.core.errors import BadParameter, EmptyInput, UnknownName
from keywright.faces.outputs.collection_files import write_folder
from keywright.reading.phrase_lists import read_merges


def records(*lists, **columns):  # noqa: ANN002, ANN003 - tests
    extra = [{name: values[index] for name, values in columns.items()} for index in range(len(lists))]
    return [
        {"id": f"d{index}", "keyphrases": each, **more}
        for index, (each, more) in enumerate(zip(lists, extra, strict=True))
    ]


def counts(collection):
    texts = [phrase.text for phrase in collection.phrases]
    assert len(set(texts)) == len(texts)
    return {phrase.text: phrase.documents for phrase in collection.phrases}


def test_forms_of_a_phrase_are_counted_together():
    collection = kw.collection(
        records(["Neural networks", "loss"], ["neural network"], ["Neural Network"], ["neural network"])
    )
    phrase = collection.phrases[0]
    assert (phrase.text, phrase.documents) == ("neural network", 4)
    assert set(phrase.forms) == {"Neural networks", "neural network", "Neural Network"}
    assert {merge.form for merge in collection.merges} == {"Neural networks", "Neural Network"}


def test_acronyms_mean_what_documents_define():
    text = "A support vector machine (SVM) separates."
    documents = records(["SVM"], ["support vector machine"], ["svm"], text=[text, "", ""])
    assert counts(kw.collection(documents)) == {"support vector machine": 3}


def test_an_acronym_with_several_meanings_is_expanded_where_a_document_says_which():
    texts = ["A neural network (NN) learns.", "The nearest neighbour (NN) is near.", ""]
    collection = kw.collection(records(["NN"], ["NN"], ["NN"], text=texts))
    assert counts(collection) == {"neural network": 1, "nearest neighbour": 1, "NN": 1}
    assert any("several meanings" in warning for warning in collection.warnings)


def test_expected_documents_are_sums_of_probabilities():
    lists = [[{"text": "soil", "score": 1, "probability": 0.5}], [{"text": "soils", "score": 1, "probability": 0.25}]]
    (phrase,) = kw.collection(records(*lists)).phrases
    assert (phrase.documents, phrase.expected, phrase.interval) == (2, 0.75, (0, 2))


def test_documents_are_extracted_with_probabilities():
    collection = kw.collection(
        [kw.read("examples/note.txt"), kw.read("examples/article.txt"), kw.read("examples/note.txt")]
    )
    phrase = next(each for each in collection.phrases if "garden" in each.text)
    assert phrase.documents == 2
    assert 0 < phrase.expected < 2
    assert phrase.mentions > 2


def test_merges_of_the_user_decide(tmp_path):
    table = tmp_path / "merges.csv"
    table.write_text("form,phrase\nNNs,neural network\nneural networks,neural networks\nloss,\n", "utf-8")
    documents = records(["NNs", "loss"], ["neural network"], ["Neural networks"])
    assert counts(kw.collection(documents, merges=table)) == {"neural network": 2, "neural networks": 1}


def test_a_phrase_can_be_renamed_with_all_of_its_forms():
    documents = records(["neural networks"], ["neural network"])
    assert counts(kw.collection(documents, merges={"neural networks": "Neural Networks"})) == {"Neural Networks": 2}


def test_the_list_of_all_merges_changes_nothing_and_undoes_each():
    documents = records(["neural networks", "Colours"], ["neural network", "color"], ["Neural network", "color"])
    collection = kw.collection(documents)
    same = kw.collection(documents, merges={merge.form: merge.phrase for merge in collection.merges})
    assert counts(same) == counts(collection)
    apart = kw.collection(documents, merges={"Colours": "Colours"})
    assert counts(apart)["Colours"] == 1
    assert counts(apart)["color"] == 2


def test_merges_that_contradict_each_other_are_told(tmp_path):
    table = tmp_path / "merges.csv"
    table.write_text("form,phrase\na,b\nA,c\nx,y\ny,x\n,z\n", "utf-8")
    merges, notes = read_merges(table)
    assert merges == (("a", "b"),)
    assert len(notes) == 4
    assert "contradicts" in notes[1]
    assert "circle" in notes[2]


def test_merges_work_in_extract():
    texts = kw.extract(kw.read("examples/note.txt"), merges={"rain gardens": "green roof", "school grounds": ""}).texts
    assert "green roof" in texts
    assert not {"rain gardens", "school grounds"} & set(texts)


@pytest.mark.parametrize(
    "date",
    [
        2019,
        "2019",
        "2019-03-05",
        "2019-03-05T10:00:00Z",
        "05.03.2019",
        "3/5/19",
        "March 5, 2019",
        "5 Mar 2019",
        "20190305",
        "2019年3月",
    ],
)
def test_years_are_read_from_dates_in_many_styles(date):
    assert find_year(date) == 2019


def test_dates_in_five_styles_are_years():
    dates = ["2019-03-05", "05.03.2019", "March 5, 2020", "20200101", "1/2/21"]
    collection = kw.collection(records(*[["soil"]] * 5, published=dates), "published")
    assert collection.phrases[0].by == {"2019": 2, "2020": 2, "2021": 1}
    assert any("made years" in warning for warning in collection.warnings)


def test_no_dates_are_told():
    collection = kw.collection(records(["soil"], ["soil"]), "year")
    assert collection.groups == {}
    assert any("year" in warning for warning in collection.warnings)


@pytest.mark.parametrize(
    ("ids", "years"), [(["a-2001", "b-2002", "c"], ["2001", "2002"]), (["17/1605", "17/2", "17/3"], [])]
)
def test_years_of_ids_are_those_of_most_documents(ids, years):
    collection = kw.collection({name: ["soil"] for name in ids}, by="year")
    assert list(collection.groups) == years


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(UnknownName, match="jurnal") as caught:
        kw.collection(records(["soil"], journal=["A"]), "jurnal")
    assert "journal" in caught.value.hint


def test_a_column_with_many_values_has_some_groups():
    documents = ((number, str(number), "en", {"author": f"name {number}"}) for number in range(50_000))
    groups = group_documents(documents, "author")
    assert len(groups.totals) == 40
    assert any("50,000 values" in warning for warning in groups.warnings)


def test_ten_languages_are_told_and_names_are_one_phrase():
    codes = ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "ja", "ko"]
    collection = kw.collection(records(*[["Kubernetes"]] * 10, language=codes))
    assert counts(collection) == {"Kubernetes": 10}
    assert any("10 languages" in warning for warning in collection.warnings)


def test_one_document_and_equal_documents():
    assert any("only one document" in warning for warning in kw.collection(records(["soil"])).warnings)
    collection = kw.collection(records(*[["soil", "rain"]] * 6, year=[2001, 2001, 2002, 2002, 2003, 2003]), "year")
    assert counts(collection) == {"soil": 6, "rain": 6}
    assert all(trend.direction == "steady" for trend in collection.trends)
    assert not collection.links  # together as often as by chance


def test_nothing_is_an_error():
    with pytest.raises(EmptyInput):
        kw.collection([])
    with pytest.raises(EmptyInput, match="nowhere"):
        kw.collection(Path("nowhere.jsonl"))


def test_a_bad_record_costs_that_record_only():
    collection = kw.collection([*records(["soil"]), {"id": "bad", "keyphrases": 7}])
    assert collection.documents == 1
    assert collection.failed == 1
    assert collection.failures[0].document_id == "bad"


def test_a_planted_rise_is_found():
    years = [year for year in range(2000, 2010) for _ in range(30)]
    lists = [[f"p{n % 7}"] + (["solar"] if n % 30 < 2 * (year - 2000) else []) for n, year in enumerate(years)]
    collection = kw.collection(records(*lists, year=years), "year")
    rising = [trend.text for trend in collection.trends if trend.direction == "rising"]
    assert rising == ["solar"]
    assert collection.typical["2009"][0][0] == "solar"


def test_clusters_are_phrases_that_occur_together():
    collection = kw.collection(records(*[["soil", "rain", "crop"]] * 5, *[["disk", "cpu", "cache"]] * 5))
    texts = [{collection.phrases[index].text for index in cluster.phrases} for cluster in collection.clusters]
    assert sorted(texts, key=sorted) == [{"cache", "cpu", "disk"}, {"crop", "rain", "soil"}]
    # Five of ten documents have each, all five both: twice as many as by chance.
    assert {link.strength for link in collection.links} == {2.0}
    assert {(cluster.centrality, cluster.density) for cluster in collection.clusters} == {(0.0, 100.0)}


def test_counts_do_not_depend_on_order_parts_and_processes(tmp_path):
    documents = records(
        ["Neural networks", "NN"], ["neural network", "loss"], ["Loss"], ["loss", "NN"], year=[1, 2, 3, 4]
    )
    documents[0]["text"] = "A neural network (NN) learns."
    whole = kw.collection(documents).to_dict()
    assert kw.collection(documents[::-1]).to_dict() == whole
    state = tmp_path / "state.db"
    kw.collection(documents[:2], state=state)
    added = kw.collection(documents[2:], state=state).to_dict()
    again = kw.collection(documents, state=state)
    assert {**added, "warnings": []} == {**whole, "warnings": []}
    assert again.documents == 4
    assert any("there before" in warning for warning in again.warnings)


@pytest.mark.long
def test_two_jobs_give_the_same(tmp_path):
    file = tmp_path / "texts.jsonl"
    text = "Soil moisture sensors drift. A soil moisture sensor is cheap. Calibration of sensors {}."
    file.write_text("".join(json.dumps({"id": str(n), "text": text.format(n)}) + "\n" for n in range(60)), "utf-8")
    assert kw.collection(file).to_dict() == kw.collection(file, jobs=2).to_dict()


def test_a_broken_state_is_refused(tmp_path):
    (tmp_path / "state.db").write_text("no state, but a text of some length " * 20, "utf-8")
    with pytest.raises(BadParameter, match="state"):
        kw.collection(records(["soil"]), state=tmp_path / "state.db")


def test_similar_documents_share_rare_phrases():
    collection = kw.collection(records(["soil", "rain"], ["soil", "rain"], ["soil", "disk"], ["disk"]))
    best = {first: second for first, second, _ in reversed(collection.similar)}
    assert best["d0"] == "d1"


def test_a_notebook_shows_the_table_the_map_and_what_rises():
    texts = [["soil", "water"], ["clay", "sand"]] * 15
    years = [str(2000 + index // 10) for index in range(30)]
    documents = records(*[[*each, "sensor"] if index > 14 else each for index, each in enumerate(texts)], year=years)
    page = kw.collection(documents, by="year")._repr_html_()
    assert page.count("<svg") == 2
    assert ">sensor</bdi>, rising" in page
    assert "<script" not in page


def test_networks_are_read_by_their_programs(tmp_path):
    collection = kw.collection(records(*[["soil <b>", "rain"]] * 4, ["disk"], ["disk"]))
    write_folder(collection, tmp_path / "out")
    graph = nx.read_graphml(tmp_path / "out/network.graphml")
    assert {label for _, label in graph.nodes(data="label")} == {"soil <b>", "rain"}
    assert nx.read_gexf(tmp_path / "out/network.gexf").number_of_edges() == 1
    head, *rows = (tmp_path / "out/vosviewer-map.txt").read_text("utf-8").splitlines()
    assert head.split("\t")[:5] == ["id", "label", "x", "y", "cluster"]
    assert len(rows) == 2
    assert (tmp_path / "out/vosviewer-network.txt").read_text("utf-8") == "1\t2\t4\n"
    page = (tmp_path / "out/collection.html").read_text("utf-8")
    assert "soil <b>" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_nothing_is_warned_in_python():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kw.collection(records(["soil"], ["soil"]))
