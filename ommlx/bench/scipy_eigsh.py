"""The leading eigenpairs of a sparse symmetric matrix by SciPy's eigsh (ARPACK).

Answers one JSON line for each line on standard input, {"steps", "sparse": {"n", "rows", "columns", "values", "k",
"tolerance"}}; see solvers.go.
"""

import json
import resource
import sys
import time

try:
    import numpy
    import scipy
    from scipy.sparse import csr_matrix
    from scipy.sparse.linalg import eigsh
except ImportError as error:
    print(json.dumps({"error": str(error)}), flush=True)
    sys.exit(0)


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


for line in sys.stdin:
    question = json.loads(line)
    a = question["sparse"]
    matrix = csr_matrix((a["values"], (a["rows"], a["columns"])), shape=(a["n"], a["n"]))
    start = numpy.random.default_rng(1).standard_normal(a["n"])  # ARPACK's own choice is another one at every call
    wall, used = time.perf_counter(), cpu()
    for _ in range(question["steps"]):
        values, _ = eigsh(matrix, a["k"], which="LA", tol=a["tolerance"], v0=start)
    answer = {"version": scipy.__version__, "wall": time.perf_counter() - wall, "cpu": cpu() - used,
              "eigenvalues": sorted(values.tolist(), reverse=True)}
    print(json.dumps(answer), flush=True)
