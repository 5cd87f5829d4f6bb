# Everything runs in a virtual environment of its own; only python3 (3.11 or later) is needed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BENCH := $(VENV)/.bench
WEB := $(VENV)/.web
EXTRAS := $(VENV)/.extras

.PHONY: setup tables play serve test test-extras test-web test-editor lint editors bench reports soak fuzz clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# The parser's tables, shipped beside the grammar: to be made anew after each change of it.
tables: $(STAMP)
	$(BIN)/python -m ruledsl.syntax.lalr > $(VENV)/tables.json
	mv $(VENV)/tables.json grammar/tables.json

play: $(STAMP)
	@$(BIN)/ruledsl play pied_piper

serve: $(STAMP)
	@$(BIN)/ruledsl serve --open

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers 2

test: lint
	$(BIN)/pytest -n 3

# What needs the extras: pictures, Parquet, a cluster of real processes, OpenSpiel's own counts.
test-extras: $(EXTRAS)
	$(BIN)/pytest -n 2 -m extra

$(EXTRAS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[lab,parquet,cluster,bench]'
	@touch $@

# The page in a real browser. What it needs is fetched once: Playwright, and what looks for barriers;
# Chromium is the machine's own, and installed where that can be done.
test-web: $(WEB)
	$(BIN)/pytest -q --override-ini addopts="--import-mode=importlib --strict-markers" tests/web

$(WEB): $(STAMP)
	@command -v chromium >/dev/null || { echo "installing Chromium and a font with emoji"; \
	  apt-get update -qq && apt-get install -y -qq chromium fonts-noto-color-emoji >/dev/null; }
	@echo "installing Playwright and axe-core"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[browser]'
	@mkdir -p $(VENV)/axe && cd $(VENV)/axe && npm pack axe-core@4.14.0 --silent >/dev/null \
	  && tar xzf axe-core-4.14.0.tgz --strip-components=1 package/axe.min.js
	@touch $@

# The lines for Neovim, if it is there; the extension for VS Code: its own tests, against the real
# server, and the package.
test-editor: $(STAMP)
	$(BIN)/pytest -q --override-ini addopts="--import-mode=importlib --strict-markers -rs" tests/editors
	cd editors/vscode && npm ci --no-audit --no-fund --loglevel=error
	cd editors/vscode && npm test
	cp LICENSE editors/vscode/LICENSE.txt
	cd editors/vscode && npm run --silent package

# What the extension takes from the language; a test says when it has to be written anew.
editors: $(STAMP)
	$(BIN)/python editors/write.py

bench: $(BENCH)
	$(BIN)/python -m bench.start
	$(BIN)/python bench/parse.py
	$(BIN)/python -m bench.typing_session
	$(BIN)/python -m bench.run
	$(BIN)/python -m bench.jobs
	$(BIN)/python -m bench.scaling
	$(BIN)/python -m bench.tables
	$(BIN)/pytest -q -m soak tests/engine/test_published_counts.py

# What games are measured against is large, and nothing else needs it.
$(BENCH): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

# What the games of Hamelin are like, as pages in `reports/`; in Ratzentanz only players who look
# ahead come to an end, and they take their time.
reports: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[lab]'
	@mkdir -p reports
	-$(BIN)/ruledsl report pied_piper --out reports/pied_piper.html
	-$(BIN)/ruledsl report burg_appenzell --out reports/burg_appenzell.html
	-$(BIN)/ruledsl report hameln --out reports/hameln.html
	-$(BIN)/ruledsl report ratzentanz --time 900 --jobs 2 --out reports/ratzentanz.html

soak: $(STAMP)
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest -n 2 -m ''

# The same inputs in every run; `make fuzz SEED=7 INPUTS=1000000` tries others, and more.
SEED ?= 1
INPUTS ?= 20000
MUTANTS ?= 200
fuzz: $(STAMP)
	$(BIN)/python -m fuzz.run --seed $(SEED) --inputs $(INPUTS) --mutants $(MUTANTS)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
