"""Runs the listing of the paper's appendix B.2 for the Go test TestParityListing.

Reads {"listing", "f", "tf"} as JSON from standard input, arrays as {"dims", "data"} in float64, and writes
{"torch", "results": {nesting: [loss, df, dtf]}}.
"""

import json
import sys

import numpy as np
import torch

request = json.load(sys.stdin)
names = {"np": np, "torch": torch}
exec(request["listing"], names)


def tensor(array):
    return torch.tensor(array["data"], dtype=torch.float64).reshape(array["dims"]).requires_grad_()


def array(x):
    return {"dims": list(x.shape), "data": x.detach().flatten().tolist()}


results = {}
for nesting in (None, "seq", "jnt", "sanger"):
    f, tf = tensor(request["f"]), tensor(request["tf"])
    loss = names["NestedOrbitalLoss"](nesting=nesting, n_modes=f.shape[-1])(f, tf)
    gradients = torch.autograd.grad(loss, (f, tf), allow_unused=True)
    results[nesting or ""] = [array(loss)] + [
        array(torch.zeros_like(x) if g is None else g) for g, x in zip(gradients, (f, tf))
    ]
json.dump({"torch": torch.__version__, "results": results}, sys.stdout)
