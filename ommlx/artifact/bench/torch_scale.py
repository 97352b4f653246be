"""Compressed rows of a graph from a list of its edges, products with its normalised adjacency, and training steps on
batches of edges, by PyTorch.

The question is a scaling; see scale.go.
"""

import numpy
import torch
from torch import nn


def normalised(a):
    ends = torch.from_numpy(numpy.fromfile(a["path"], dtype=numpy.int32)).view(-1, 2).T.long()
    ends = ends[:, ends[0] != ends[1]]
    ends = torch.cat([ends, ends.flip(0)], 1)
    s = torch.sparse_coo_tensor(ends, torch.ones(ends.shape[1]), (a["nodes"],) * 2).coalesce()
    del ends
    degrees = torch.zeros(a["nodes"]).index_add_(0, s.indices()[0], torch.ones(s._nnz()))
    root = degrees.clamp(min=1).rsqrt()
    rows, columns = s.indices()
    s.values().copy_(root[rows] * root[columns])
    return s.to_sparse_csr(), degrees


def seq_moment(f, g):
    m = torch.tril(f.T @ g.detach(), -1) + torch.triu(f.detach().T @ g, 1) + torch.diag((f * g).sum(0))
    return m / f.shape[0]


def training(a):
    """Returns a step. The first end of an entry is found by bisection in the offsets of the rows."""
    torch.manual_seed(0)
    s, degrees = opened["graph"]
    offsets, neighbours = s.crow_indices(), s.col_indices()
    weights = (len(neighbours) / (degrees > 0).sum() / degrees).sqrt().unsqueeze(1)
    features = torch.rand(a["nodes"], a["features"])
    widths = [a["features"]] + [a["width"]] * 3 + [a["columns"]]
    layers = []
    for i, o in zip(widths[:-1], widths[1:]):
        layers += [nn.Linear(i, o), nn.ReLU()]
    network = nn.Sequential(*layers[:-1])
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, fused=True)

    def step():
        entry = torch.randint(0, len(neighbours), (a["batch"],))
        u, v = torch.searchsorted(offsets, entry, right=True) - 1, neighbours[entry]
        x, y = network(features[u]) * weights[u], network(features[v]) * weights[v]
        f, tf = torch.cat([x, y]), torch.cat([y, x]) + torch.cat([x, y])
        m, mt = seq_moment(f, f), seq_moment(f, tf)
        loss = -2 * torch.trace(mt) + (m * mt).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def answer(a, steps):
    if a["work"] == "open":
        return open_timed(a, normalised, torch.__version__)
    with torch.set_grad_enabled(a["work"] == "step"):
        if a["work"] == "product":
            if "table" not in opened:
                opened["table"] = torch.rand(a["nodes"], a["columns"])
            work = lambda: opened["graph"][0] @ opened["table"]
        else:
            if "step" not in opened:
                opened["step"] = training(a)
            work = opened["step"]
        return timed(work, steps, torch.__version__)


serve(answer)
