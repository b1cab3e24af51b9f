"""Stems of labels: number and spelling are one, and different words stay apart."""

from pathlib import Path

import pytest

from keywright.text import label_stems
from keywright.text.label_stems import label_key, word_keys

PLURALS = """
    virus viruses | leaf leaves | child children | analysis analyses | bacterium bacteria | fungus fungi |
    index indices | matrix matrices | vertex vertices | criterion criteria | phenomenon phenomena | crisis crises |
    thesis theses | hypothesis hypotheses | basis bases | axis axes | mouse mice | louse lice | goose geese |
    foot feet | tooth teeth | man men | woman women | person people | ox oxen | wolf wolves | knife knives |
    life lives | wife wives | calf calves | half halves | shelf shelves | loaf loaves | thief thieves | hoof hooves |
    larva larvae | alga algae | vertebra vertebrae | formula formulae | antenna antennae | nucleus nuclei |
    radius radii | locus loci | focus foci | stimulus stimuli | genus genera | corpus corpora | bus buses |
    gas gases | lens lenses | campus campuses | census censuses | datum data | medium media | stratum strata |
    spectrum spectra | ovum ova | curriculum curricula | symposium symposia | appendix appendices | quiz quizzes |
    hero heroes | potato potatoes | plateau plateaux | bureau bureaux | diagnosis diagnoses | metastasis metastases |
    mitochondrion mitochondria | automaton automata | taxon taxa | bias biases | iris irises | atlas atlases |
    disease diseases | house houses | cause causes | rose roses | service services | price prices | base bases |
    city cities | schema schemata | stoma stomata | helix helices | codex codices | cortex cortices |
    policeman policemen | specimen specimens | protozoan protozoa | phylum phyla | ganglion ganglia |
    bacillus bacilli | cactus cacti | octopus octopuses | sinus sinuses | status statuses | prognosis prognoses |
    neurosis neuroses | ellipse ellipses | synthesis syntheses | process processes | class classes | glass glasses |
    lynx lynxes | tax taxes | box boxes | fax faxes | cloth clothes | oasis oases | pelvis pelvises | elf elves |
    scarf scarves | dwarf dwarves | nebula nebulae | larynx larynges | tie ties | movie movies | zombie zombies |
    cookie cookies | ache aches | cache caches | niche niches | business businesses | illness illnesses |
    thesaurus thesauri | hypothalamus hypothalami | oesophagus oesophagi | aquarium aquaria |
    equilibrium equilibria | serum sera | sanatorium sanatoria | maximum maxima | polyhedron polyhedra |
    embryo embryos | photo photos | zero zeros | cargo cargoes | mosquito mosquitoes | volcano volcanoes |
    tomato tomatoes | virtue virtues | use uses | clause clauses | excuse excuses | spouse spouses | phase phases |
    purpose purposes | dose doses | glucose glucoses | enzyme enzymes | lease leases | grease greases |
    license licenses | sense senses | response responses | horse horses | nurse nurses | course courses |
    axle axles | postman postmen | Frenchman Frenchmen | eyetooth eyeteeth | supernova supernovae | nova novae |
    arthritis arthritides | encephalitis encephalitides | woodlouse woodlice | cloverleaf cloverleaves |
    afterlife afterlives | octopus octopodes | cherub cherubim | meninx meninges | femur femora | foramen foramina |
    lumen lumina | virtuoso virtuosi | tempo tempi | paparazzo paparazzi | thymus thymi | cicatrix cicatrices |
    thorax thoraces | podium podia | emporium emporia | continuum continua | fulcrum fulcra | rostrum rostra |
    candelabrum candelabra | myocardium myocardia | ostium ostia | diaeresis diaereses | catharsis catharses |
    hilus hili | incubus incubi | PhD PhDs | regimen regimens | stamen stamens | abdomen abdomens | omen omens |
    seaman seamen | phosphoinositide phosphoinositides | tachycardia tachycardias
"""
SPELLINGS = """
    colour color | e-mail email | β-catenin beta-catenin | nonlinear non-linear | behaviour behavior |
    organisation organization | haemoglobin hemoglobin | analyse analyze | centre center | modelling modeling |
    catalogues catalogs | oestrogen estrogen | anaemia anemia | co-operation cooperation | naïve naive |
    Zürich Zurich | paediatrics pediatrics | archaeology archeology | data-base databases | programme programs |
    tyres tire | multi-agent multiagent | labour labor | sulphate sulfates | café cafe | non-invasive noninvasive |
    São_Paulo Sao_Paulo | multidataset multi-dataset | noncooperative non-cooperative
"""
DIFFERENT = """
    GPs GPS | house hose | police polis | hour hor | news new | men mean | slice slick | data date |
    four for | theses these | tour tor | prise price | non none | antic tic | leaf leave | media mediation | gene gen
"""


