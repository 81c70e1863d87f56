# Everything one does with a checkout. `make` alone lists it. Pass more with ARGS="…".

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
TSC    := node_modules/.bin/tsc -p clients/js
ARGS   ?=
# Test files in their order, each whole in one process, so its fixtures are made once. Tests often wait: one process more
# than there are cores keeps those busy.
SPREAD := -n $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1))) --maxprocesses 6 --dist loadfile --no-loadscope-reorder
PEERS  := tests/bench/peers

export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

.DEFAULT_GOAL := help
.PHONY: help setup run test faults check fix bench bench-peers bench-solver openapi types image-steps unit-steps clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/.dev ## make .venv with everything for developing

run: $(VENV)/.run ## serve on TWOFOLD_PORT, or 8000
	@TWOFOLD_PORT="$${TWOFOLD_PORT:-8000}" exec $(BIN)/twofold serve $(ARGS)

test: setup ## run the tests, files side by side, ARGS go to pytest
	@$(BIN)/python -m pytest $(SPREAD) $(ARGS)

faults: setup ## the fault tests in their long form (an hour and a half), and their table; ARGS go to pytest
	@TWOFOLD_FAULTS=long TWOFOLD_FAULTS_RESULTS=tests/faults/RESULTS.md \
	  $(BIN)/python -m pytest -s -o faulthandler_timeout=3000 tests/bus tests/faults $(ARGS)

check: setup node_modules/.stamp ## format, lint, types (of JavaScript too), import direction, API documents
	@echo "==> ruff format" && $(BIN)/ruff format --check .
	@echo "==> ruff check" && $(BIN)/ruff check .
	@echo "==> mypy" && $(BIN)/mypy
	@echo "==> import-linter" && $(BIN)/lint-imports
	@echo "==> openapi is what the app makes" && $(BIN)/twofold openapi --check
	@echo "==> redocly" && node_modules/.bin/redocly lint --config openapi/redocly.yaml
	@echo "==> tsc" && $(TSC) --outDir build/types && $(TSC)/test && node_modules/.bin/tsc -p clients/web
	@diff -r clients/js/types build/types || { echo "clients/js/types is not what the code says: make types" >&2; exit 1; }

fix: setup ## format and repair what ruff can
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: setup ## measure, ARGS go to tests.bench
	@$(BIN)/python -m tests.bench $(ARGS)

bench-peers: setup $(PEERS)/node_modules/.stamp ## the same beside Colyseus and boardgame.io, which it installs
	@$(BIN)/python -m tests.bench $(ARGS)

bench-solver: setup ## play the solver: strength, times, what packing costs
	@$(BIN)/python -m tests.bench.solver $(ARGS)

openapi: setup ## write the API documents anew
	@$(BIN)/twofold openapi $(ARGS)

types: node_modules/.stamp ## write the JavaScript client's type declarations anew
	@rm -rf clients/js/types && $(TSC)

image-steps: setup ## build deploy/Dockerfile without Docker, and run what comes of it; needs root, debootstrap, buildah
	@PYTHON=$(BIN)/python deploy/trials/image.sh

unit-steps: setup ## boot a Debian with the systemd unit in a container; needs root, debootstrap, systemd-container
	@PYTHON=$(BIN)/python deploy/trials/unit.sh

clean: ## remove what the targets above have made, but no data
	rm -rf $(VENV) node_modules $(PEERS)/node_modules dist build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: work is redone only when what it was made from has changed.

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Twofold needs Python 3.11 or newer; name one: make PYTHON=python3.12 …" >&2; exit 1; }
	@echo "==> making $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "No venv: on Debian, apt install python3-venv" >&2; exit 1; }

$(VENV)/.run: requirements.txt pyproject.toml | $(BIN)/python
	@echo "==> installing what the service needs"
	@$(PIP) install --require-hashes -r requirements.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt pyproject.toml | $(BIN)/python
	@echo "==> installing what developing needs (a minute or two the first time)"
	@$(PIP) install --require-hashes -r requirements-dev.txt
	@echo "==> installing this checkout, editable"
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/.run

define needs_node
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null \
	  && command -v npm >/dev/null \
	  || { echo "$(1) needs Node 20.19 or newer, and npm" >&2; exit 1; }
endef

node_modules/.stamp: package.json package-lock.json .npmrc
	$(call needs_node,make check looks at the API documents and at JavaScript: it)
	@echo "==> installing node modules"
	@npm ci --silent
	@touch $@

$(PEERS)/node_modules/.stamp: $(addprefix $(PEERS)/,package.json package-lock.json .npmrc)
	$(call needs_node,make bench-peers runs servers written for Node: it)
	@echo "==> installing the peers of the benchmark"
	@cd $(PEERS) && npm ci --silent
	@touch $@
