#!/usr/bin/env bash
# Installs on Debian or Ubuntu what this project needs: a C compiler, make, Python with pip and venv, and Go; then runs
# `make setup`. What is already there is used as it is. With --tools-only it stops before `make setup`.
set -euo pipefail
cd "$(dirname "$0")/.."

GO_VERSION=1.26.8
# SHA-256 of the archive for linux/amd64, as the Go project publishes it.
GO_SHA256=d0f743b33e8d8945e6b1f432edd15785c70507121d6e2a723b21285eddf8b57b

fail() { echo "install.sh: $*" >&2; exit 1; }

root=''
if [ "$(id -u)" != 0 ]; then root=sudo; fi

packages=()
command -v make >/dev/null || packages+=(make)
command -v cc >/dev/null || packages+=(gcc libc6-dev)
command -v git >/dev/null || packages+=(git)
command -v python3 >/dev/null || packages+=(python3)
python3 -m pip --version >/dev/null 2>&1 || packages+=(python3-pip)
python3 -c 'import ensurepip' >/dev/null 2>&1 || packages+=(python3-venv)
command -v go >/dev/null || [ -x /usr/local/go/bin/go ] || packages+=(ca-certificates curl)
if [ ${#packages[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || fail "these are missing, and this is not Debian or Ubuntu: ${packages[*]}"
  [ -z "$root" ] || command -v sudo >/dev/null || fail "installing ${packages[*]} needs root: run this as root"
  echo "Installing ${packages[*]} with apt-get …"
  $root apt-get update -qq
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${packages[@]}" >/dev/null
fi

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or later is needed, this is $(python3 --version)"

PATH="$PATH:/usr/local/go/bin"
if ! command -v go >/dev/null; then
  [ "$(uname -sm)" = 'Linux x86_64' ] || fail "Go was not found; install Go $GO_VERSION for $(uname -sm) and put it on the PATH"
  archive=$(mktemp)
  trap 'rm -f "$archive"' EXIT
  echo "Installing Go $GO_VERSION into /usr/local/go …"
  curl -fsSL -o "$archive" "https://go.dev/dl/go$GO_VERSION.linux-amd64.tar.gz" ||
    fail "Go $GO_VERSION could not be downloaded; install it by hand and put it on the PATH"
  echo "$GO_SHA256  $archive" | sha256sum --check --status ||
    fail "the downloaded Go archive is truncated or altered: SHA-256 is $(sha256sum < "$archive" | cut -d' ' -f1), expected $GO_SHA256"
  $root tar -C /usr/local -xzf "$archive"
fi
echo "Using $(go version), $(python3 --version)."

[ "${1:-}" = --tools-only ] || make setup
