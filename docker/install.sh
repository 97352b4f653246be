#!/usr/bin/env bash
# Installs the dependencies of this project at pinned versions on Debian 12, Ubuntu 24.04 and similar systems. Afterwards
# nothing needs a network. It uses tools that are already installed, but Go only at the pinned version.
#   docker/install.sh               tools, Go modules, the XLA CPU plugin, JupyterLab with the Go kernel
#   docker/install.sh --cuda        also the CUDA plugin with NVIDIA's libraries (3 GB), with or without a GPU
#   docker/install.sh --tools-only  only the tools: a C compiler, make, git, Python with pip and venv, Go 1.21 or newer
# Only missing tools need root. Everything else goes into the user's cache.
set -euo pipefail
cd "$(dirname "$0")/.."

# The official archive for linux/amd64 from go.dev/dl, with its SHA-256 and size in bytes.
GO_VERSION=1.26.8
GO_SHA256=d0f743b33e8d8945e6b1f432edd15785c70507121d6e2a723b21285eddf8b57b
GO_SIZE=66897291

fail() { echo "install.sh: $*" >&2; exit 1; }

mode=${1:-}
case "$mode" in ''|--cuda|--tools-only) ;; *) fail "unknown option '$mode'; use --cuda or --tools-only" ;; esac
[ $# -le 1 ] || fail "$# options, want at most one"
root=''
[ "$(id -u)" = 0 ] || root=sudo
as_root() {
  [ -z "$root" ] || command -v sudo >/dev/null ||
    fail "installing $1 needs root; run docker/install.sh --tools-only as root first"
  $root env DEBIAN_FRONTEND=noninteractive "${@:2}"
}

# pinned prints a package for apt-get, with the version for this release from apt.txt, if any.
pinned() {
  local column=0 release
  # shellcheck source=/dev/null
  release=$(. /etc/os-release && echo "$ID $VERSION_ID")
  case "$release" in 'debian 12') column=2 ;; 'ubuntu 24.04') column=3 ;; esac
  awk -v name="$1" -v column="$column" '
    $1 == name { print name (column && $column != "*" ? "=" $column : "") }' docker/apt.txt
}

packages=()
need() { packages+=("$(pinned "$1")"); }
PATH="$PATH:/usr/local/go/bin"
# From 1.21, Go has toolchains: it fetches the version that go.mod names. Debian 12 and Ubuntu 22.04 have older ones.
recent_go() { [ -n "$(go env GOTOOLCHAIN 2>/dev/null)" ]; }
recent_go || PATH="/usr/local/go/bin:$PATH"
command -v make >/dev/null || need make
command -v cc >/dev/null || { need gcc; need libc6-dev; }
command -v git >/dev/null || need git
command -v python3 >/dev/null || need python3
python3 -m pip --version >/dev/null 2>&1 || need python3-pip
python3 -c 'import ensurepip' >/dev/null 2>&1 || need python3-venv
[ -e /etc/ssl/certs/ca-certificates.crt ] || need ca-certificates
recent_go || command -v curl >/dev/null || need curl
if [ ${#packages[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || fail "apt-get not found; install ${packages[*]} yourself"
  echo "Installing ${packages[*]} with apt-get …"
  as_root "${packages[*]}" apt-get update -qq
  as_root "${packages[*]}" apt-get install -qq --yes --no-install-recommends "${packages[@]}" >/dev/null
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  fail "found $(python3 --version), need Python 3.11 or later"

if ! recent_go; then
  [ "$(uname -sm)" = 'Linux x86_64' ] ||
    fail "no pinned Go archive for $(uname -sm); install Go $GO_VERSION and put it on the PATH"
  echo "Installing Go $GO_VERSION into /usr/local/go …"
  archive=$(mktemp)
  trap 'rm -f "$archive"' EXIT
  curl --fail --progress-bar --location --retry 2 --output "$archive" \
    "https://go.dev/dl/go$GO_VERSION.linux-amd64.tar.gz" ||
    fail "downloading from go.dev failed; install Go $GO_VERSION in /usr/local/go or on the PATH, and run this again"
  echo "$GO_SHA256  $archive" | sha256sum --check --status ||
    fail "wrong SHA-256 of the archive from go.dev ($(stat -c %s "$archive") bytes, want $GO_SIZE); nothing was installed"
  as_root "Go $GO_VERSION" tar --directory /usr/local --extract --gzip --no-same-owner --file "$archive"
  echo 'Put /usr/local/go/bin first on your PATH.'
fi
echo "Using $(go version), $(python3 --version)."
[ "$mode" != --tools-only ] || exit 0

[ "$(go env GOVERSION)" = "go$GO_VERSION" ] ||
  fail "$(command -v go) is $(go env GOVERSION), want go$GO_VERSION; put Go $GO_VERSION first on the PATH"
echo 'Downloading the Go modules …'
go mod download
make build
.omm/bin/omm setup --notebooks ${mode:+"$mode"}
