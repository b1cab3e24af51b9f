"""Answers of language models: which tokens are those of a phrase."""

from keywright.core.model_address import Answer


def test_two_blanks_in_an_answer_do_not_lose_the_probabilities_of_its_phrase():
    tokens = (("grid", -0.5), ("  ", -0.25), ("scheduler", -0.25), (",", 0.0), (" jobs", -2.0))
    answer = Answer("grid  scheduler, jobs", tokens)
    grid, jobs = answer.align(["grid scheduler", "jobs"])
    assert (grid.log_probabilities, grid.words) == ((-0.5, -0.25, -0.25), 2)
    assert jobs.log_probabilities == (-2.0,)
    assert list(answer.align(["scheduler grid"])) == [None]
