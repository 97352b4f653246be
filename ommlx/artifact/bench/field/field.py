"""Compares ommlx/learn with deeptime, kooplearn, scikit-learn and SciPy on four problems, and writes a table.

`make -f .ci/Makefile field` runs it. Methods read the same files and take turns, each in a separate process; times are
medians over rounds. Errors of eigenvalues are relative. The error of functions is the largest sin² of the angles between
their span and the span of the true ones, in the inner product of the problem.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from scipy.sparse import diags_array, eye_array, kron
from scipy.sparse.linalg import eigsh

import theirs

HERE = pathlib.Path(__file__).parent
LAG, STEP = 0.1, 0.002  # between frames, and of Euler's method


def langevin(frames):
    """dx = −∇U dt + √2 dW with U = 2(x² − 1)² + 2(y − x²/2)²; the truth is the generator, reversible on a grid."""
    rng, x, y, visited = numpy.random.default_rng(1), 1.0, 0.5, []
    per_frame = round(LAG / STEP)  # steps; each draws two numbers
    for _ in range(frames):
        for a, b in (rng.standard_normal((per_frame, 2)) * (2 * STEP) ** 0.5).tolist():
            u = y - x * x / 2
            x, y = x + STEP * (4 * u * x - 8 * x * (x * x - 1)) + a, y - STEP * 4 * u + b
        visited.append((x, y))
    first, second = numpy.linspace(-2.4, 2.4, 241), numpy.linspace(-2.6, 4.6, 241)
    x, y = (g.ravel() for g in numpy.meshgrid(first, second, indexing="ij"))
    energy = 2 * (x**2 - 1) ** 2 + 2 * (y - x**2 / 2) ** 2
    root = numpy.exp(-(energy - energy.min()) / 2)

    def hops(line):  # to neighbours, at the rate √(ρ_j/ρ_i)/h², symmetrised by √ρ
        return diags_array([1.0, 1.0], offsets=[-1, 1], shape=(len(line), len(line))) / (line[1] - line[0]) ** 2

    s = (kron(hops(first), eye_array(len(second))) + kron(eye_array(len(first)), hops(second))).tocsr()
    with numpy.errstate(divide="ignore"):
        leaves = (s @ root) / root
    kept = root > 1e-6  # beyond, nothing ever is
    generator = s[kept][:, kept] - diags_array(leaves[kept])
    rates, vectors = eigsh(generator.tocsc(), 4, sigma=0.1)
    order = numpy.argsort(-rates)
    return dict(k=4, tables=dict(x=numpy.array(visited), points=numpy.column_stack([x, y])[kept]),
                values=numpy.exp(LAG * rates[order]), functions=vectors[:, order] / root[kept, None],
                weights=root[kept] ** 2)


def ring(samples):
    """exp(−|x − y|²/2·0.7²) on a noisy ring; the truth is the dense eigenproblem of all samples."""
    rng = numpy.random.default_rng(1)

    def draw(n):
        angle, radius = rng.uniform(0, 2 * numpy.pi, n), 1 + 0.1 * rng.standard_normal(n)
        return numpy.column_stack([radius * numpy.cos(angle), radius * numpy.sin(angle)])

    return solved(dict(k=5, tables=dict(x=draw(samples), points=draw(1_000))), theirs.dense)


def torus(n, m):
    """The walk on an n×m torus, whose eigenvalues are (cos 2πa/n + cos 2πb/m)/2, most of them four times."""
    node = numpy.arange(n * m).reshape(n, m)
    edges = [numpy.column_stack([node.ravel(), numpy.roll(node, -1, axis).ravel()]) for axis in (0, 1)]
    waves, modes = (numpy.cos, numpy.sin), []
    for a in range(n // 2):
        for b in range(m // 2):
            value = (numpy.cos(2 * numpy.pi * a / n) + numpy.cos(2 * numpy.pi * b / m)) / 2
            for f in waves[: 1 + (a > 0)]:
                for g in waves[: 1 + (b > 0)]:
                    modes.append((value, numpy.outer(f(2 * numpy.pi * a * numpy.arange(n) / n),
                                                     g(2 * numpy.pi * b * numpy.arange(m) / m)).ravel()))
    modes.sort(key=lambda mode: -mode[0])
    return dict(k=9, tables=dict(edges=numpy.concatenate(edges), points=numpy.arange(n * m)[:, None]),
                values=numpy.array([v for v, _ in modes[:9]]), functions=numpy.array([f for _, f in modes[:9]]).T)


def henon_heiles(quanta):
    """−½∇² + ½(x² + y²) + λ(x²y − y³/3), λ = 0.111803; the truth is a larger basis of oscillator states."""
    line = numpy.linspace(-5, 5, 81)
    x, y = (g.ravel() for g in numpy.meshgrid(line, line))
    return solved(dict(k=8, tables=dict(points=numpy.column_stack([x, y]))), lambda p: theirs.hermite(p, quanta))


def solved(problem, method):
    """The problem with the truth by a method."""
    with tempfile.TemporaryDirectory() as folder:
        write(problem, pathlib.Path(folder))
        values, functions = method(theirs.Problem(pathlib.Path(folder)))
    return dict(problem, values=values, functions=functions)


# Name, what it is, how it is made, and its methods: (whose, how, name of the function in theirs.py or ../field.go).
PROBLEMS = [
    ("langevin", "a Langevin trajectory in a curved double well in two dimensions, 50,000 frames, 4 functions",
     lambda small: langevin(3_000 if small else 50_000),
     [("ours", "`learn.Trajectories`", "pairs"), ("ours", "`Pairs.EDMD(6)`", "edmd"),
      ("deeptime", "TICA on monomials of degree 6", "tica"), ("deeptime", "VAMP on monomials of degree 6", "vamp"),
      ("deeptime", "k-means of 100, reversible MSM", "msm"),
      ("kooplearn", "Nyström, RBF, 500 centres, rank 8", "nystroem")]),
    ("ring", "an RBF kernel on 2,000 samples of a noisy ring, 5 functions",
     lambda small: ring(300 if small else 2_000),
     [("ours", "`learn.Kernel`", "kernel"), ("scipy", "`eigsh` of the Gram matrix", "gram"),
      ("scikit-learn", "`KernelPCA`, 4 functions and a constant", "principal")]),
    ("torus", "the walk on a torus of 30×30 nodes, 9 functions, two eigenvalues of which come four times",
     lambda small: torus(10, 10) if small else torus(30, 30),
     [("ours", "`learn.Graph`", "graph"), ("scipy", "`eigsh` of the sparse matrix", "walk"),
      ("scikit-learn", "`spectral_embedding`", "embedding")]),
    ("henon_heiles", "Hénon and Heiles' potential in two dimensions, 8 lowest states",
     lambda small: henon_heiles(50),
     [("ours", "`learn.Schrodinger`", "schrodinger"), ("scipy", "differences on 281² points, `eigsh`", "differences"),
      ("scipy", "820 oscillator states, `eigh`", "hermite")]),
]


def write(problem, folder):
    columns = {}
    for name, table in problem["tables"].items():
        numpy.ascontiguousarray(table, dtype=float).tofile(folder / f"{name}.f64")
        columns[name] = table.shape[1]
    (folder / "problem.json").write_text(json.dumps({"k": problem["k"], "columns": columns}))


def sin2(truth, found, weights):
    """The largest sin² of the angles between two spans."""
    root = numpy.sqrt(weights)[:, None]
    q, _ = numpy.linalg.qr(truth * root)
    p, _ = numpy.linalg.qr(found * root)
    return float(numpy.linalg.norm(q - p @ (p.T @ q), 2) ** 2)


def lines(whose, function):
    """Lines of a method's body without comments: in Python from begin() on, in Go with one for At."""
    if whose == "ours":
        text = (HERE.parent / "field.go").read_text()
        body = re.search(rf"^func {function}\(.*?\{{\n(.*?)^\}}", text, re.M | re.S)[1] + "At"
    else:
        text = (HERE / "theirs.py").read_text()
        body = re.search(rf"^def {function}\(.*?begin\(\)\n(.*?)\n\n\n", text, re.M | re.S)[1]
    return sum(1 for line in body.splitlines() if line.strip() and not line.strip().startswith(("#", "//")))


