"""Steps of SGD and its schedules in PyTorch, for the Go test TestParityPyTorch of package optim.

Reads one JSON document from standard input, {"cases": [{"optimiser", "params", "grads"}]} with the JSON of the package's
SGD and arrays as {"dims", "data"} in float64 whose first axis counts the runs; params is one list, grads one list for
each step. Writes {"results": [[params after each step]]}.
"""

import json
import sys
import warnings

import torch
from torch.optim import lr_scheduler


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
