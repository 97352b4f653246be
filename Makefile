# `make` or `make help` lists the targets. Options: PROFILE=smoke|quick|paper, ONLY=fig1 or ONLY="fig1 fig3", KEPT=1 (draw
# what there are results of, train nothing; 0 or empty is off), OUT=FOLDER (write figures/ and tables/ there and leave the
# committed ones), IMAGE=cpu|cuda (docker).

PROFILE ?= quick
ONLY    ?=
IMAGE   ?= cpu
# What is tested; what takes longest comes first, so that no core waits for it at the end.
PACKAGES ?= ./ommlx/learn ./ommlx/artifact/images ./ommlx/train ./...
JAX     := 0.10.2
TORCH   := 2.15.0
VISION  := 0.29.2
GCI     := github.com/daixiang0/gci@v0.14.0
REVIVE  := github.com/mgechev/revive@v1.16.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE    := golang.org/x/tools/cmd/deadcode@v0.52.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.1.4
SYFT        := github.com/anchore/syft/cmd/syft@v1.18.1
# The groups of imports, in their order: standard library, third party, this module.
GROUPS  := -s standard -s default -s localmodule

# A switch that is 0 or empty is off.
on = $(filter-out 0,$(1))
# The pure-Go backend, the last resort, and products of graphs use SIMD. All is built alike: packages are compiled once.
export GOEXPERIMENT := simd
SHELL := /bin/bash
.SHELLFLAGS := -e -o pipefail -c
OMM   := .omm/bin/omm
CACHE := $(or $(OMM_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/omm-go)
# JAX and PyTorch, for comparisons only; its file complete tells that the installation ran to its end.
OTHERS := $(CACHE)/venv-jax-$(JAX)-torch-$(TORCH)-vision-$(VISION)
# Those of the field, for `make field`.
FIELD := $(CACHE)/venv-field

# The module's path stands in go.mod alone, but for imports.
MODULE = $(shell sed -n 's/^module //p' go.mod)
# What results name as their source: the commit, with + where the program differs from it.
COMMIT = $(or $(shell sh ommlx/artifact/run/commit.sh),unknown)

.DEFAULT_GOAL := help
.PHONY: help setup figures tables compare report page plan run notebooks tries lab style lint vuln race fuzz test portable test-slurm test-k8s test-page test-lab test-crash test-artifact parity check bench field doctor data docker sbom rename clean need-go need-profile build ready

help: ## list the targets
	@echo 'make TARGET [PROFILE=smoke|quick|paper] [ONLY=fig1]'
	@echo
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

figures: need-profile ready ## draw the kept results into figures/, then train the quick figures into figures/quick/
	@$(OMM) figures --profile $(PROFILE) $(if $(call on,$(KEPT)),--kept) $(if $(OUT),--out '$(OUT)') $(ONLY)

tables: need-profile ready ## write the kept results into tables/, then train the quick tables into tables/quick/
	@$(OMM) tables --profile $(PROFILE) $(if $(call on,$(KEPT)),--kept) $(if $(OUT),--out '$(OUT)') $(ONLY)

compare: build ## compare figures and tables made here with the committed ones: the largest change of each
	@$(OMM) compare $(if $(OUT),--out '$(OUT)') $(ONLY)

style: need-go ## check the form of Go files: gofmt, the order of imports, lines of at most 120 characters, doc comments
	@files=$$(gofmt -l ommlx) && { [ -z "$$files" ] || \
	  { printf 'make style: run `gofmt -w` on these files:\n%s\n' "$$files" >&2; exit 1; }; }
	@files=$$(go run $(GCI) list $(GROUPS) ommlx) && { [ -z "$$files" ] || \
	  { printf 'make style: run `go run $(GCI) write $(GROUPS) FILE` on these files:\n%s\n' "$$files" >&2; exit 1; }; }
	@go run $(REVIVE) -config .ci/revive.toml -set_exit_status ./ommlx/... || \
	  { echo 'make style: break long lines, and write the comments, as said above.' >&2; exit 1; }

report: build ## write one HTML page with every figure, table and claim, .omm/report.html
	@$(OMM) report

page: report ## write that page and serve it to a browser, also from the container, at port 8000
	@mkdir -p .omm/page && cp .omm/report.html .omm/page && python3 -m http.server --directory .omm/page

lint: need-go ## find mistakes that compile (vet, staticcheck), and functions that no command, test or notebook reaches
	@go vet ./...
	@go run $(STATICCHECK) ./...
	@dead=$$(go run $(DEADCODE) -test ./...) && dead=$$(while read -r at _ _ name; do \
	    [[ -z $$at ]] || { [[ $$at == ommlx/artifact/notebook/* ]] && grep -q "notebook\.$$name\>" notebooks/*.ipynb; } || echo "$$at $$name"; \
	  done <<<"$$dead") && { [ -z "$$dead" ] || \
	  { printf 'make lint: nothing reaches these functions; use them or delete them:\n%s\n' "$$dead" >&2; exit 1; }; }

plan: need-profile build ## list the trainings that figures and tables take, with time and memory, without training
	@$(OMM) plan --profile $(PROFILE) $(ONLY)

run: need-profile ready ## train what figures and tables lack, what matters most first; FOR=2h ends it at a checkpoint
	@nice -n 19 $(OMM) run --profile $(PROFILE) $(if $(FOR),--for $(FOR)) $(ONLY)

test: ready ## check and test everything; SLOW=10 lists the slowest ten tests at the end
	@[[ '$(SLOW)' =~ ^([1-9][0-9]*)?$$ ]] || { echo "make test: SLOW is '$(SLOW)'; it must be a number of tests, as 10." >&2; exit 1; }
	@echo 'Checking and testing …'
	@go vet ./...
	@$(if $(SLOW),go test -timeout 1h -json $(PACKAGES) | .ci/slow $(SLOW),go test -timeout 1h $(PACKAGES))

portable: need-go ## build the library as programs without a C compiler do, for Linux, macOS and Windows: on the pure-Go engine
	@for system in linux darwin windows; do CGO_ENABLED=0 GOOS=$$system go build ./ommlx/learn || exit; done

test-slurm: ready ## queue, disturb and compare trainings on a real Slurm of one node, which root gets on Debian and Ubuntu
	@.ci/slurm

test-k8s: ready ## validate what `omm plan --format k8s` writes with the code of Kubernetes' API server (compiled once, minutes)
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && cd .ci/k8s && \
	export GOEXPERIMENT= && go test . && go build -o "$$dir/k8s" . && cd - >/dev/null && \
	for gpu in false true; do \
	  $(OMM) plan --profile paper --format k8s --gpu=$$gpu >"$$dir/job.yaml" && "$$dir/k8s" <"$$dir/job.yaml" || exit; \
	done

test-page: ## open that page in Chromium at three widths: no errors, no requests, no fault of accessibility (node, npm and chromium)
	@.ci/page

test-lab: ## use the notebooks in JupyterLab in Chromium: run, change, interrupt, restart, end; ONLY=00 is the short form
	@.ci/lab $(ONLY)

race: need-go ## test what shares files between processes and goroutines under the race detector
	@go test -race ./ommlx/internal/fsx ./ommlx/internal/say ./ommlx/artifact/dataset ./ommlx/sparse ./ommlx/artifact/run/batch ./ommlx/artifact/run

fuzz: need-go ## run each fuzz target for FUZZTIME=3s; the first build takes minutes
	@for dir in $$(grep -l '^func Fuzz' -r ommlx --include='*_test.go' | xargs -n1 dirname | sort -u); do \
	  for target in $$(grep -h '^func Fuzz' $$dir/*_test.go | sed 's/func \([A-Za-z]*\).*/\1/'); do \
	    said=$$(go test "./$$dir" -run '^$$' -fuzz "^$$target\$$" -fuzztime $(or $(FUZZTIME),3s) -fuzzminimizetime 1x 2>&1) || { \
	      tail -40 <<<"$$said" >&2; exit 1; }; \
	    echo "$$(tail -1 <<<"$$said") $$target"; \
	  done; \
	done

vuln: need-go ## look up known vulnerabilities of what is called; says so where their database cannot be reached
	@found=$$(go run $(GOVULNCHECK) ./... 2>&1) && echo "$$found" || { grep -q 'fetching vulnerabilities' <<<"$$found" && \
	  echo 'make vuln: the database of vulnerabilities cannot be reached, so nothing was checked.'; } || { echo "$$found" >&2; exit 1; }

sbom: need-go ## list the packages of the image as SPDX, .omm/sbom-cpu.spdx.json (IMAGE=cuda; SOURCE=dir:/ for this system)
	@mkdir -p .omm
	@GOEXPERIMENT= go run $(SYFT) scan $(or $(SOURCE),docker:omm-go:$(IMAGE)) --quiet --output spdx-json=.omm/sbom-$(IMAGE).spdx.json
	@echo 'wrote .omm/sbom-$(IMAGE).spdx.json'

test-crash: ready ## kill a training 100 times, also at each call that changes files, let such calls fail, and alter each kind of file 10,000 times (strace)
	@command -v strace >/dev/null || { echo 'make test-crash: strace is missing; as root run `apt-get install strace`.' >&2; exit 1; }
	@OMM_TEST_CRASH=1 OMM_TEST_DAMAGES=10000 go test -count=1 -timeout 1h -v -run 'ShowsDamage|AnyCallMayBeTheLast' ./ommlx/train \
	  ./ommlx/learn ./ommlx/artifact/graphs/ogb ./ommlx/artifact | grep -E '(kills|failed|alterations)|FAIL|^ok|Error'

test-artifact: ## run the half hour of ARTIFACT.md in a clean clone with empty caches, with the time of each command
	@.ci/artifact

check: ready ## check every claim of the paper and write tables/claims; fails if a verdict changed (ACCEPT=1 accepts it)
	@$(OMM) check $(if $(call on,$(COMPLETE)),--complete) $(if $(call on,$(ACCEPT)),--accept)

notebooks: ready ## execute all notebooks without a screen, in place; fails if a cell fails
	@$(OMM) notebooks

tries: ready ## make each change that the notebooks suggest, and run the changed cells
	@$(OMM) notebooks --try

lab: ready ## open the notebooks in JupyterLab
	@$(OMM) lab

parity: ready ## compare what is computed with PyTorch and torchvision (in a throw-away environment, or that of OMM_PYTHON=…)
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && python=$${OMM_PYTHON:-} && \
	if [ -z "$$python" ] && [ -e '$(OTHERS)/complete' ]; then python='$(OTHERS)/bin/python'; fi && \
	if [ -z "$$python" ]; then \
	  echo 'Installing PyTorch with pip into a throw-away environment (3 GB on Linux, where the package brings CUDA along) …'; \
	  python3 -m venv "$$dir" && python=$$dir/bin/python && "$$python" -m pip install --quiet --disable-pip-version-check torch==$(TORCH) torchvision==$(VISION) || \
	    { echo 'make parity: PyTorch could not be installed; the line above says why.' >&2; exit 1; }; \
	fi && \
	OMM_PYTHON="$$python" go test ./ommlx/... -run '^TestParity' -count=1 -v | grep -v 'no test files\|no tests to run' | tee "$$dir/log"; \
	{ grep -q '^--- PASS: TestParity' "$$dir/log" && ! grep -v 'SKIP: TestParityListing' "$$dir/log" | grep -q '^ *--- SKIP\|^FAIL'; } || \
	  { echo 'make parity: a comparison failed or did not run; the lines above say why.' >&2; exit 1; }

bench: ready ## measure the speed against JAX and PyTorch (installed into the cache once, or those of OMM_PYTHON=…)
	@if [ -z "$${OMM_PYTHON:-}" ] && [ ! -e '$(OTHERS)/complete' ]; then \
	  echo 'Installing JAX and PyTorch with pip into the cache, once (3 GB to download; OMM_PYTHON=… uses an environment of yours) …'; \
	  { rm -rf '$(OTHERS)' && python3 -m venv '$(OTHERS)' && \
	    '$(OTHERS)/bin/python' -m pip install --quiet --disable-pip-version-check jax==$(JAX) torch==$(TORCH) torchvision==$(VISION) && \
	    touch '$(OTHERS)/complete'; } || { echo 'make bench: they could not be installed; the line above says why.' >&2; exit 1; }; \
	fi
	@$(OMM) bench --python "$${OMM_PYTHON:-$(OTHERS)/bin/python}"

field: need-go ## compare the library with deeptime, kooplearn and SciPy (installed into the cache once): tables/field.json
	@[ -e '$(FIELD)/complete' ] || { rm -rf '$(FIELD)' && python3 -m venv '$(FIELD)' && \
	  '$(FIELD)/bin/python' -m pip install --quiet --disable-pip-version-check deeptime==0.4.5 kooplearn==2.0.3 scipy==1.17.1 && \
	  touch '$(FIELD)/complete'; } || { echo 'make field: they could not be installed; the line above says why.' >&2; exit 1; }
	@mkdir -p .omm/bin && go build -o .omm/bin/field ./ommlx/artifact/bench/field
	@'$(FIELD)/bin/python' -B ommlx/artifact/bench/field/field.py --ours "$$PWD/.omm/bin/field" --out tables/field.json

doctor: build ## say what would run here, and how to repair what would not
	@$(OMM) doctor

data: build ## download the official grid layouts and CIFAR-100 (170 MB)
	@$(OMM) data get grids cifar100

setup: ready ## install what the other targets need (they do it themselves)

docker: ## build the image with the pinned environment; IMAGE=cuda for NVIDIA GPUs
	@command -v docker >/dev/null || { echo 'make docker: docker was not found; install Docker, or run docker/install.sh on Debian or Ubuntu.' >&2; exit 1; }
	@docker info >/dev/null 2>&1 || { echo 'make docker: the Docker engine does not answer; start it, or ask for permission to use it.' >&2; exit 1; }
	@docker build --file docker/Dockerfile --build-arg COMMIT=$(COMMIT) --target $(IMAGE) --tag omm-go:$(IMAGE) .

# Imports in Go files and notebooks, links in doc comments, and the line of a notebook that names the module.
rename: need-go ## give the module another path, in go.mod and in all imports: make rename MODULE_PATH=host/path
	@[[ '$(MODULE_PATH)' =~ ^[A-Za-z0-9._~/-]+$$ ]] || { echo 'make rename: give MODULE_PATH, as in make rename MODULE_PATH=host/path' >&2; exit 1; }
	@find ommlx notebooks README.md \( -name '*.go' -o -name '*.ipynb' -o -name '*.md' \) -exec \
	  env OLD='$(MODULE)' NEW='$(MODULE_PATH)' perl -pi -e \
	  's{(["[])\Q$$ENV{OLD}\E/}{$$1$$ENV{NEW}/}g; s{=\Q$$ENV{OLD}\E([@=])}{=$$ENV{NEW}$$1}g' {} +
	@go mod edit -module '$(MODULE_PATH)'

clean: ## remove what was built here; the cache that all clones share stays
	@rm -rf .omm
	@echo 'Removed .omm. Plugins and the notebook environment stay in $(CACHE).'

ready: build
	@$(OMM) setup

build: need-go
	@mkdir -p .omm/bin
	@[ -x $(OMM) ] || echo 'Compiling omm (the first time takes a minute or two; with GOEXPERIMENT=simd your own go commands share it) …'
	@go build -ldflags "-X $(MODULE)/ommlx/artifact/run.builtFrom=$(COMMIT)" -o $(OMM) ./ommlx/cmd/omm

need-go:
	@command -v go >/dev/null || { echo 'make: the go command was not found; install Go 1.26 (see README.md) and put it on the PATH.' >&2; exit 1; }
	@command -v $${CC:-cc} >/dev/null || command -v gcc >/dev/null || { echo 'make: no C compiler was found, which Go needs to load XLA plugins; install gcc (Debian and Ubuntu: apt install gcc libc6-dev).' >&2; exit 1; }

need-profile:
	@case '$(PROFILE)' in smoke|quick|paper) ;; *) echo "make: PROFILE is '$(PROFILE)'; it must be smoke, quick or paper." >&2; exit 1;; esac
