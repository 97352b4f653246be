"""Compressed rows of a graph from a list of its edges, and products with its normalised adjacency, by SciPy.

The question is a scaling; see scale.go.
"""

import numpy
import scipy
from scipy.sparse import coo_array


def normalised(a):
    u, v = numpy.fromfile(a["path"], dtype=numpy.int32).reshape(-1, 2).T
    u, v = u[u != v], v[u != v]
    rows, columns = numpy.concatenate([u, v]), numpy.concatenate([v, u])
    s = coo_array((numpy.ones(len(rows), numpy.float32), (rows, columns)), shape=(a["nodes"],) * 2).tocsr()
    degrees = numpy.diff(s.indptr)  # tocsr has added up repeated entries
    root = (1 / numpy.sqrt(numpy.maximum(degrees, 1))).astype(numpy.float32)
    s.data = numpy.repeat(root, degrees) * root[s.indices]
    return s


def answer(a, steps):
    if a["work"] == "open":
        opened.pop("table", None)
        return open_timed(a, normalised, scipy.__version__)
    if "table" not in opened:
        opened["table"] = numpy.random.default_rng(1).random((a["nodes"], a["columns"]), numpy.float32)
    return timed(lambda: opened["graph"] @ opened["table"], steps, scipy.__version__)


serve(answer)
