# make demo   check the project's own small corpus with BM25 and MiniLM, and print where the report is
# make demo-train  train a static encoder on the same corpus, and show what that does to rephrasings
# make bench  how fast it is beside other tools; what learns or is read by eye is run by hand
# make test   lint, types and the fast tests
# make docs   build the documentation site into build/site
# make dist   build both packages into dist, check them, and install the wheels into an empty environment
# Each does all its own set-up in .venv; Python 3.11 and make are all that must be there.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SPEED := encode exact_search llm metrics overhead

.PHONY: demo demo-train test test-all docs dist lint bench clean

demo: $(READY)
	$(BIN)/leadline check examples/harbour_town -s bm25 -s minilm --limit 60 --out leadline-out/demo

demo-train: $(READY)
	rm -rf leadline-out/demo-train
	$(BIN)/leadline train retriever --model minilm --static --data examples/harbour_town/corpus.jsonl --loss cr \
		--alignment 5 --margin 10 --learning-rate 0.003 --steps 100 --evaluations 4 --negatives 3 --out leadline-out/demo-train

# Types are checked while the tests run: each alone leaves a processor idle.
test: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@$(BIN)/mypy & types=$$!; OMP_NUM_THREADS=1 $(BIN)/pytest -n auto --dist worksteal; tests=$$?; \
		wait $$types || { echo "mypy failed: see above"; exit 1; }; exit $$tests

test-all: $(READY) lint
	$(BIN)/pip install --quiet --editable ".[ray]" --group recipes
	$(BIN)/pytest -m "slow or not slow"

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

dist: $(READY)
	$(BIN)/pip install --quiet --group release
	rm -rf dist build/empty
	for each in . packages/leadline-facts; do $(BIN)/python -m build --outdir dist $$each || exit 1; done
	$(BIN)/twine check --strict dist/*
	$(PYTHON) -m venv build/empty
	build/empty/bin/pip install --quiet dist/*.whl
	build/empty/bin/leadline --version

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/pip install --quiet --group bench
	for script in $(SPEED); do echo "== $$script"; $(BIN)/python studies/speed/$$script.py || exit 1; done
	$(BIN)/python packages/leadline-facts/learning/implicit_facts.py --speed

# torch is asked for first and at one version, so that pip takes its CPU build where one is at hand.
$(READY): pyproject.toml packages/leadline-facts/pyproject.toml
	@echo "Setting up $(VENV) once: about 3 GB, some minutes."
	@echo "  1 of 3: an environment of its own"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	@echo "  2 of 3: torch, the largest part"
	@$(BIN)/pip install --quiet "torch==2.13.0"
	@echo "  3 of 3: Leadline, what it needs, and what its tests need"
	@$(BIN)/pip install --quiet --editable ".[dense,train,parquet,llm,gguf]" --editable packages/leadline-facts --group dev
	@$(BIN)/python tests/real_weights.py $(VENV)/weights
	touch $@

clean:
	rm -rf $(VENV) leadline-out
