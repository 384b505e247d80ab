# Two commands do everything: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test check soak bench lock clean

run: $(VENV)/.run-ready
	$(BIN)/wireroom run

test: check
	$(BIN)/pytest -n 2 --dist loadgroup

check: $(VENV)/.dev-ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: $(VENV)/.dev-ready
	$(BIN)/pytest -m soak -o addopts="" -q

bench: $(VENV)/.dev-ready
	$(BIN)/python -m bench

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("Wireroom needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.11 ...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-ready: requirements.lock pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.dev-ready: requirements-dev.lock pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --require-hashes -r requirements-dev.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# Pins and hashes, without index addresses. Needs pip-tools on the path.
lock:
	scripts/lock

clean:
	rm -rf $(VENV) build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache
