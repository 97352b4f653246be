"""ResNet-18 for small images and the projector once more, in PyTorch, for the Go test TestParityOfStatefulNetworks.

Reads {"network", "params", "state", "x"} with arrays as {"dims", "data"} and one leading axis of a single run from
standard input; writes {"results"}: the outputs in training, the outputs by the next running statistics, those
statistics, and the gradients of the sum of squares of the first.
"""

import json
import sys

try:
    import torch
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)  # tells the test to skip

from torch import nn

torch.set_default_dtype(torch.float64)


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Identity()
        if stride > 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + self.shortcut(x))


class ResNet18(nn.Module):
    def __init__(self, channels, width):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 3, 1, 2, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        stages = []
        for i in range(4):
            out = width * 2**i
            stages += [Block(out if i == 0 else out // 2, out, 1 if i == 0 else 2), Block(out, out, 1)]
        self.blocks = nn.Sequential(*stages)

    def forward(self, x):
        h = self.blocks(torch.relu(self.bn1(self.conv1(x.permute(0, 3, 1, 2)))))
        return h.mean((2, 3))


def projector(inputs, hidden, outputs):
    return nn.Sequential(
        nn.Linear(inputs, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
        nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, outputs))


def read(array):
    return torch.tensor(array["data"]).reshape(array["dims"])[0]


def write(tensor):
    tensor = tensor.detach().unsqueeze(0)
    return {"dims": list(tensor.shape), "data": tensor.reshape(-1).tolist()}


case = json.load(sys.stdin)
x, given, statistics = read(case["x"]), [read(p) for p in case["params"]], [read(s) for s in case["state"]]
if case["network"] == "resnet18":
    network = ResNet18(x.shape[-1], given[0].shape[-1])
else:
    network = projector(x.shape[-1], given[0].shape[0], given[-1].shape[0])
kernels = {name for name, p in network.named_parameters() if p.dim() == 4}
with torch.no_grad():
    for (name, p), value in zip(network.named_parameters(), given, strict=True):
        p.copy_(value.permute(3, 2, 0, 1) if name in kernels else value)
    running = [b for _, b in network.named_buffers() if b.dim() == 1]
    for b, value in zip(running, statistics, strict=True):
        b.copy_(value)
network.train()
y = network(x)
grads = torch.autograd.grad((y**2).sum(), list(network.parameters()))
grads = [g.permute(2, 3, 1, 0) if name in kernels else g for (name, _), g in zip(network.named_parameters(), grads)]
network.eval()
results = [y, network(x), *running, *grads]
json.dump({"results": [write(r.contiguous()) for r in results]}, sys.stdout)
