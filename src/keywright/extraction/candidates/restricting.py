"""Candidates of one document restricted to marked tokens, united, or found as labels of a vocabulary."""

import numpy as np

from keywright.core.arrays import Bools, count_inside
from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, Case
from keywright.extraction.candidates.ngrams import regroup_occurrences
from keywright.extraction.vocabularies.label_keys import ANY_CASE, CAPITALS, LabelKeys
from keywright.text.keys import join_keys
from keywright.text.label_stems import PLURAL_CAPITALS, label_key, word_keys


def mentions_among(candidates: Candidates, tokens: Bools) -> Candidates:
    """Return the candidates with only those occurrences whose tokens a mask (tokens,) marks; none without any."""
    position, width = candidates.positions, candidates.widths
    inside = count_inside(tokens, position, position + width) == width
    return regroup_occurrences(candidates.key[candidates.owner[inside]], position[inside], width[inside])


def unite_candidates(left: Candidates, right: Candidates) -> Candidates:
    """Return the union of candidates of one document; an occurrence in both counts once."""
    key = np.concatenate((np.repeat(left.key, left.frequency), np.repeat(right.key, right.frequency)))
    position = np.concatenate((left.positions, right.positions))
    width = np.concatenate((left.widths, right.widths))
    _, once = np.unique(np.stack((position, width)), axis=1, return_index=True)
    return regroup_occurrences(key[once], position[once], width[once])


def mentions_of(document: AnalysedDocument, labels: LabelKeys) -> Candidates:
    """Return the labels of a vocabulary that occur in a document, as candidates with the keys of ``label_key``.

    Whole words are compared by ``list_label_stems``, including stop words and numbers. A label crosses a sign or the
    end of a sentence only where it has the sign itself, and a label of one word in capitals is found in capitals alone.
    """
    language = document.source.language or "en"
    keys, numbers = word_keys(document.words, language)
    form_key, form_parts = np.array(keys, np.uint64), np.array(numbers, np.int64)
    token_key, token_parts = form_key[document.word], form_parts[document.word]
    form_begins, form_kinds = labels.look_up(form_key)  # each distinct word once
    begins, kinds = form_begins[document.word], form_kinds[document.word]
    # Plurals of acronyms, whose words are those of longer acronyms: *GPs* and *GPS*.
    mixed = np.flatnonzero(document.case == Case.MIXED).tolist()
    plurals = np.array([token for token in mixed if PLURAL_CAPITALS.search(_text(document, token))], np.int64)
    token_key[plurals] = [label_key(_text(document, token), language) for token in plurals.tolist()]
    begins[plurals], kinds[plurals] = labels.look_up(token_key[plurals])
    ends_open = form_parts == 0  # a sign, or an abbreviation such as *D.C.* that may end a sentence
    ends_open |= np.fromiter((word.endswith(".") for word in document.words), bool, len(document.words))
    follows = np.zeros(len(document), bool)  # whether the next token may belong to the same label
    follows[:-1] = (document.sentence[1:] == document.sentence[:-1]) | ends_open[document.word[:-1]]
    # N-grams grow by one token at all positions at once, only where a label begins like them: a vocabulary with one
    # label of thirty words does not cost thirty look-ups at each position. Keys without signs are returned.
    first = np.flatnonzero(begins & (token_parts > 0))
    key, plain, kinds, begins = token_key[first], token_key[first], kinds[first], np.ones(len(first), bool)
    mentions = [(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int64))]
    width = 1
    while len(first):
        whole = kinds == ANY_CASE
        for row in np.flatnonzero(kinds == CAPITALS).tolist():  # no small letter but a plural's
            whole[row] = _text(document, int(first[row]), width).removesuffix("s").isupper()
        mentions.append((plain[whole], first[whole], np.full(np.count_nonzero(whole), width)))
        grows = np.flatnonzero(begins & follows[first + width - 1])
        first, key, plain = first[grows], key[grows], plain[grows]
        more = first + width
        key = join_keys(key, token_key[more], np.maximum(token_parts[more], 1))
        plain = np.where(token_parts[more] > 0, join_keys(plain, token_key[more], token_parts[more]), plain)
        width += 1
        begins, kinds = labels.look_up(key)
    return regroup_occurrences(*map(np.concatenate, zip(*mentions, strict=True)))


def _text(document: AnalysedDocument, token: int, width: int = 1) -> str:
    return document.source.text[document.start[token] : document.end[token + width - 1]]
