# make test: style, types, and the tests of the harness. make check: the specification, the reference,
# the judges and the models against one another, by the quick profile. Neither repeats the other.
# make quick CHAPTER=shedding: what to run between two changes, in about a minute. make live SEED=7:
# load, operations and faults on real clusters, for an hour. All set themselves up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SITE := build/site-venv
ADAPTER := adapters/apache-pulsar
PULSAR ?= $(shell sed -n 's|^ *<pulsar>\(.*\)</pulsar>$$|\1|p' $(ADAPTER)/pom.xml)
SEED ?= 0
PULSAR_JAR := $(ADAPTER)/target/$(PULSAR)/evenkeel-apache-pulsar-1.jar

# Else hundreds of processes would compile the same modules, each again.
unexport PYTHONDONTWRITEBYTECODE

# The engine's tests on its own example: a process has one specification.
ON_EXAMPLE := EVENKEEL_SPECIFICATION=evenkeel_engine.example $(BIN)/python -m pytest -q tests/engine/on_example

.PHONY: check test quick live lint types setup site adapter adapter-if-possible clean

check: setup adapter-if-possible
	$(BIN)/evenkeel check --everything --profile quick

# Style; then the tests, and beside them types and, after these, the tests on the example, of which the
# output comes at their end; either fails the whole. Three processes keep two cores busy: many tests
# wait, for processes, limits of time and clusters; each imports all tests, for some seconds.
test: lint
	@( $(BIN)/mypy || exit; said=$$($(ON_EXAMPLE) 2>&1); status=$$?; echo "$$said"; exit $$status ) & others=$$!; \
	  $(BIN)/python -m pytest -q -n 3 --dist loadgroup; tests=$$?; \
	  wait $$others && exit $$tests

# Types and tests at the same time; the tests of one chapter and of what lists all chapters, without the
# slow ones; then the reference against the chapter's clauses.
quick: lint
	@test -n "$(CHAPTER)" || { echo "say which chapter: make quick CHAPTER=shedding" >&2; exit 2; }
	@$(BIN)/mypy & types=$$!; \
	  $(BIN)/python -m pytest -q -n 2 -m "not slow" --chapter $(CHAPTER) && $(ON_EXAMPLE) -n 2 -m "not slow"; tests=$$?; \
	  wait $$types && exit $$tests
	@$(BIN)/evenkeel check --chapter $(CHAPTER) --edition PULSAR_4_0 & released=$$!; \
	  $(BIN)/evenkeel check --chapter $(CHAPTER) && wait $$released

# On clusters of this machine, in order: half an hour each, and the table of limits.
live: setup
	$(BIN)/evenkeel operate live --for 30m --plan everything --seed $(SEED) --out build/live/extensible
	$(BIN)/evenkeel operate live --for 30m --plan everything --seed $(SEED) --manager modular --out build/live/modular
	$(BIN)/evenkeel operate limits measure

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tests.words
	$(BIN)/python -m tests.sentences

types: setup
	$(BIN)/mypy

setup: $(READY)

# The lock names packages and hashes, no host. evenkeel itself is installed editable, from here.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "evenkeel needs Python 3.11 or later; set PYTHON=... to one" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

# The site, in build/site: open index.html, no server is needed. Needs npm, once.
site: setup $(SITE)/.ready
	$(BIN)/python -m docs.site build/site-sources
	$(SITE)/bin/sphinx-build -q -W --keep-going -j auto -b html build/site-sources build/site
	@rm -f build/site/permalink.html  # of sphinx-needs; it would fetch a file, and nothing leads to it

$(SITE)/.ready: docs/requirements.lock
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r docs/requirements.lock
	@touch $@

# Apache Pulsar's own classes as a subject; needs Maven and a JDK, and downloads Pulsar once. make adapter
# PULSAR=4.2.4 builds another line next to the default.
adapter: $(PULSAR_JAR)

$(PULSAR_JAR): $(ADAPTER)/pom.xml $(shell find $(ADAPTER)/src/main $(ADAPTER)/src/lines -type f)
	cd $(ADAPTER) && mvn -q -B package -DskipTests -Dpulsar=$(PULSAR)
	@touch $@

adapter-if-possible:
	@if command -v mvn >/dev/null && command -v javac >/dev/null; then \
	  $(MAKE) --no-print-directory adapter || echo "Apache Pulsar's adapter could not be built" >&2; \
	else \
	  echo "no Maven or no JDK: Apache Pulsar is left out" >&2; \
	fi

clean:
	rm -rf $(VENV) $(ADAPTER)/target build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
