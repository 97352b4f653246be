"""Solves the problems of field.py with deeptime, kooplearn, scikit-learn and SciPy.

`python theirs.py METHOD FOLDER` is like `omm bench field METHOD FOLDER`.

A method gets the content of problem.json and the tables in the folder, and returns values and functions at the points.
Its imports, before begin(), are neither timed nor counted. Kooplearn's rank and γ are the best of six by the truth; other
settings are defaults where there is one.
"""

import json
import pathlib
import sys
import time

import numpy


class Problem:
    """k, and each table of the folder as an array."""

    def __init__(self, folder):
        about = json.loads((folder / "problem.json").read_text())
        self.k = about["k"]
        for name, columns in about["columns"].items():
            setattr(self, name, numpy.fromfile(folder / f"{name}.f64").reshape(-1, columns))

    def begin(self):
        self.began = time.perf_counter()


def tica(p):
    from deeptime.basis import Monomials
    from deeptime.decomposition import TICA

    p.begin()
    basis = Monomials(6, 2)
    model = TICA(lagtime=1, dim=p.k - 1).fit(basis(p.x)).fetch_model()
    functions = numpy.column_stack([numpy.ones(len(p.points)), model.transform(basis(p.points))])
    return [1, *model.singular_values[: p.k - 1]], functions


def vamp(p):
    from deeptime.basis import Monomials
    from deeptime.decomposition import VAMP

    p.begin()
    basis = Monomials(6, 2)
    model = VAMP(lagtime=1, dim=p.k - 1, observable_transform=basis).fit(p.x).fetch_model()
    functions = numpy.column_stack([numpy.ones(len(p.points)), model.transform(p.points)])
    return [1, *model.singular_values[: p.k - 1]], functions


def msm(p):
    from deeptime.clustering import KMeans
    from deeptime.markov.msm import MaximumLikelihoodMSM

    p.begin()
    states = KMeans(100, fixed_seed=1).fit_fetch(p.x)
    model = MaximumLikelihoodMSM(lagtime=1, reversible=True).fit_fetch(states.transform(p.x))
    functions = model.eigenvectors_right(p.k)[states.transform(p.points)]
    return model.eigenvalues(p.k), functions


def nystroem(p):
    from kooplearn.kernel import NystroemKernelRidge

    p.begin()
    model = NystroemKernelRidge(n_components=2 * p.k, kernel="rbf", gamma=0.3, n_centers=500, random_state=1).fit(p.x)
    values, functions = model.eig(eval_right_on=p.points)
    top = numpy.argsort(-values.real)[: p.k]
    return values.real[top], functions.real[:, top]


def gram(p):
    from scipy.sparse.linalg import eigsh
    from scipy.spatial.distance import cdist

    p.begin()
    n, kernel = len(p.x), lambda a: numpy.exp(-cdist(a, p.x, "sqeuclidean") / (2 * 0.7**2))
    values, vectors = eigsh((kernel(p.x) - numpy.eye(n)) / (n - 1), p.k)
    return values[::-1], (kernel(p.points) @ vectors)[:, ::-1]


def dense(p):
    from scipy.linalg import eigh
    from scipy.spatial.distance import cdist

    p.begin()
    n, kernel = len(p.x), lambda a: numpy.exp(-cdist(a, p.x, "sqeuclidean") / (2 * 0.7**2))
    values, vectors = eigh((kernel(p.x) - numpy.eye(n)) / (n - 1), subset_by_index=[n - p.k, n - 1])
    return values[::-1], (kernel(p.points) @ vectors)[:, ::-1]


def principal(p):
    from sklearn.decomposition import KernelPCA

    p.begin()
    n, model = len(p.x), KernelPCA(p.k - 1, kernel="rbf", gamma=1 / (2 * 0.7**2)).fit(p.x)
    mean = model._centerer.K_fit_all_  # of all kernel values: the constant's Rayleigh quotient
    functions = numpy.column_stack([numpy.ones(len(p.points)), model.transform(p.points)])
    return [(n * mean - 1) / (n - 1), *(model.eigenvalues_ - 1) / (n - 1)], functions


