# Two commands matter: `make demo` shows Laager at work, `make test` proves it.
# Both make their own environment in .venv the first time and need no network afterwards.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
NODE_MODULES := node_modules/.package-lock.json
UV_VERSION := 0.13.9
export UV_NO_PROGRESS = 1
# Trust what the machine trusts, behind a proxy too.
export UV_SYSTEM_CERTS = 1
# Tests start many processes: none should have to compile what the one before has compiled.
unexport PYTHONDONTWRITEBYTECODE

# Workers take tests in their order, so that what a module shares is made once; who has none left
# takes half of the other's.
SPREAD := -n 2 --dist worksteal
# The unit tests are many and short. Handing them out to workers would cost each a millisecond or two, and each worker
# would collect them all: they run in three parts, the server, the commands with the docs, and what both stand on.
FRONT := tests/web
COMMANDS := tests/cli tests/docs
UNIT := $(BIN)/pytest -m 'not soak and not browser'
# What people install is built once, for the commands and for the browser that are played from it.
# Browsers have a run of their own, and so have menus at a terminal: what one leaves behind in its
# worker (an event loop, say) the other cannot be played in. What the database does is tested on
# both databases; what is said of a campaign that lies in memory (`once`, see tests/web/conftest.py)
# or looked at through a browser runs on SQLite, and on PostgreSQL in `make soak`.
MENUS := tests/cli/test_menus.py tests/cli/test_dyo_typed.py
ON_POSTGRESQL := $(BIN)/python -m tests.web.postgres $(BIN)/pytest $(SPREAD)

# The folders of the tests whose branches of the rules `make coverage` counts; see tests/conftest.py.
RULES := bridge_too_far design_your_own edsons_ridge historical platoon_leader rules

.PHONY: demo test lint scripts types contracts unit unit-front unit-commands unit-rules menus browsers postgresql coverage bench load siege soak docs pictures schemas release lock clean

demo: $(READY)
	@$(BIN)/python -m laager.demo

# Every stage runs, also after one has failed; tests/stages.py says at the end which did.
test: $(READY)
	+@$(BIN)/python -m tests.stages $(MAKE)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell src docs README.md CHANGELOG.md
	$(BIN)/djlint --check --lint --quiet src/laager/web
	$(BIN)/python -m tests.prose
	$(BIN)/python -m tests.names
	$(BIN)/check-jsonschema -q --builtin-schema vendor.github-workflows .github/workflows/test.yml

# The scripts of the pages: ESLint, Prettier, and Node's own test runner.
scripts: $(NODE_MODULES)
	$(BIN)/node node_modules/eslint/bin/eslint.js .
	$(BIN)/node node_modules/prettier/bin/prettier.cjs --check --log-level warn .
	$(BIN)/node --test --test-reporter=dot tests/scripts/*.test.js

types: $(READY)
	$(BIN)/mypy

contracts: $(READY)
	$(BIN)/lint-imports

unit: unit-front unit-commands unit-rules

unit-front: $(READY)
	$(UNIT) $(FRONT)

unit-commands: $(READY)
	$(UNIT) $(MENUS:%=--ignore=%) $(COMMANDS)

unit-rules: $(READY)
	$(UNIT) $(FRONT:%=--ignore=%) $(COMMANDS:%=--ignore=%) --ignore=tests/packaging tests

menus: $(READY)
	$(BIN)/pytest $(MENUS)

browsers: $(READY)
	$(BIN)/python -m tests.web.browser
	$(BIN)/pytest $(SPREAD) -m 'browser and not soak' tests/web
	$(BIN)/pytest tests/packaging

postgresql: $(READY)
	$(ON_POSTGRESQL) -m 'not soak and not browser and not once' tests/web

bench: $(READY)
	$(BIN)/python -m bench

# Two hundred players on SQLite and on PostgreSQL: at one server; at two, as behind a proxy, as much as they can do;
# and with things that break.
load: $(READY)
	$(BIN)/python -m bench.load --think 4 --ramp 30
	$(BIN)/python -m bench.load --think 0 --ramp 10 --seconds 30 --servers 2
	$(BIN)/python -m bench.load --think 4 --ramp 5 --seconds 30 --workers 2 --trouble

# As long as you like: half of the time everything breaks, then the memory is measured.
MINUTES ?= 30
siege: $(READY)
	$(BIN)/python -m bench.soak --minutes $(MINUTES)

soak: $(READY) coverage
	$(BIN)/pytest -m soak -n 2 -o faulthandler_timeout=0 tests
	$(BIN)/pytest -m 'hypothesis and not soak' -n 2 --hypothesis-profile=all tests
	$(ON_POSTGRESQL) -m 'once and not soak and not browser' tests/web

# Which branches of the rules their tests take. Tracing doubles the time of those tests, so that
# `make test` leaves it out.
coverage: $(READY)
	$(BIN)/coverage erase
	$(BIN)/pytest $(SPREAD) -m 'not soak' --cov --cov-report= $(RULES:%=tests/%)
	$(BIN)/coverage report --skip-covered --fail-under=95

docs: $(READY)
	$(BIN)/mkdocs build --strict

schemas: $(READY)
	$(BIN)/python -m tests.docs.field_help
	$(BIN)/laager schema --write src/laager/packs/schemas

# Makes the pictures of README and docs anew with the test browser; their pages are looked at before they are committed.
pictures: $(READY)
	$(BIN)/python -m tests.pictures

# make release VERSION=0.2.0: the changelog and the version, checked packages in dist/, a commit with its tag.
release: $(READY)
	$(BIN)/python deploy/release.py $(VERSION)

# Resolves the dependencies anew; the result is committed.
lock: $(READY)
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-annotate --all-extras pyproject.toml -o requirements.lock

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Laager needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/pip install -q uv==$(UV_VERSION); }
	$(BIN)/uv pip sync -q --python $(BIN)/python --require-hashes requirements.lock
	$(BIN)/uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	touch $@

$(NODE_MODULES): package.json package-lock.json $(READY)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm ci --silent
	touch $@

clean:
	rm -rf $(VENV) node_modules build dist site .pytest_cache .mypy_cache .ruff_cache .coverage .coverage.* demo-output
