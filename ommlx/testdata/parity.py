"""The objectives of ommlx in PyTorch, written from the equations, for the Go test TestParityPyTorch.

Nesting is a loop over prefixes, stop-gradients are .detach() on single functions.
Reads one JSON document from standard input, {"cases": [{"id", "f", "tf", "c1", "c2", "state", ...settings}]} with
arrays as {"dims", "data"} in float64, and writes {"results": [[loss, df, dtf, dc1, dc2, *next_state]]}.
"""

import json
import math
import sys

import torch


def mean_product(u, v):
    """<u, v> for the values of two functions on one batch."""
    return (u * v).mean()


def moment(f, g):
    return f.T @ g / f.shape[0]


def omm_of_order(p, f, tf):
    m, mt = moment(f, f), moment(f, tf)
    series = sum((-1) ** j * math.comb(2 * p, j) * torch.linalg.matrix_power(m, j - 1) for j in range(1, 2 * p + 1))
    return torch.trace(series @ mt)


def nested(loss, alpha, *parts):
    return sum(a * loss(*(x[:, :i] for x in parts)) for i, a in enumerate(alpha, start=1))


def stopped(loss, alpha, *parts):
    """Sequential nesting: the loss of every prefix with all functions but its last detached. What a prefix adds to the one
    before it is counted with the weight, so that the value is that of the last prefix where all weights are 1."""
    total = 0
    for i, a in enumerate(alpha, start=1):
        now = loss(*(torch.cat([x[:, : i - 1].detach(), x[:, i - 1 : i]], 1) for x in parts))
        total = total + a * (now - (loss(*(x[:, : i - 1].detach() for x in parts)) if i > 1 else 0))
    return total


NESTINGS = {"": lambda loss, alpha, *parts: loss(*parts), "jnt": nested, "seq": stopped}


def differences(case, f, tf, c1, c2):
    """The operator P + kappa I of pairs by M[f] - D[f], with M[f] from two batches."""

    def parts(f, tf, c1, c2):
        d = f - tf
        return moment(c1, c1), moment(c2, c2), moment(d, d) / 2

    def omm(*x):
        a, b, d = parts(*x)
        identity = -torch.trace(a + b) + torch.trace(a @ b)
        return (1 + case["kappa"]) * identity + 2 * torch.trace(d) - torch.trace((a + b) @ d) / 2

    def lora(*x):
        a, b, d = parts(*x)
        return -(1 + case["kappa"]) * torch.trace(a + b) + 2 * torch.trace(d) + torch.trace(a @ b)

    loss = omm if case["id"] == "omm_differences" else lora
    return NESTINGS[case["nesting"]](loss, case["alpha"], f, tf, c1, c2)


def omm(case, f, tf):
    def mixture(f, tf):
        return sum(w * omm_of_order(p, f, tf) for p, w in enumerate(case["orders"], start=1) if w)

    if case["nesting"] == "":
        return mixture(f, tf)
    if case["nesting"] == "jnt":
        return nested(mixture, case["alpha"], f, tf)
    return stopped(mixture, case["alpha"], f, tf)


def lora(case, f, tf):
    def plain(f, tf):
        m = moment(f, f)
        return -2 * torch.trace(moment(f, tf)) + torch.trace(m @ m)

    if case["nesting"] == "":
        return plain(f, tf)
    if case["nesting"] == "jnt":
        return nested(plain, case["alpha"], f, tf)
    return stopped(plain, case["alpha"], f, tf)


def sanger(case, f, tf):
    """Sanger's rule as a gradient: -2 <f_i, sg Tf_i> + 2 sum_{j<=i} <f_i, sg f_j> sg <f_j, Tf_i>, and the value of OMM-1
    with the upper triangle of M[f,Tf] on both sides."""
    k = f.shape[1]
    loss = 0
    for i in range(k):
        loss = loss - 2 * mean_product(f[:, i], tf[:, i].detach())
        for j in range(i + 1):
            term = 2 * mean_product(f[:, i], f[:, j].detach()) * mean_product(f[:, j], tf[:, i]).detach()
            loss = loss + term - (0.5 * term.detach() if i == j else 0)
    return loss