def measure(command, folder):
    start = time.perf_counter()
    done = subprocess.run([*command, folder], capture_output=True, text=True)
    whole = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"field.py: `{' '.join(command)}` failed: {done.stderr.strip()}")
    return dict(json.loads((folder / "answer.json").read_text()), whole=whole)


def compare(name, what, make, methods, ours, small, rounds):
    problem = make(small)
    laps = [[] for _ in methods]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write(problem, folder)
        for number in range(rounds):
            for lap, (whose, how, function) in zip(laps, methods):
                program = [ours, "bench", "field"] if whose == "ours" else [sys.executable, str(HERE / "theirs.py")]
                answer = measure([*program, function], folder)
                lap.append(answer)
                if number:
                    continue
                functions = numpy.fromfile(folder / "functions.f64").reshape(-1, problem["k"])
                weights = problem.get("weights", numpy.ones(len(functions)))
                errors = numpy.abs(numpy.array(answer["values"]) / problem["values"] - 1)
                rows.append({"by": whose, "how": how, "values": answer["values"], "error": float(errors.max()),
                             "sin2": sin2(problem["functions"], functions, weights), "lines": lines(whose, function)})
    for row, lap in zip(rows, laps):
        for key in ("training", "fit", "whole"):
            if key in lap[0]:
                row[key] = statistics.median(answer[key] for answer in lap)
        print(f"{name:13} {row['by']:10} {row['how']:38} sin² {row['sin2']:.1e}  error {row['error']:.1e}  "
              f"{row['whole']:6.1f} s  {row['lines']} lines", flush=True)
    return {"name": name, "what": what, "truth": [float(v) for v in problem["values"]], "rows": rows}


def provenance(small, rounds, before):
    info = pathlib.Path("/proc/cpuinfo")
    processor = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    say = lambda *command: subprocess.run(command, capture_output=True, text=True, cwd=HERE).stdout.strip()
    packages = ("deeptime", "kooplearn", "scikit-learn", "scipy", "numpy")
    return {"versions": {name: importlib.metadata.version(name) for name in packages},
            "python": platform.python_version(), "go": say("go", "env", "GOVERSION"),
            "commit": say("sh", "-c", "cd ../../../.. && sh ommlx/artifact/run/commit.sh"),
            "processor": processor[1] if processor else platform.processor(),
            "cores": os.cpu_count(), "load": [before, os.getloadavg()[0]], "small": small, "rounds": rounds,
            "date": time.strftime("%Y-%m-%d", time.gmtime())}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", required=True, help="the path of omm")
    parser.add_argument("--out", required=True, help="the JSON file to write")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="small problems, to see that all runs")
    parser.add_argument("--only", help="one problem")
    a = parser.parse_args()
    load = os.getloadavg()[0]
    problems = [compare(*p, a.ours, a.small, a.rounds) for p in PROBLEMS if a.only in (None, p[0])]
    pathlib.Path(a.out).write_text(json.dumps({**provenance(a.small, a.rounds, load), "problems": problems}, indent=1,
                                              ensure_ascii=False) + "\n")
