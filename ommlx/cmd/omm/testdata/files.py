"""Files of NumPy, SciPy and pandas for the Go test TestParityOfFiles.

Writes tables, matrices and graphs into the working directory, and their content and the eigenvalues of the random walks
as JSON on standard output. A missing number is 99 there.
"""

import json

import numpy
import pandas
import scipy.io
import scipy.sparse

random = numpy.random.default_rng(1)

table = random.normal(size=(6, 2))
table[2, 0] = numpy.nan
frame = pandas.DataFrame(table, columns=["a", "b"])
frame.insert(1, "when", pandas.date_range("2026-01-01", periods=6))
frame.to_csv("index.csv")
frame.to_csv("plain.csv", index=False)
frame.to_csv("compressed.csv.gz", index=False)
frame.to_csv("semicolons.csv", sep=";", na_rep="NaN", index=False)
frame.to_csv("tabs.tsv", sep="\t", quoting=1)
numpy.savetxt("savetxt.txt", table, header="a b")
numpy.savetxt("savetxt.csv.gz", table, delimiter=",")
frame.to_csv("decimal.csv", sep=";", decimal=",")
numpy.savetxt("header.csv", table, delimiter=",", header="a,b")
numpy.save("double.npy", table)
numpy.save("fortran.npy", numpy.asfortranarray(table))
numpy.save("big.npy", table.astype(">f8"))
numpy.save("single.npy", table.astype("f4"))
tables = ["decimal.csv", "header.csv", "index.csv", "plain.csv", "compressed.csv.gz", "semicolons.csv", "tabs.tsv", "savetxt.txt", "savetxt.csv.gz",
          "double.npy", "fortran.npy", "big.npy", "single.npy"]

matrix = numpy.rint(4 * random.normal(size=(5, 5)))
matrix += matrix.T
sparse = scipy.sparse.coo_array(matrix)
matrices = []
for dtype in "<f8", ">f4", "<i8", "<i4", "i2", "i1":
    matrices.append(f"{dtype[1:]}{len(matrices)}.npy")
    numpy.save(matrices[-1], matrix.astype(dtype))
for symmetry in "general", "symmetric":
    for name, content in ("sparse", sparse), ("dense", matrix), ("integer", sparse.astype(int)):
        matrices.append(f"{name}-{symmetry}.mtx")
        scipy.io.mmwrite(matrices[-1], content, symmetry=symmetry, comment="a comment")
numpy.savetxt("matrix.txt", matrix)
pandas.DataFrame(matrix).to_csv("matrix.csv", header=False, index=False)
matrices += ["matrix.txt", "matrix.csv"]
for kind in "csr", "csc", "coo":
    matrices.append(f"{kind}.npz")
    scipy.sparse.save_npz(matrices[-1], scipy.sparse.coo_matrix(matrix).asformat(kind))

nodes = 15
i, j = numpy.triu_indices(nodes)
chosen = (random.random(len(i)) < 0.3) | (j == i + 1)
i, j, weight = i[chosen], j[chosen], random.uniform(1, 2, size=chosen.sum())


def leading(weight):
    """Returns the three largest eigenvalues of the random walk."""
    a = numpy.zeros((nodes, nodes))
    a[i, j] = a[j, i] = weight
    degree = a.sum(1)
    return numpy.linalg.eigvalsh(a / numpy.sqrt(numpy.outer(degree, degree)))[::-1][:3].tolist()


edges = pandas.DataFrame({"weight": weight, "target": [f"n{x}" for x in j], "source": [f"n{x}" for x in i]})
edges.to_csv("edges.csv")
edges[["source", "target"]].to_csv("unweighted.tsv", sep="\t", header=False, index=False)
half = scipy.sparse.coo_array((weight, (i, j)), shape=(nodes, nodes))
scipy.io.mmwrite("adjacency.mtx", half + scipy.sparse.triu(half, 1).T)
scipy.io.mmwrite("general.mtx", half + scipy.sparse.triu(half, 1).T, symmetry="general")
both = half + scipy.sparse.triu(half, 1).T
scipy.sparse.save_npz("adjacency.npz", both)
numpy.save("adjacency.npy", both.toarray())
numpy.savetxt("adjacency.txt", both.toarray())
names = [f"n{x}" for x in range(nodes)]
pandas.DataFrame(both.toarray(), names, names).to_csv("adjacency.csv")
numpy.save("edges.npy", numpy.column_stack([i, j, weight]))
numpy.save("edge_index.npy", numpy.stack([i, j]))
edges.to_csv("decimal-edges.csv", sep=";", decimal=",", index=False)
pandas.DataFrame({"from": i, "to": j.astype(float), "value": weight}).to_csv("value.csv", index=False)
with open("networkx.edges", "w") as file:
    file.writelines(f"{a} {b} {{'weight': {w}}}\n" for a, b, w in zip(i, j, weight.tolist()))
weighted = ["edges.csv", "adjacency.mtx", "general.mtx", "adjacency.npz", "adjacency.npy", "adjacency.txt", "adjacency.csv",
            "edges.npy", "decimal-edges.csv", "value.csv", "networkx.edges"]
graphs = {name: leading(weight) for name in weighted}
graphs |= {name: leading(1) for name in ("unweighted.tsv", "edge_index.npy")}

print(json.dumps({"table": numpy.nan_to_num(table, nan=99).tolist(), "tables": tables, "matrix": matrix.tolist(),
                  "matrices": matrices, "graphs": graphs}))
