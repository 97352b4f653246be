"""Builds snapshot.json.gz, the dependency graph of Debian's packages, from the package lists of this machine.

On Debian, in this folder:  apt-get update && python3 build.py

The counts that TestDebianSnapshot pins belong to the committed snapshot; a newer list gives other ones.
"""
import collections
import gzip
import json
import re
import subprocess

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

graph = {
    "features": WORDS,
    "classes": len(classes),
    "neighbours": [sorted(i for i in map(index.get, neighbours[name]) if i < own) for own, name in enumerate(nodes)],
    "words": [sorted(column[w] for w in counts.elements() if w in column) for counts in words],
    "class": [classes.index(section) + 1 if section in classes else 0 for section in sections],
}
text = json.dumps(graph, separators=(",", ":")).encode()
open("snapshot.json.gz", "wb").write(gzip.compress(text, 9, mtime=0))
degrees = [len(neighbours[name]) for name in nodes]
print(len(nodes), "nodes", sum(degrees) // 2, "edges", degrees[0], "largest degree", len(classes), "classes",
      sum(s not in classes for s in sections), "nodes without a class", sum(map(len, words)))
