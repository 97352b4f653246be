"""Builds snapshot.z, the dependency graph of Debian's packages, from the package lists of this machine.

On Debian, in this folder:  apt-get update && python3 build.py

The counts that TestDebianSnapshot pins belong to the committed snapshot; a newer list gives other ones.
"""
import collections
import re
import subprocess
import zlib

WORDS, MEMBERS = 500, 100  # words that count, and the fewest packages of a section that is a class

packages = {}
for paragraph in subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True, check=True).stdout.split("\n\n"):
    fields, key = {}, None
    for line in paragraph.split("\n"):
        if line.startswith(" "):
            fields[key] += "\n" + line[1:]
        elif ":" in line:
            key, value = line.split(":", 1)
            fields[key] = value.strip()
    if "Package" in fields:
        packages[fields["Package"]] = fields  # the last version of several

neighbours = {name: set() for name in packages}
for name, fields in packages.items():
    for dependency in re.split(r"[,|]", fields.get("Depends", "") + "," + fields.get("Pre-Depends", "")):
        match = re.match(r"\s*([a-z0-9+.\-]+)", dependency)
        if match and match[1] in packages and match[1] != name:
            neighbours[name].add(match[1])
            neighbours[match[1]].add(name)

largest, visited = [], set()
for name in sorted(packages):
    if name not in visited:
        component = [name]
        visited.add(name)
        for member in component:
            new = neighbours[member] - visited
            visited |= new
            component += new
        largest = max(largest, component, key=len)
nodes = sorted(largest, key=lambda name: (-len(neighbours[name]), name))
index = {name: i for i, name in enumerate(nodes)}

sections = [packages[name]["Section"].split("/")[-1] for name in nodes]
classes = [s for s, n in sorted(collections.Counter(sections).items(), key=lambda of: (-of[1], of[0])) if n >= MEMBERS]
texts = [packages[name].get("Description") or packages[name].get("Description-en", "") for name in nodes]
words = [collections.Counter(re.findall(r"[a-z0-9+]{2,}", text.lower())) for text in texts]
total = collections.Counter()
for counts in words:
    total.update(counts)
column = {w: i for i, w in enumerate(sorted(total, key=lambda w: (-total[w], w))[:WORDS])}

out = bytearray()


def put(x):
    while x >= 128:
        out.append(x & 127 | 128)
        x >>= 7
    out.append(x)


def put_all(ascending):
    last = 0
    put(len(ascending))
    for x in ascending:
        put(x - last)
        last = x


for x in (len(nodes), len(classes), WORDS):
    put(x)
for i, name in enumerate(nodes):
    put_all(sorted(index[other] for other in neighbours[name] if index[other] < i))
for counts in words:
    kept = sorted((column[w], n) for w, n in counts.items() if w in column)
    put_all([c for c, _ in kept])
    for _, n in kept:
        put(n)
for section in sections:
    put(classes.index(section) + 1 if section in classes else 0)
open("snapshot.z", "wb").write(zlib.compress(bytes(out), 9))
degrees = [len(neighbours[name]) for name in nodes]
print(len(nodes), "nodes", sum(degrees) // 2, "edges", degrees[0], "largest degree", len(classes), "classes",
      sum(s not in classes for s in sections), "nodes without a class", sum(map(len, words)))
