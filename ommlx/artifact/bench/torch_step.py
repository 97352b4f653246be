"""The training step of the benchmark in PyTorch, eager.

The question is {"batch", "width", "rows"}; see step.go.
"""

import torch
from torch import nn

K, DEPTH = 11, 3


def seq_moment(f, g):
    m = torch.tril(f.T @ g.detach(), -1) + torch.triu(f.detach().T @ g, 1) + torch.diag((f * g).sum(0))
    return m / f.shape[0]


def make(q):
    torch.manual_seed(0)
    batch, width, rows = q["batch"], q["width"], q["rows"]
    widths = [2] + [width] * DEPTH + [K]
    layers = []
    for i, o in zip(widths[:-1], widths[1:]):
        layers += [nn.Linear(i, o), nn.ReLU()]
    network = nn.Sequential(*layers[:-1])
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, fused=True)
    table = torch.rand(rows, 2)

    def step():
        index = torch.randint(0, rows, (2, batch))
        f = network(table[index[0]])
        tf = network(table[index[1]]) + f
        m, mt = seq_moment(f, f), seq_moment(f, tf)
        loss = -2 * torch.trace(mt) + (m * mt).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


serve_steps(make, torch.__version__)