def embedding(p):
    from scipy.sparse import coo_array
    from sklearn.manifold import spectral_embedding

    p.begin()
    i, j = p.edges.astype("int32").T
    a = coo_array((numpy.ones(2 * len(i)), (numpy.r_[i, j], numpy.r_[j, i]))).tocsr()
    functions = spectral_embedding(a, n_components=p.k, drop_first=False, random_state=1)
    degrees = a.sum(axis=1)[:, None]
    return (functions * (a @ functions)).sum(axis=0) / (functions**2 * degrees).sum(axis=0), functions


def walk(p):
    from scipy.sparse import coo_array, diags_array
    from scipy.sparse.linalg import eigsh

    p.begin()
    i, j = p.edges.astype(int).T
    a = coo_array((numpy.ones(2 * len(i)), (numpy.r_[i, j], numpy.r_[j, i]))).tocsr()
    root = diags_array(1 / numpy.sqrt(a.sum(axis=1)))
    values, vectors = eigsh(root @ a @ root, p.k, which="LA")
    return values[::-1], (root @ vectors)[:, ::-1]


def differences(p):
    from scipy.interpolate import RegularGridInterpolator
    from scipy.sparse import diags_array, eye_array, kron
    from scipy.sparse.linalg import eigsh

    p.begin()
    m = 281
    line, h = numpy.linspace(-7, 7, m + 2, retstep=True)
    x, y = numpy.meshgrid(line[1:-1], line[1:-1], indexing="ij")
    potential = (x**2 + y**2) / 2 + 0.111803 * (x**2 * y - y**3 / 3)
    second = diags_array([-0.5 / h**2, 1 / h**2, -0.5 / h**2], offsets=[-1, 0, 1], shape=(m, m))
    h2 = kron(second, eye_array(m)) + kron(eye_array(m), second) + diags_array(potential.ravel())
    values, vectors = eigsh(h2.tocsc(), p.k, sigma=0)
    at = RegularGridInterpolator((line[1:-1], line[1:-1]), vectors.reshape(m, m, p.k), method="linear")
    return values, at(p.points)


def hermite(p, quanta=40):
    from scipy.linalg import eigh

    p.begin()
    n, cut = quanta + 4, [(i, j) for i in range(quanta) for j in range(quanta - i)]
    x = numpy.diag(numpy.sqrt(numpy.arange(1, n) / 2), 1)
    x, one = x + x.T, numpy.eye(n)
    quadratic = numpy.add.outer(numpy.arange(n), numpy.arange(n)).ravel() + 1
    h = numpy.diag(quadratic) + 0.111803 * (numpy.kron(x @ x, x) - numpy.kron(one, x @ x @ x) / 3)
    kept = [i * n + j for i, j in cut]
    values, vectors = eigh(h[numpy.ix_(kept, kept)], subset_by_index=[0, p.k - 1])
    f = [numpy.exp(-(p.points**2) / 2) / numpy.pi**0.25]
    f.append(numpy.sqrt(2) * p.points * f[0])
    for i in range(2, quanta):
        f.append(numpy.sqrt(2 / i) * p.points * f[i - 1] - numpy.sqrt(1 - 1 / i) * f[i - 2])
    return values, numpy.column_stack([f[i][:, 0] * f[j][:, 1] for i, j in cut]) @ vectors


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[2])
    problem = Problem(folder)
    values, functions = globals()[sys.argv[1]](problem)
    fit = time.perf_counter() - problem.began
    numpy.ascontiguousarray(functions, dtype=float).tofile(folder / "functions.f64")
    (folder / "answer.json").write_text(json.dumps({"values": [float(v) for v in values], "fit": fit}))
