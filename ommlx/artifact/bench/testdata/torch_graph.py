"""A training step on a graph in PyTorch and float64: given edges, residual MLP and projector at both ends, OMM, LARS.

The question is {"graph", "width", "layers", "hidden", "out", "rate", "check"}; see graph_test.go.
"""

import pathlib

import torch
from torch import nn

TRUST, MOMENTUM = 1e-3, 0.9


class Layer(nn.Sequential):
    def __init__(self, i, o, bias=False):
        super().__init__(nn.Linear(i, o, bias=bias), nn.BatchNorm1d(o))


class Network(nn.Module):
    def __init__(self, q, features):
        super().__init__()
        width = q["width"]
        self.first = Layer(features, width)
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


def load(folder, dtype):
    """Features, ends of all edges in both directions, and for each node the root of the mean degree over its own."""

    def array(name, dtype):
        return torch.frombuffer(bytearray(pathlib.Path(folder, name).read_bytes()), dtype=dtype)

    degrees, columns = array("offsets.u64", torch.int64).diff(), array("neighbours.u32", torch.int32).long()
    table = array("features.f32", torch.float32).view(len(degrees), -1).to(dtype)
    mean = len(columns) / (degrees > 0).sum().item()
    root = (mean / degrees.clamp(min=1).to(dtype)).sqrt()
    return table, torch.repeat_interleave(degrees), columns, root


def loss_of(network, graph, entries):
    table, rows, columns, root = graph
    i, j = rows[entries], columns[entries]
    f = network(table[i]) * root[i].unsqueeze(1)
    g = network(table[j]) * root[j].unsqueeze(1)
    f, tf = torch.cat([f, g]), torch.cat([g, f])
    tf = tf + f
    m, mt = f.T @ f / len(f), f.T @ tf / len(f)
    return -2 * torch.trace(mt) + (m * mt.T).sum()


def check(q):
    graph = load(q["graph"], torch.float64)
    network = Network(q, graph[0].shape[1]).double()
    with torch.no_grad():
        for p, flat in zip(network.parameters(), q["check"]["params"], strict=True):
            p.copy_(torch.tensor(flat).reshape(p.shape))
    before = [p.detach().clone() for p in network.parameters()]
    loss = loss_of(network, graph, torch.tensor(q["check"]["entries"]))
    loss.backward()
    gradients = [p.grad.flatten().tolist() for p in network.parameters()]
    LARS(network.parameters(), q["rate"]).step()
    moved = [(b - p).flatten().tolist() for b, p in zip(before, network.parameters())]
    return {"loss": loss.item(), "gradients": gradients, "moved": moved}


serve_steps(None, torch.__version__, check)
