"""The training step on a graph in PyTorch, eager: sampled edges, residual MLP and projector at both ends, OMM, LARS.

It is told {"nodes", "degree", "features", "batch", "width", "layers", "hidden", "out", "rate"}; with "check" it evaluates
one step in float64 instead; see graph.go.
"""

import torch
from torch import nn

TRUST, MOMENTUM = 1e-3, 0.9


class Layer(nn.Sequential):
    def __init__(self, i, o, bias=False):
        super().__init__(nn.Linear(i, o, bias=bias), nn.BatchNorm1d(o))


class Network(nn.Module):
    def __init__(self, q):
        super().__init__()
        width = q["width"]
        self.first = Layer(q["features"], width)
        self.blocks = nn.ModuleList(
            nn.ModuleList([Layer(width, width), Layer(width, width)]) for _ in range((q["layers"] - 1) // 2)
        )
        self.hidden, self.last = Layer(width, q["hidden"], bias=True), nn.Linear(q["hidden"], q["out"])

    def forward(self, x):
        h = torch.relu(self.first(x))
        for inner, outer in self.blocks:
            h = torch.relu(outer(torch.relu(inner(h))) + h)
        return self.last(torch.relu(self.hidden(h)))


class LARS:
    """Unclipped, without weight decay; biases and normalisations take plain momentum steps."""

    def __init__(self, params, rate):
        self.params, self.rate = list(params), rate
        self.moments = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self):
        grads = [p.grad for p in self.params]
        large = [i for i, p in enumerate(self.params) if p.ndim > 1]
        adapted = [grads[i] for i in large]
        sizes = torch._foreach_norm([self.params[i] for i in large])
        for g, size, slope in zip(adapted, sizes, torch._foreach_norm(adapted)):
            g.mul_(torch.where((size > 0) & (slope > 0), TRUST * size / (slope + 1e-8), 1.0))
        torch._foreach_mul_(self.moments, MOMENTUM)
        torch._foreach_add_(self.moments, grads)
        torch._foreach_add_(self.params, self.moments, alpha=-self.rate)


def loss_of(network, table, rows, columns, root, entries):
    """root is the square root of the mean degree over the degree of each node."""
    i, j = rows[entries], columns[entries]
    f = network(table[i]) * root[i].unsqueeze(1)
    g = network(table[j]) * root[j].unsqueeze(1)
    f, tf = torch.cat([f, g]), torch.cat([g, f])
    tf = tf + f
    m, mt = f.T @ f / len(f), f.T @ tf / len(f)
    return -2 * torch.trace(mt) + (m * mt.T).sum()


def roots(rows, nodes, dtype):
    degrees = torch.bincount(rows, minlength=nodes)
    return (len(rows) / nodes / degrees.clamp(min=1)).sqrt().to(dtype)


def make(q):
    torch.manual_seed(0)
    network = Network(q)
    optimizer = LARS(network.parameters(), q["rate"])
    table = torch.randn(q["nodes"], q["features"])
    ends = torch.randint(0, q["nodes"], (2, q["nodes"] * q["degree"] // 2))
    rows, columns = torch.cat([ends[0], ends[1]]), torch.cat([ends[1], ends[0]])
    root = roots(rows, q["nodes"], table.dtype)

    def step():
        entries = torch.randint(0, len(rows), (q["batch"],))
        loss = loss_of(network, table, rows, columns, root, entries)
        network.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def check(q):
    c = q["check"]
    network = Network(q).double()
    with torch.no_grad():
        for p, flat in zip(network.parameters(), c["params"], strict=True):
            p.copy_(torch.tensor(flat).reshape(p.shape))
    table = torch.tensor(c["features"], dtype=torch.float64).reshape(q["nodes"], -1)
    rows, columns, entries = (torch.tensor(c[name]) for name in ("rows", "columns", "entries"))
    before = [p.detach().clone() for p in network.parameters()]
    loss = loss_of(network, table, rows, columns, roots(rows, q["nodes"], table.dtype), entries)
    loss.backward()
    gradients = [p.grad.flatten().tolist() for p in network.parameters()]
    LARS(network.parameters(), q["rate"]).step()
    moved = [(b - p).flatten().tolist() for b, p in zip(before, network.parameters())]
    return {"loss": loss.item(), "gradients": gradients, "moved": moved}


serve_steps(make, torch.__version__, check)
