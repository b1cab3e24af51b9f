"""Identities of trainings: options that are off leave those of older checkpoints, which must stay resumable."""

from tests.docs.snippets import ROOT

from keywright.core.signatures import list_parameters
from keywright.neural.data.examples import Limits
from keywright.neural.training.fitting import hash_identity
from keywright.neural.training.recipe import RECIPE_PAGE, ChosenBy, Profile, Recipe

PROFILE = Profile(Limits(source=100), 300, {"width": 32}, Recipe(batch=6, steps=12, chosen_by=ChosenBy.F1))


def test_options_that_are_off_leave_the_identity_of_older_checkpoints():
    # Of the version before there were options.
    expected = "7db020865b3d5f678c05f0a8946a577ecf87b901f82827fabd654b8d3a6bcd7d"
    assert hash_identity("one2seq", PROFILE, "data") == expected


def test_options_that_are_on_change_the_identity():
    changed = Profile(Limits(source=100), 300, {"width": 32}, Recipe(6, 12, chosen_by=ChosenBy.F1, kpdrop=0.5))
    assert hash_identity("one2seq", changed, "data") != hash_identity("one2seq", PROFILE, "data")
    assert "kpdrop_variant" not in changed.recipe.as_json()
    assert changed.recipe.as_json()["kpdrop"] == 0.5


def test_the_page_that_errors_name_has_every_value_of_a_recipe():
    page = (ROOT / RECIPE_PAGE).read_text("utf-8")
    assert [value.name for value in list_parameters(Recipe) if f"`{value.name}" not in page] == []
