"""OMM-seq on T + I in PyTorch, eager, as published code computes it: torch_step.py and torch_scale.py follow."""

import torch
from torch import nn


def seq_moment(f, g):
    m = torch.tril(f.T @ g.detach(), -1) + torch.triu(f.detach().T @ g, 1) + torch.diag((f * g).sum(0))
    return m / f.shape[0]


def omm_step(widths, batch):
    """Returns a training step of a network with these widths. batch(network) returns f and (T + I)f."""
    layers = []
    for i, o in zip(widths[:-1], widths[1:]):
        layers += [nn.Linear(i, o), nn.ReLU()]
    network = nn.Sequential(*layers[:-1])
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, fused=True)

    def step():
        f, tf = batch(network)
        m, mt = seq_moment(f, f), seq_moment(f, tf)
        loss = -2 * torch.trace(mt) + (m * mt).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step