def allo(case, f, tf, c1, c2, state):
    duals, barrier, q = (x.clone() for x in state)
    k = f.shape[1]
    eye = torch.eye(k, dtype=torch.float64)
    e1 = torch.tril(moment(c1, c1.detach()) - eye)
    e2 = torch.tril(moment(c2, c2.detach()) - eye)
    e = (e1 + e2) / 2
    if case["graph"] == "sampled":
        graph = ((f - tf) ** 2).mean(0).sum()
    elif case["graph"] == "products":
        graph = torch.trace(moment(c1, c1) + moment(c2, c2) - 2 * moment(f, tf))
    else:
        graph = 2 * sum(mean_product(f[:, i], f[:, i] - tf[:, i]) for i in range(k))
    loss = graph + (duals * e).sum() + barrier * (e1 * e2).sum()
    with torch.no_grad():
        quadratic = e1 * e2
        rate = 1.0 if torch.linalg.norm(q) <= 1e-13 else case["error_rate"]
        q_next = q + rate * (quadratic - q)
        duals_next = torch.clip(duals + case["dual_rate"] * e, -case["max_dual"], case["max_dual"])
        growth = case["barrier_rate"] * torch.clip(q_next, min=0).mean()
        barrier_next = torch.clip(barrier + growth, 0, case["max_barrier"])
    return loss, [duals_next, barrier_next, q_next]


def neuralef(case, f, tf):
    """Each normalised function for itself, those before it standing still."""
    norm = (f * f).mean(0).sqrt()
    f, tf = f / norm, tf / norm
    loss = 0
    for i in range(f.shape[1]):
        loss = loss - mean_product(f[:, i], tf[:, i])
        for j in range(i):
            own = mean_product(f[:, j], tf[:, j]).detach()
            loss = loss + mean_product(f[:, i], tf[:, j].detach()) ** 2 / own
    return loss


def spin(case, f, tf, state):
    """Lambda_nn through the Cholesky factor, with all functions before the n-th detached; the value of Sigma is the moving
    average, its derivative that of the batch."""
    average = (1 - case["decay"]) * state[0] + case["decay"] * moment(f, f).detach()
    loss = 0
    for n in range(1, f.shape[1] + 1):
        u = torch.cat([f[:, : n - 1].detach(), f[:, n - 1 : n]], 1)
        tu = torch.cat([tf[:, : n - 1].detach(), tf[:, n - 1 : n]], 1)
        batch = moment(u, u)
        inverse = torch.linalg.inv(torch.linalg.cholesky(average[:n, :n] + batch - batch.detach()))
        loss = loss - (inverse @ moment(u, tu) @ inverse.T)[-1, -1]
    return loss, [average]


LOSSES = {
    "omm": omm,
    "lora": lora,
    "neuralef": neuralef,
    "sanger": sanger,
}


def tensor(a):
    # Go writes the empty list of dimensions of a scalar as null.
    return torch.tensor(a["data"], dtype=torch.float64).reshape(a["dims"] or [])


def array(x):
    return {"dims": list(x.shape), "data": x.detach().reshape(-1).tolist()}


def evaluate(case):
    f, tf, c1, c2 = (tensor(case[name]).requires_grad_() for name in ("f", "tf", "c1", "c2"))
    shifted = tf + case.get("kappa", 0.0) * f
    if case["id"] == "allo":
        loss, following = allo(case, f, shifted, c1, c2, [tensor(s) for s in case["state"]])
    elif case["id"] == "spin":
        loss, following = spin(case, f, shifted, [tensor(s) for s in case["state"]])
    elif case["id"].endswith("_differences"):
        loss, following = differences(case, f, tf, c1, c2), []
    else:
        loss, following = LOSSES[case["id"]](case, f, shifted), []
    loss.backward()
    gradients = [torch.zeros_like(x) if x.grad is None else x.grad for x in (f, tf, c1, c2)]
    return [array(x) for x in [loss, *gradients, *following]]


if __name__ == "__main__":
    torch.set_num_threads(1)
    request = json.load(sys.stdin)
    json.dump({"torch": torch.__version__, "results": [evaluate(case) for case in request["cases"]]}, sys.stdout)
