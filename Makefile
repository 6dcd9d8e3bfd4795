# Short verbs for everything. On a fresh machine `make serve` and `make test` are all that is needed.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
HOST ?= 127.0.0.1
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help setup serve test check format bench soak doctor frontend migrate clean

help:  ## list these verbs
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

setup: .venv/.system .venv/.installed  ## install what is missing (the other verbs do so themselves)

# System packages: the sandbox needs bubblewrap and libseccomp.
.venv/.system: tools/system-packages
	@tools/system-packages serve
	@mkdir -p .venv && touch $@

.venv/.installed: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

.venv/.test-system: tools/system-packages
	@tools/system-packages test
	@mkdir -p .venv && touch $@

serve: setup  ## install, migrate, start the site and a judge; prints the address
	@$(BIN)/python -m app --host $(HOST) --port $(PORT)

test: setup .venv/.test-system  ## install what tests need (a browser, PostgreSQL) and run them all
	$(BIN)/python -m pytest $(ARGS)

check: setup  ## lint, formatting, types, who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup  ## put the code in its form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup  ## speed and memory of verdicts, as ratios side by side
	$(BIN)/python -m bench
	$(BIN)/python -m bench.suites

soak: setup  ## judge 1,000 submissions while processes are killed at random
	$(BIN)/python -m tests.soak

doctor: setup  ## say what sandbox, limits and device this machine gives
	@$(BIN)/python judge.py doctor

migrate: setup  ## bring the database at FIVE_LINES_DATABASE up to date
	$(BIN)/python -m judge.migrations

frontend:  ## build the committed editor bundle again (needs Node.js)
	cd app/frontend && npm ci && npm run build

clean:  ## remove what was installed and cached, never your work or the database
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache app/frontend/node_modules
