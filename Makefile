# `make` or `make help` lists the targets. `make -f .ci/Makefile help` lists the targets for developers.
# Options: PROFILE=smoke|quick|paper, ONLY=fig1 or ONLY="fig1 fig3", KEPT=1 (draw kept results, train nothing),
# OUT=FOLDER (write figures/ and tables/ there), FOR=2h and WORKERS=4 (run), ACCEPT=1 (check), IMAGE=cpu|cuda (docker).

PROFILE ?= quick
ONLY    ?=
IMAGE   ?= cpu
# The packages that `make test` tests, the slowest first so that no core waits for them at the end.
PACKAGES ?= ./ommlx/learn ./ommlx/artifact/images ./ommlx/train ./...
JAX     := 0.10.2
TORCH   := 2.15.0
VISION  := 0.29.2
PANDAS  := 3.1.1
TENSORS := 0.8.0

# Workers of `make run`: one per core, since small products gain little from a second core, or one on a GPU.
WORKERS ?= $(shell nvidia-smi -L >/dev/null 2>&1 && echo 1 || nproc)
# The last notebooks take longest. They come first so that no core waits for them at the end.
NOTEBOOKS ?= $(shell ls -r notebooks/*.ipynb)

# A switch that is 0 or empty is off.
on = $(filter-out 0,$(1))
# The pure-Go engine uses SIMD. All builds use this setting, so they share compiled packages.
export GOEXPERIMENT := simd
# glibc's malloc keeps freed memory, in one arena for all threads. The XLA CPU plugin allocates scratch memory for each
# operation, and by default malloc returns blocks above 32 MiB to the system at once. With these settings a step of
# ResNet-18 takes 20% less time, a step of hydrogen 9% less, and a step shorter than half a millisecond 0.1 ms more.
figures tables check lab notebooks run bench: export GLIBC_TUNABLES ?= glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=9223372036854775807:glibc.malloc.arena_max=1
SHELL := /bin/bash
.SHELLFLAGS := -e -o pipefail -c
OMM   := .omm/bin/omm
CACHE := $(or $(OMM_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/omm-go)
# JAX and PyTorch, for comparisons only. The file `complete` marks a finished installation.
OTHERS := $(CACHE)/venv-jax-$(JAX)-torch-$(TORCH)-vision-$(VISION)-pandas-$(PANDAS)-safetensors-$(TENSORS)
PYTHON := $(or $(OMM_PYTHON),$(OTHERS)/bin/python)
MODULE = $(shell sed -n 's/^module //p' go.mod)
GO     = $(shell sed -n 's/^go //p' go.mod)
# The commit recorded in results, followed by + if the program has changed since.
COMMIT = $(or $(shell sh ommlx/artifact/run/commit.sh),unknown)

.DEFAULT_GOAL := help
.PHONY: help setup figures tables test check compare report notebooks lab run plan bench data docker build ready others need-go need-profile

help: ## list the targets
	@echo 'make TARGET [PROFILE=smoke|quick|paper] [ONLY=fig1]'
	@echo
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

setup: ready ## install the engine (the other targets also do this)

figures: need-profile ready ## draw kept results into figures/, then train the quick figures into figures/quick/
	@$(OMM) figures --profile $(PROFILE) $(if $(call on,$(KEPT)),--kept) $(if $(OUT),--out '$(OUT)') $(ONLY)

tables: need-profile ready ## write kept results to tables/, then train the quick tables into tables/quick/
	@$(OMM) tables --profile $(PROFILE) $(if $(call on,$(KEPT)),--kept) $(if $(OUT),--out '$(OUT)') $(ONLY)

test: export GOGC ?= 1600
test: export GOMEMLIMIT ?= 1GiB
test: ready ## run all tests
	@echo 'Running all tests …'
	@go test -vet=off -timeout 1h $(PACKAGES)

check: ready ## check every claim of the paper and write tables/claims; fails if a verdict changed (ACCEPT=1 accepts it)
	@$(OMM) check $(if $(call on,$(ACCEPT)),--accept)

compare: build ## compare figures and tables made here with the committed ones, and print the largest changes
	@$(OMM) compare $(if $(OUT),--out '$(OUT)') $(ONLY)

report: build ## write one HTML page with every figure, table and claim, .omm/report.html
	@$(OMM) report

notebooks: ready ## execute all notebooks in place, without a browser; fails if a cell fails
	@venv=$$($(OMM) setup --notebooks | tee /dev/stderr | sed -n 's/^JupyterLab and the Go kernel are ready: //p') && \
	export PATH="$$venv/bin:$$PATH" JUPYTER_PREFER_ENV_PATH=1 && \
	printf '%s\n' $(NOTEBOOKS) | xargs -P 2 -I{} sh -c 'jupyter nbconvert --to notebook --execute --inplace --log-level ERROR \
	  --ExecutePreprocessor.timeout=3600 --ExecutePreprocessor.record_timing=False "{}" && echo "{}: done"' || \
	  { echo 'make notebooks: a cell failed; see its error above' >&2; exit 1; }

lab: ready ## open copies of the notebooks, in the folder lab, in JupyterLab
	@$(OMM) lab

run: need-profile ready ## train missing results of figures and tables, the most important first; FOR=2h stops at a checkpoint
	@seq $(WORKERS) | $(if $(filter-out 1,$(WORKERS)),NPROC=1 TERM=dumb) nice -n 19 xargs -P $(WORKERS) -I{} \
	  $(OMM) run --profile $(PROFILE) $(if $(FOR),--for $(FOR)) $(ONLY)

plan: need-profile build ## list the trainings of figures and tables with time and memory, without training
	@$(OMM) plan --profile $(PROFILE) $(ONLY)

bench: ready others ## measure the speed against JAX and PyTorch (installed into the cache once, or taken from OMM_PYTHON=…); ONLY=scale for large graphs
	@$(OMM) bench --python '$(PYTHON)' $(ONLY)

data: build ## download CIFAR-100 (169 MB)
	@$(OMM) data get cifar100

docker: ## build the image with the pinned environment; IMAGE=cuda for NVIDIA GPUs
	@command -v docker >/dev/null || { echo 'make docker: docker not found; install Docker, or run docker/install.sh on Debian or Ubuntu' >&2; exit 1; }
	@docker info >/dev/null 2>&1 || { echo 'make docker: the Docker engine does not respond; start it, or get permission to use it' >&2; exit 1; }
	@docker build --file docker/Dockerfile --build-arg COMMIT=$(COMMIT) --target $(IMAGE) --tag omm-go:$(IMAGE) .

ready: build
	@$(OMM) setup

# The first build lists what it compiles, to show how much is left.
build: need-go
	@mkdir -p .omm/bin || { echo 'make: this folder is not writable; work in a copy of your own' >&2; exit 1; }
	@[ -x $(OMM) ] || echo 'Compiling omm (a minute or two the first time; go commands with GOEXPERIMENT=simd share the compiled packages) …'
	@all=$$([ -x $(OMM) ] || go list -deps -f '{{if .Stale}}{{.ImportPath}}{{end}}' ./ommlx/cmd/omm | grep -c .) || \
	  { echo 'make: Go modules are missing; run `make setup` once with a network, or copy the folder `go env GOMODCACHE` from a machine that has them' >&2; exit 1; }; \
	go build -v -ldflags "-X $(MODULE)/ommlx/artifact/run.builtFrom=$(COMMIT)" -o $(OMM) ./ommlx/cmd/omm 2>&1 | \
	  awk -v all="$$all" -v redraw="$$(test -t 2 && echo 1)" '/^[a-z][^: ]*$$/ { n++; if (all && (redraw || n % 100 == 0)) \
	    printf redraw ? "\r%d of %d packages" : "%d of %d packages\n", n, all; next } { print } END { if (redraw && n) print "" }' >&2

others: need-go
	@[ -n '$(OMM_PYTHON)' ] || [ -e '$(OTHERS)/complete' ] || { \
	  echo 'Installing JAX and PyTorch with pip into the cache, once (3 GB; OMM_PYTHON=… uses your own environment) …' && \
	  rm -rf '$(OTHERS)' && python3 -m venv '$(OTHERS)' && \
	  '$(OTHERS)/bin/python' -m pip install --quiet --disable-pip-version-check jax==$(JAX) torch==$(TORCH) torchvision==$(VISION) \
	    pandas==$(PANDAS) safetensors==$(TENSORS) && \
	  touch '$(OTHERS)/complete'; } || { echo 'make: installing JAX and PyTorch failed; see the line above' >&2; exit 1; }

need-go:
	@command -v go >/dev/null || { echo 'make: go not found; install Go $(GO) or newer: docker/install.sh --tools-only does so on Debian and Ubuntu' >&2; exit 1; }
	@[ -n "$$(go env GOTOOLCHAIN 2>/dev/null)" ] || { \
	  echo "make: $$(GOTOOLCHAIN=local go version | cut -d' ' -f3) is too old; install Go $(GO) or newer and put it first on the PATH: docker/install.sh --tools-only does so on Debian and Ubuntu" >&2; exit 1; }
	@for name in GOCACHE GOMODCACHE; do folder=$$(go env $$name); { mkdir -p "$$folder" && test -w "$$folder"; } 2>/dev/null || { \
	  echo "make: go cannot write to $${folder:-its cache}; set GOCACHE, GOMODCACHE, OMM_CACHE and OMM_DATA to folders that you can write to" >&2; exit 1; }; done
	@command -v $${CC:-cc} >/dev/null || command -v gcc >/dev/null || { echo 'make: no C compiler found, which Go needs to load XLA plugins; install gcc (Debian and Ubuntu: apt install gcc libc6-dev)' >&2; exit 1; }

need-profile:
	@case '$(PROFILE)' in smoke|quick|paper) ;; *) echo "make: PROFILE is '$(PROFILE)', want smoke, quick or paper" >&2; exit 1;; esac
