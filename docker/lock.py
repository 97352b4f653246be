#!/usr/bin/env python3
"""Prints a requirements file with hashes: python3 docker/lock.py REQUIREMENT ... > FILE

pip (23.2 or later) resolves the requirements for this Python and machine. Use the oldest supported Python, since newer
ones need no additional packages. Each package is listed with its licence, the size of its wheel on this machine in
bytes, and the SHA-256 of its wheels for CPython 3.11 or later on Linux and macOS.
"""

import json
import os
import re
import subprocess
import sys
import textwrap
import urllib.request

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
PLATFORM = re.compile(r"^any$|manylinux\w*_(x86_64|aarch64)$|^macosx_\w+_(x86_64|arm64|universal2)$")


def fits(filename):
    """Returns whether a wheel is for CPython 3.11 or later on Linux or macOS."""
    python, abi, platform = filename.removesuffix(".whl").split("-")[-3:]
    if not PLATFORM.search(platform.split(".")[-1]):
        return False
    minor = [int(m) for m in re.findall(r"\bcp3(\d+)", python)]
    return abi == "none" and "py3" in python or abi == "abi3" or bool(minor) and max(minor) >= 11 and abi in python


def licence(metadata):
    """Returns the licence of a package in a few words, from its metadata."""
    named = metadata.get("license_expression") or metadata.get("license", "").strip()
    if named and named != "UNKNOWN" and "\n" not in named and len(named) < 60:
        return named
    classes = [c.split(" :: ")[-1] for c in metadata.get("classifier", []) if c.startswith("License :: ")]
    return ", ".join(classes) or "in its package"


def index():
    """Returns the URL of pip's package index, from pip's help: the user's setting or the default."""
    unwrapped = os.environ | {"COLUMNS": "1000"}
    text = subprocess.run(PIP + ["install", "--help"], capture_output=True, text=True, check=True, env=unwrapped).stdout
    return re.search(r"--index-url <url>.*?\(default\s+([^\s)]+)\)", text, re.DOTALL)[1]


def files(index, project):
    """Returns the wheels of a project in the package index, by SHA-256."""
    accept = {"Accept": "application/vnd.pypi.simple.v1+json"}
    with urllib.request.urlopen(urllib.request.Request(f"{index.rstrip('/')}/{project}/", headers=accept)) as answer:
        return {f["hashes"]["sha256"]: f for f in json.load(answer)["files"] if f["filename"].endswith(".whl")}


def main(requirements):
    """Prints the requirements file."""
    resolve = ["install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary=:all:"]
    resolve += ["--use-feature=fast-deps", "--report=-", *requirements]
    report = json.loads(subprocess.run(PIP + resolve, stdout=subprocess.PIPE, check=True).stdout)
    print("# Written by docker/lock.py, which was asked for:")
    asked = textwrap.wrap(" ".join(requirements), 116, break_on_hyphens=False)
    print(textwrap.indent("\n".join(asked), "#   "))
    for package in sorted(report["install"], key=lambda p: p["metadata"]["name"].lower()):
        metadata = package["metadata"]
        project = re.sub(r"[-_.]+", "-", metadata["name"]).lower()
        here = package["download_info"]["archive_info"]["hashes"]["sha256"]
        wheels = files(index(), project)
        prefix = "-".join(wheels[here]["filename"].split("-")[:2]) + "-"
        sums = {s for s, f in wheels.items() if f["filename"].startswith(prefix) and fits(f["filename"])}
        print(f"\n# {licence(metadata)}; {wheels[here]['size']} bytes")
        print(f"{project}=={metadata['version']}", end="")
        for s in [here, *sorted(sums - {here})]:
            print(f" \\\n    --hash=sha256:{s}", end="")
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
