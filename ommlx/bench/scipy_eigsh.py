"""The leading eigenpairs of a sparse symmetric matrix by SciPy's eigsh (ARPACK).

Answers one JSON line for each line on standard input, {"steps", "sparse": {"n", "rows", "columns", "values", "k",
"tolerance"}}; see solvers.go.
"""

import numpy
import scipy
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import eigsh


def answer(question):
    a, values = question["sparse"], None
    matrix = csr_matrix((a["values"], (a["rows"], a["columns"])), shape=(a["n"], a["n"]))
    start = numpy.random.default_rng(1).standard_normal(a["n"])  # ARPACK's own choice is another one at every call

    def solve():
        nonlocal values
        values, _ = eigsh(matrix, a["k"], which="LA", tol=a["tolerance"], v0=start)

    times = timed(solve, question["steps"], scipy.__version__)
    return {**times, "eigenvalues": sorted(values.tolist(), reverse=True)}


serve(answer)
