"""Products with the normalised adjacency of a graph, and its leading eigenvectors, by SciPy.

Answers one JSON line for each line on standard input, {"steps", "adjacency": {"offsets", "neighbours", "columns", "k",
"tolerance"}}; see graphs.go. The time of a product is that with the matrix in SciPy's own form, whose values are as
precise as the table; that of eigenvectors is that of eigsh (ARPACK).
"""

import numpy
import scipy
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import eigsh


def normalised(a, dtype):
    offsets = numpy.fromfile(a["offsets"], dtype=numpy.uint64).astype(numpy.int32)
    columns = numpy.fromfile(a["neighbours"], dtype=numpy.uint32).astype(numpy.int32)
    degrees = numpy.diff(offsets)
    root = 1 / numpy.sqrt(numpy.maximum(degrees, 1))
    values = numpy.repeat(root, degrees) * root[columns]
    return csr_matrix((values.astype(dtype), columns, offsets), shape=(len(degrees), len(degrees)))


def product(a, steps):
    dtype = numpy.float64 if a["columns"] == 1 else numpy.float32
    matrix = remembered(a, dtype)
    x = numpy.cos(numpy.arange(matrix.shape[0] * a["columns"])).astype(dtype)
    x, y = x if a["columns"] == 1 else x.reshape(-1, a["columns"]), None

    def multiply():
        nonlocal y
        y = matrix @ x

    times = timed(multiply, steps, scipy.__version__)
    return {**times, "product": y.ravel()[:1000].tolist()}


def eigenvectors(a, steps):
    matrix, pairs = remembered(a, numpy.float64), None
    start = numpy.random.default_rng(1).standard_normal(matrix.shape[0])

    def solve():
        nonlocal pairs
        pairs = eigsh(matrix, a["k"], which="LA", tol=a["tolerance"], v0=start)

    before = peak(anew=True)
    times = timed(solve, steps, scipy.__version__)
    memory = peak() - before
    values, vectors = pairs
    residual = numpy.linalg.norm(matrix @ vectors - vectors * values, axis=0).max()
    return {**times, "eigenvalues": sorted(values.tolist(), reverse=True), "residual": residual, "memory": memory}


def peak(anew=False):
    """The most memory that this process held, in bytes; anew: from now on. Known on Linux alone."""
    if sys.platform != "linux":
        return 0
    if anew:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("VmHWM:"))


made = {}


def remembered(a, dtype):
    name = (a["offsets"], dtype)
    if name not in made:
        made.clear()
        made[name] = normalised(a, dtype)
    return made[name]


serve(lambda question: (product if question["adjacency"]["columns"] else eigenvectors)(
    question["adjacency"], question["steps"]))
