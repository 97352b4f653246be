"""Steps of SGD, LARS and their schedules in PyTorch, for the Go test TestParityPyTorch of package optim.

SGD and the schedules are torch.optim's own. LARS is written here from its equations: PyTorch has none.
Reads one JSON document from standard input, {"cases": [{"optimiser", "params", "grads"}]} with the JSON of the package's
SGD or LARS and arrays as {"dims", "data"} in float64 whose first axis counts the runs; params is one list, grads one
list for each step. Writes {"results": [[params after each step]]}.
"""

import json
import sys
import warnings

import torch
from torch.optim import lr_scheduler


class LARS(torch.optim.Optimizer):
    """Local rates, followed by torch.optim.SGD with momentum."""

    def __init__(self, params, settings):
        super().__init__(params, {"lr": settings["learning_rate"]})
        self.sgd = torch.optim.SGD(self.param_groups, settings["learning_rate"], settings["momentum"])
        self.decay, self.trust, self.clipped = settings["weight_decay"], settings["trust"], not settings["unclipped"]

    @torch.no_grad()
    def step(self):
        (group,) = self.param_groups
        self.sgd.param_groups[0]["lr"] = group["lr"]
        for x in group["params"]:
            size, slope = x.norm().item(), x.grad.norm().item()
            if x.ndim < 2 or not size or not slope:
                continue
            local = self.trust * size / (slope + self.decay * size + 1e-8)
            if self.clipped:
                local = local / group["lr"] if local < group["lr"] else 1
            x.grad = local * (x.grad + self.decay * x)
        self.sgd.step()


def schedule(optimiser, s):
    warmup, end = s["warmup"], s["steps"]
    if s["decay"] == "tenths":
        return lr_scheduler.MultiStepLR(optimiser, s["milestones"])
    if s["decay"] == "cosine" and not warmup:
        return lr_scheduler.CosineAnnealingLR(optimiser, end)
    if s["decay"] == "cosine":
        rise = lr_scheduler.LinearLR(optimiser, start_factor=s["warmup_from"], total_iters=warmup - 1)
        fall = lr_scheduler.CosineAnnealingLR(optimiser, end - warmup)
        return lr_scheduler.SequentialLR(optimiser, [rise, fall], milestones=[warmup])
    return lr_scheduler.ConstantLR(optimiser, factor=1)


def tensors(arrays):
    return [torch.tensor(a["data"], dtype=torch.float64).reshape(a["dims"]) for a in arrays]


def trained(case, run):
    """The parameters of one run after each step."""
    params = [x[run].clone().requires_grad_() for x in tensors(case["params"])]
    o = case["optimiser"]
    if "trust" in o:
        optimiser = LARS(params, o)
    else:
        optimiser = torch.optim.SGD(params, o["learning_rate"], o["momentum"], weight_decay=o["weight_decay"])
    rates = schedule(optimiser, o["schedule"])
    after = []
    for grads in case["grads"]:
        for x, g in zip(params, tensors(grads)):
            x.grad = g[run].clone()
        optimiser.step()
        rates.step()
        after.append([x.detach().clone() for x in params])
    return after


def together(case):
    runs = [trained(case, r) for r in range(case["params"][0]["dims"][0])]
    return [[array(torch.stack(same)) for same in zip(*step)] for step in zip(*runs)]


def array(x):
    return {"dims": list(x.shape), "data": x.flatten().tolist()}


warnings.filterwarnings("ignore", message=".*epoch parameter.*")
cases = json.load(sys.stdin)["cases"]
json.dump({"torch": torch.__version__, "results": [together(case) for case in cases]}, sys.stdout)