def pairs(text: str) -> list[list[str]]:
    return [[word.replace("_", " ") for word in pair.split()] for pair in " ".join(text.split()).split(" | ")]


@pytest.mark.parametrize(("one", "many"), pairs(PLURALS))
def test_singular_and_plural_meet(one, many):
    assert label_key(one, "en") == label_key(many, "en")


@pytest.mark.parametrize(("one", "other"), pairs(SPELLINGS))
def test_spellings_meet(one, other):
    assert label_key(one, "en") == label_key(other, "en")


@pytest.mark.parametrize(("one", "other"), pairs(DIFFERENT))
def test_different_words_do_not(one, other):
    assert label_key(one, "en") != label_key(other, "en")


def test_keys_of_words_are_those_of_labels_and_signs_have_no_stems():
    keys, numbers = word_keys(("viruses", "nonlinear", ",", "-"), "en")
    assert keys[:2] == [label_key("virus", "en"), label_key("non-linear", "en")]
    assert numbers == [1, 2, 0, 0]
    assert keys[2] != keys[3]
    assert label_key("--", "en") == 0
    assert word_keys((), "en") == ([], [])


def read_pairs(name: str) -> list[list[str]]:
    return [line.split("\t") for line in Path(__file__).with_name(f"{name}.tsv").read_text("utf-8").splitlines()]


MARKS = [
    ("pt", "São Paulo", "Sao Paulo", True),
    ("sv", "får", "far", False),  # a letter of its own
    ("nl", "naïef", "naief", True),
    ("el", "αλφα", "alpha", False),  # Greek in Greek is no name of a letter
    ("ru", "кот", "кит", False),
    ("th", "หมา", "หมี", False),
]
LABELS = [(*pair, True) for pair in read_pairs("label_pairs")]
LABELS += [(*pair, False) for pair in read_pairs("unlike_labels")]


@pytest.mark.parametrize(("language", "one", "other", "same"), sorted(MARKS + LABELS))
def test_forms_of_nouns_in_other_languages_meet_and_other_words_do_not(language, one, other, same):
    """In the order of languages: a dictionary takes seconds to load, and few are in memory."""
    assert (label_key(one, language) == label_key(other, language)) is same


@pytest.mark.parametrize(
    ("one", "many", "language"),
    [
        ("estado", "estados", "es"),
        ("mujer", "mujeres", "es"),
        ("lettre", "lettres", "fr"),
        ("dato", "dati", "it"),
        ("host", "hosts", "nl"),
    ],
)
def test_a_noun_has_no_lemma_of_a_verb(one, many, language):
    assert label_key(one, language) == label_key(many, language)


def test_without_dictionaries_stems_decide(monkeypatch):
    monkeypatch.setattr(label_stems, "has_lemmas", lambda: False)
    label_stems.label_stemmer.cache_clear()
    assert label_key("Museen", "de") != label_key("Museum", "de")
    assert label_key("Hunde", "de") == label_key("Hund", "de")
    label_stems.label_stemmer.cache_clear()
