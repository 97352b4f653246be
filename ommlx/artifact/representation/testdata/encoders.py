# The networks with running statistics once more, in PyTorch, for the Go test TestParityOfStatefulNetworks, which puts the
# class ResNet18 of torchcode/resnet.py before this text.
#
# Reads {"network", "params", "state", "x"} with arrays as {"dims", "data"} and one leading axis of a single run from
# standard input; writes {"results"}: the outputs in training, the outputs by the next running statistics, those
# statistics, and the gradients of the sum of squares of the first.
import json
import sys

torch.set_default_dtype(torch.float64)


def projector(inputs, hidden, layers, outputs):
    widths, list = [inputs] + [hidden] * layers, []
    for i in range(layers):
        list += [nn.Linear(widths[i], hidden), nn.BatchNorm1d(hidden), nn.ReLU()]
    return nn.Sequential(*list, nn.Linear(hidden, outputs))


class Residual(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        norm = nn.BatchNorm1d
        self.layers = nn.Sequential(
            nn.Linear(inputs, width, bias=False), norm(width), nn.ReLU(), nn.Linear(width, width, bias=False), norm(width))

    def forward(self, x):
        return torch.relu(self.layers(x) + x)


def residual_mlp(inputs, width, layers):
    first = [nn.Linear(inputs, width, bias=False), nn.BatchNorm1d(width), nn.ReLU()]
    return nn.Sequential(*first, *[Residual(width, width) for _ in range((layers - 1) // 2)])


def read(array):
    return torch.tensor(array["data"]).reshape(array["dims"])[0]


def write(tensor):
    tensor = tensor.detach().unsqueeze(0)
    return {"dims": list(tensor.shape), "data": tensor.reshape(-1).tolist()}


case = json.load(sys.stdin)
x, given, statistics = read(case["x"]), [read(p) for p in case["params"]], [read(s) for s in case["state"]]
if case["network"] == "resnet18":
    network = ResNet18(x.shape[-1], given[0].shape[-1])
elif case["network"] == "residual":
    network = residual_mlp(x.shape[-1], given[0].shape[0], len(given) // 3)
else:
    network = projector(x.shape[-1], given[0].shape[0], (len(given) - 2) // 4, given[-1].shape[0])
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
