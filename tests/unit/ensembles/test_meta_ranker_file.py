"""Meta-rankers in files: what is written is read, and what no fit writes is refused."""

import hashlib
import json
import re

import pytest

from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BrokenFile, MissingData
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.ensembles.meta_ranker import CalibratedTrees, Card, MetaRanker, read_meta_ranker, write_meta_ranker
from keywright.extraction.learners.trees import Trees

# One tree over the 16 columns of two runs: one vote, or more.
TREES = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=15
objective=regression
feature_names=f
feature_infos=none

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=1.5
decision_type=2
left_child=-1
right_child=-2
leaf_value=-1.0 1.0
is_linear=0
shrinkage=1


end of trees
"""
CARD = Card(("one", "two"), ("", "kpp"), "papers", ("00ff",), 2, 1, "2026-01-31", "0.1.0")
RANKER = MetaRanker(CARD, CalibratedTrees(Trees(TREES), (0.0, 2.0, 0.0, 0.0)))


@pytest.fixture
def path(tmp_path):
    write_meta_ranker(RANKER, tmp_path / "m.json")
    return tmp_path / "m.json"


def test_what_is_written_is_read(path):
    found = read_meta_ranker(path)
    assert (found.card, found.trees.trees.text, found.trees.weights) == (CARD, TREES, (0.0, 2.0, 0.0, 0.0))


def test_probabilities_are_on_the_line_by_hand(path):
    both = Prediction("d", (Keyphrase("grids", 1.0, evidence={"kpp": 2.0}),))
    one = Prediction("d", (*both.keyphrases, Keyphrase("webs", 0.0)))
    runs = [Run("one", "", "", (one,)), Run("two", "", "", (both,))]
    (found,) = read_meta_ranker(path).rank(runs, [Document("d", "grids")]).predictions
    # Grids stand in the text and have two votes: log odds 1, on the line 2, a chance of 1 / (1 + e^-2). Webs do not
    # stand there, and the line of absent phrases is flat.
    assert [(each.text, each.probability) for each in found.keyphrases] == [
        ("grids", pytest.approx(0.880797)),
        ("webs", 0.5),
    ]


def test_there_is_none(tmp_path):
    with pytest.raises(MissingData, match=r"there is no meta-ranker .*m\.json"):
        read_meta_ranker(tmp_path / "m.json")
    with pytest.raises(BadParameter, match="lies in a folder that does not exist"):
        write_meta_ranker(RANKER, tmp_path / "nowhere" / "m.json")


def test_other_files_are_refused(path):
    for content, said in (
        (b"", "cannot be read: Expecting value"),
        (b"[]", "cannot be read: expected an object"),
        (b"\xff", "cannot be read: 'utf-8' codec"),
        (b"[" * 100_000, "cannot be read: it is nested too deeply"),
        (b'{"keywright": "calibrator"}', "cannot be read: it is something else"),
        (path.read_bytes().replace(b"papers", b"others"), "cannot be read: it is not what its card says"),
    ):
        path.write_bytes(content)
        with pytest.raises(BrokenFile, match=said):
            read_meta_ranker(path)


def forged(path, record):
    """A file with a right hash of wrong content."""
    if not isinstance(record["card"], dict):
        path.write_text(json.dumps(record), "utf-8")
        return
    card = {name: value for name, value in record["card"].items() if name != "sha256"}
    digest = hashlib.sha256(json.dumps({**record, "card": card}, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps({**record, "card": {**card, "sha256": digest}}), "utf-8")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"weights": [0, 1, 0]}, "weights (0, 1, 0)"),
        ({"weights": [0, -1, 0, 1]}, "a slope is below 0"),
        ({"weights": [0, float("nan"), 0, 1]}, "weights must be a finite number"),
        ({"weights": [0, 1e300, 0, 1]}, "weights (0, 1e+300"),
        ({"weights": [0, 10**400, 0, 1]}, "weights must be a finite number"),
        ({"trees": None}, "trees must be text"),
        ({"trees": "tree"}, "decision trees is damaged"),
        ({"trees": TREES.replace("idx=15", "idx=14")}, "trees over 15 columns, where the runs have 16"),
        ({"trees": TREES.replace("label_index=0", "average_output")}, "trees over 16 columns"),
        ({"trees": TREES.replace("-1.0 1.0", "-1e300 1.0")}, "leaves whose sum is not finite log odds"),
        ({"trees": TREES.replace("-1.0 1.0", "nan 1.0")}, "decision trees is damaged"),
        ({"trees": TREES.replace("child=-2", "child=0")}, "children do not form a tree"),
        ({"card": []}, "expected an object"),
        ({"card": {"systems": ["one"]}}, "1 systems and 2 confidences"),
        ({"card": {"systems": ["one", 2]}}, "systems must be text"),
        ({"card": {"confidences": ["", "odd"]}}, "'odd' is not a valid Confidence"),
        ({"card": {"phrases": -1}}, "phrases must be a whole number"),
    ],
)
def test_wrong_content_with_a_right_hash_is_refused(path, changes, said):
    record = json.loads(path.read_text("utf-8"))
    card = changes.get("card", {})
    forged(path, {**record, **changes, "card": {**record["card"], **card} if isinstance(card, dict) else card})
    with pytest.raises(BrokenFile, match=re.escape(said)):
        read_meta_ranker(path)


def test_few_trees_and_one_huge_are_refused(path):
    record = json.loads(path.read_text("utf-8"))
    # A chain of 2,000 nodes beside 600 small trees would make room for 600 times 2,048 leaves.
    chain = {
        "num_leaves": 2001,
        "split_feature": " ".join(["0"] * 2000),
        "threshold": " ".join(["1"] * 2000),
        "decision_type": " ".join(["2"] * 2000),
        "left_child": " ".join(str(-1 - at) for at in range(2000)),
        "right_child": " ".join([*(str(at + 1) for at in range(1999)), "-2001"]),
        "leaf_value": " ".join(["0.5"] * 2001),
    }
    head, _, tree = TREES.partition("Tree=0")
    huge = "".join(f"{name}={value}\n" for name, value in chain.items())
    small = tree.partition("end of trees")[0]
    trees = "".join(f"Tree={at}{small}" for at in range(600))
    forged(path, {**record, "trees": f"{head}{trees}Tree=600\n{huge}\n\nend of trees\n"})
    with pytest.raises(BrokenFile, match="601 trees of up to 2001 leaves"):
        read_meta_ranker(path)
