#!/usr/bin/env bash
# Installs on Debian or Ubuntu what this project needs besides Go: a C compiler, make, git, Python with pip and venv; then
# runs `make setup`. What is already there is used as it is. With --tools-only it stops before `make setup`.
set -euo pipefail
cd "$(dirname "$0")/.."

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
if [ ${#packages[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || fail "these are missing, and this is not Debian or Ubuntu: ${packages[*]}"
  [ -z "$root" ] || command -v sudo >/dev/null || fail "installing ${packages[*]} needs root: run this as root"
  echo "Installing ${packages[*]} with apt-get …"
  $root apt-get update -qq
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${packages[@]}" >/dev/null
fi

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or later is needed, this is $(python3 --version)"

PATH="$PATH:/usr/local/go/bin"
command -v go >/dev/null || fail "Go was not found; install Go 1.26 and put it on the PATH"
echo "Using $(go version), $(python3 --version)."

[ "${1:-}" = --tools-only ] || make setup
