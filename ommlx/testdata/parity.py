"""The objectives of ommlx once more, in PyTorch and from the equations, for the Go test TestParityPyTorch.

Written for clearness, not for speed: nesting is a loop over prefixes, stop-gradients are .detach() on single functions.
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


def seq_moment(f, g):
    k = f.shape[1]
    rows = []
    for i in range(k):
        row = []
        for j in range(k):
            u, v = f[:, i], g[:, j]
            if i > j:
                v = v.detach()
            elif i < j:
                u = u.detach()
            row.append(mean_product(u, v))
        rows.append(torch.stack(row))
    return torch.stack(rows)


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


def penalised(case, f, tf, c1):
    """OMM with kappa |M[f] - I|^2, without its constant."""

    def penalty(f):
        m = moment(f, f)
        return case["kappa"] * ((m - torch.eye(f.shape[1], dtype=torch.float64)).square().sum() - f.shape[1])

    def operator(f, tf, c1):
        mt = moment(f, tf)
        return -2 * torch.trace(mt) + (mt * moment(c1, c1)).sum()

    nest, alpha = NESTINGS[case["nesting"]], case["alpha"]
    if case["penalty"] == "nested":
        return nest(lambda f, tf, c1: operator(f, tf, c1) + penalty(f), alpha, f, tf, c1)
    return nest(operator, alpha, f, tf, c1) + stopped(penalty, [1] * f.shape[1], f.flip(1))


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


def joint_mask(alpha):
    k = len(alpha)
    m = [sum(alpha[i:]) for i in range(k)]
    return torch.tensor([[m[max(i, j)] for j in range(k)] for i in range(k)], dtype=torch.float64)


def joint_pseudocode(case, f, tf):
    """The appendix's code: the operator term is averaged over modes."""
    mask, m, mt = joint_mask(case["alpha"]), moment(f, f), moment(f, tf)
    return -2 * (torch.diag(torch.diag(mask)) * mt).mean(0).sum() + (mask * mt * m).sum()


def joint_equation(case, f, tf):
    """The equation of section 2.3.1 read literally: tr(P o (-2 M[f,Tf] + M[f] M[f,Tf]))."""
    mt = moment(f, tf)
    return torch.trace(joint_mask(case["alpha"]) * (-2 * mt + moment(f, f) @ mt))


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


def sanger_detached(case, f, tf):
    mt = moment(f, tf).detach()
    return -2 * torch.trace(mt) + (mt * seq_moment(f, f)).sum()


def sanger_both(case, f, tf):
    mt = moment(f, tf)
    return -2 * torch.trace(mt) + torch.trace(seq_moment(f, f) @ mt.detach())


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
        dual_rate = case["dual_rate"] * (barrier if case["barrier_for_duals"] else 1.0)
        duals_next = torch.clip(duals + dual_rate * e, -case["max_dual"], case["max_dual"])
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


def neural_eigenmaps(case, f, tf):
    """Each normalised function for itself, charged for what it shares with those before it, which stand still."""
    norm = (f * f).mean(0).sqrt()
    g, tg = f / norm, tf / norm
    s, loss = case["scale"], 0
    for i in range(f.shape[1]):
        loss = loss - mean_product(g[:, i], tg[:, i])
        for j in range(i):
            still = (tf[:, j] / norm[j]).detach()
            loss = loss + case["strength"] * s * mean_product(g[:, i], still) ** 2
    return 2 * s / f.shape[1] * loss


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


def simclr(case, f1, f2):
    """NT-Xent: -log of the softmax of each view's partner among all views but itself."""
    z = torch.cat([f1, f2])
    z = z / (z * z).sum(1, keepdim=True).sqrt()
    n = z.shape[0]
    loss = 0
    for i in range(n):
        others = [l for l in range(n) if l != i]
        partner = others.index((i + n // 2) % n)
        loss = loss - torch.log_softmax(z[others] @ z[i] / case["temperature"], 0)[partner] / n
    return loss


LOSSES = {
    "omm": omm,
    "lora": lora,
    "joint_pseudocode": joint_pseudocode,
    "joint_equation": joint_equation,
    "neuralef": neuralef,
    "neural_eigenmaps": neural_eigenmaps,
    "sanger": sanger,
    "sanger_detached": sanger_detached,
    "sanger_both": sanger_both,
}


def features(case, x):
    """Each row with the norm that the case asks for."""
    if case["norm"] == "norm free":
        return x
    x = x / (x * x).sum(1, keepdim=True).sqrt()
    return x * math.sqrt(x.shape[1]) if case["norm"] == "norm √k" else x


def on_views(case, f1, f2):
    """Every image is two samples, with the features of the other view for Tf."""
    if case["id"] == "simclr":
        return simclr(case, f1, f2)
    f1, f2 = features(case, f1), features(case, f2)
    return LOSSES[case["id"]](case, torch.cat([f1, f2]), torch.cat([f2, f1]))


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
    elif case["id"] == "penalised":
        loss, following = penalised(case, f, tf, c1), []
    elif case["id"].endswith("_differences"):
        loss, following = differences(case, f, tf, c1, c2), []
    elif case["views"]:
        loss, following = on_views(case, f, tf), []
    else:
        loss, following = LOSSES[case["id"]](case, f, shifted), []
    loss.backward()
    gradients = [torch.zeros_like(x) if x.grad is None else x.grad for x in (f, tf, c1, c2)]
    return [array(x) for x in [loss, *gradients, *following]]


if __name__ == "__main__":
    torch.set_num_threads(1)
    request = json.load(sys.stdin)
    json.dump({"torch": torch.__version__, "results": [evaluate(case) for case in request["cases"]]}, sys.stdout)
