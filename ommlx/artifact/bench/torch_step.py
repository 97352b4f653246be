"""The training step of the benchmark in PyTorch.

The question is {"batch", "width", "rows"}; see step.go.
"""

K, DEPTH = 11, 3


def make(q):
    torch.manual_seed(0)
    rows, size = q["rows"], (2, q["batch"])
    table = torch.rand(rows, 2)

    def batch(network):
        index = torch.randint(0, rows, size)
        f = network(table[index[0]])
        return f, network(table[index[1]]) + f

    return omm_step([2] + [q["width"]] * DEPTH + [K], batch)


serve_steps(make, torch.__version__)
