# Two commands do everything: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
# Without bytecode every program that a test starts would compile Wireroom anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test check format lint types imports soak bench lock clean

run: $(VENV)/.run-ready
	@$(BIN)/wireroom run

test: check
	$(BIN)/pytest -n 2 --dist loadgroup

check: $(VENV)/.dev-ready
	@$(MAKE) --no-print-directory --jobs --output-sync types imports format lint

format:
	$(BIN)/ruff format --check .

lint:
	$(BIN)/ruff check .

types:
	$(BIN)/mypy

imports:
	$(BIN)/lint-imports

soak: $(VENV)/.dev-ready
	$(BIN)/pytest -m "soak or hypothesis" --hypothesis-profile=explore -n 2

bench: $(VENV)/.dev-ready
	$(BIN)/python -m bench

# Runs once; a venv that could not be finished is taken away again, so that the next try is a fresh one.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Wireroom needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another one: make run PYTHON=python3.11")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "This Python cannot make virtual environments; on Debian: apt install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.run-ready: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing Wireroom into $(VENV); this takes a minute, once."
	@$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev-ready: requirements-dev.lock pyproject.toml | $(BIN)/python
	@echo "Installing what development needs into $(VENV); this takes a minute or two, once."
	@$(BIN)/pip install --quiet --require-hashes -r requirements-dev.lock
	@$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Pins and hashes, without index addresses. Needs pip-tools on the path.
lock:
	scripts/lock

clean:
	rm -rf $(VENV) build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
