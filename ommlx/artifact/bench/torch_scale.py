"""Compressed rows of a graph from a list of its edges, products with its normalised adjacency, and training steps on
batches of edges, by PyTorch.

The question is a scaling; see scale.go.
"""

import numpy


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


def training(a):
    """Returns a step. The first end of an entry is found by bisection in the offsets of the rows."""
    torch.manual_seed(0)
    s, degrees = opened["graph"]
    offsets, neighbours = s.crow_indices(), s.col_indices()
    weights = (len(neighbours) / (degrees > 0).sum() / degrees).sqrt().unsqueeze(1)
    features = torch.rand(a["nodes"], a["features"])

    def batch(network):
        entry = torch.randint(0, len(neighbours), (a["batch"],))
        u, v = torch.searchsorted(offsets, entry, right=True) - 1, neighbours[entry]
        x, y = network(features[u]) * weights[u], network(features[v]) * weights[v]
        f = torch.cat([x, y])
        return f, torch.cat([y, x]) + f

    return omm_step([a["features"]] + [a["width"]] * 3 + [a["columns"]], batch)


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
