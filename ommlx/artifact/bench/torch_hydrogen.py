"""The training step of a Schrödinger operator in PyTorch, with the Laplacian computed in three ways.

T = -factor * H with H = -Laplacian - 1/|x| in two dimensions, acting on psi = sqrt(rho) f for Gaussian samples of density
rho; k disjoint softplus networks on the same Fourier features. The question is the experiment and "way"; with "check" it
returns loss and gradients of every way in float64 at given parameters and points instead; see hydrogen.go.
"""

import torch
from torch.nn import functional as F

DIFFERENCE = 0.01  # of finite differences, a length


class Networks:
    """Parameters W [k, out, in] and b [k, out] of each layer in turn, frequencies [F, 2]."""

    def __init__(self, params, frequencies, sigma, factor):
        self.params, self.frequencies, self.sigma, self.factor = params, frequencies, sigma, factor
        self.layers = list(zip(params[::2], params[1::2]))

    def features(self, x):
        phase = x @ self.frequencies.T
        return torch.cat([phase.sin(), phase.cos()], -1)

    def functions(self, x):
        """f [k, B] at x [B, 2], the first layer one product, or at x [k, B, 2], with different points for each network."""
        (w, b), *others = self.layers
        if x.dim() == 2:
            h = F.linear(self.features(x), w.flatten(0, 1), b.flatten()).unflatten(1, b.shape).transpose(0, 1)
        else:
            h = torch.baddbmm(b.unsqueeze(1), self.features(x), w.transpose(1, 2))
        for w, b in others:
            h = torch.baddbmm(b.unsqueeze(1), F.softplus(h), w.transpose(1, 2))
        return h.squeeze(2)

    def root(self, x):
        return torch.exp(x.square().sum(-1) / (-4 * self.sigma**2))

    def operator(self, f, laplacian_psi, x):
        """Tf, the operator on psi = root * f divided by root."""
        return self.factor * (laplacian_psi / self.root(x) + f / x.norm(dim=-1))


def finite_differences(net, x, detach):
    f = net.functions(x)
    shifts = DIFFERENCE * torch.tensor([[1, 0], [-1, 0], [0, 1], [0, -1]], dtype=x.dtype)
    around = (x + shifts.unsqueeze(1)).flatten(0, 1)
    with torch.set_grad_enabled(not detach):
        psi = net.functions(around) * net.root(around)
        laplacian = (psi.unflatten(1, (4, -1)).sum(1) - 4 * f * net.root(x)) / DIFFERENCE**2
        return f, net.operator(f, laplacian, x)


def double_autograd(net, x, detach):
    points = x.expand(len(net.params[0]), *x.shape).clone().requires_grad_()
    f = net.functions(points)
    (slope,) = torch.autograd.grad((f * net.root(points)).sum(), points, create_graph=True)
    laplacian = 0
    for d in range(2):
        (second,) = torch.autograd.grad(slope[..., d].sum(), points, retain_graph=True, create_graph=not detach)
        laplacian = laplacian + second[..., d]
    return f, net.operator(f, laplacian, x)


class Softplus(torch.autograd.Function):
    """softplus(u) and its derivative."""

    @staticmethod
    def forward(ctx, u):
        s = u.sigmoid()
        ctx.save_for_backward(s)
        ctx.mark_non_differentiable(s)
        return F.softplus(u), s

    @staticmethod
    def backward(ctx, grad, _):
        return grad * ctx.saved_tensors[0]


class SoftplusStreams(torch.autograd.Function):
    """softplus for u [k, w, 4, B], value, two derivatives and Laplacian, the bias b [k, w] added to the value."""

    @staticmethod
    def forward(ctx, u, b):
        value = u[:, :, 0] + b.unsqueeze(2)
        s = value.sigmoid()
        t = s * (1 - s)
        squares = u[:, :, 1].square().addcmul_(u[:, :, 2], u[:, :, 2])
        out = u * s.unsqueeze(2)
        out[:, :, 0] = F.softplus(value)
        out[:, :, 3].addcmul_(t, squares)
        ctx.save_for_backward(u, s, t, squares)
        return out

    @staticmethod
    def backward(ctx, grad):
        u, s, t, squares = ctx.saved_tensors
        out = grad * s.unsqueeze(2)
        bend = grad[:, :, 3] * squares * (1 - 2 * s)
        for d in (1, 2, 3):
            bend.addcmul_(grad[:, :, d], u[:, :, d])
        out[:, :, 0].addcmul_(t, bend)
        out[:, :, 1:3].addcmul_((grad[:, :, 3] * t).unsqueeze(2), u[:, :, 1:3], value=2)
        return out, out[:, :, 0].sum(2)


def stacked_features(net, x):
    """Value, two derivatives and Laplacian of the features, [2F, 4, B]."""
    w, phase = net.frequencies, net.frequencies @ x.T
    n = len(w)
    out = torch.empty(2 * n, 4, len(x), dtype=x.dtype)
    sin, cos = out[:n, 0], out[n:, 0]
    torch.sin(phase, out=sin)
    torch.cos(phase, out=cos)
    for d in range(2):
        torch.mul(cos, w[:, d : d + 1], out=out[:n, 1 + d])
        torch.mul(sin, -w[:, d : d + 1], out=out[n:, 1 + d])
    torch.mul(out[:, 0], -w.square().sum(1).repeat(2).unsqueeze(1), out=out[:, 3])
    return out


def forward_laplacian(net, x, detach):
    """All streams in one product per layer, the points side by side in memory. Where no gradient goes through T, the
    derivatives stay outside of autograd, and share no product with the value."""
    streams = stacked_features(net, x)
    (w, b), *others = net.layers
    k, width = b.shape

    def first(streams):
        return (w.flatten(0, 1) @ streams.flatten(1)).view(k, width, -1, len(x))

    def layer(w, h):
        return torch.bmm(w, h.flatten(2)).unflatten(2, (-1, len(x)))

    if detach:
        value = torch.addmm(b.view(-1, 1), w.flatten(0, 1), streams[:, 0]).view(k, width, -1)
        with torch.no_grad():
            rest = first(streams[:, 1:])
        for w, b in others:
            value, s = Softplus.apply(value)
            value = torch.baddbmm(b.unsqueeze(2), w, value)
            with torch.no_grad():
                bend = rest[:, :, 0].square().addcmul_(rest[:, :, 1], rest[:, :, 1]).mul_(s * (1 - s))
                rest.mul_(s.unsqueeze(2))
                rest[:, :, 2].add_(bend)
                rest = layer(w, rest)
        f, dx, dy, laplacian = value.squeeze(1), *rest.squeeze(1).unbind(1)
    else:
        h = first(streams)
        for w, after in others:
            h, b = layer(w, SoftplusStreams.apply(h, b)), after
        f, dx, dy, laplacian = h.squeeze(1).unbind(1)
        f = f + b
    with torch.set_grad_enabled(not detach):  # Laplacian of root * f over root
        v = 2 * net.sigma**2
        curvature = x.square().sum(1) / v**2 - 2 / v
        return f, net.operator(f, (laplacian - (x[:, 0] * dx + x[:, 1] * dy) * 2 / v + curvature * f) * net.root(x), x)


def moment(f, g):
    return f @ g.T / f.shape[1]


def seq_moment(f, g):
    lower, upper = moment(f, g.detach()), moment(f.detach(), g)
    return torch.tril(lower, -1) + torch.triu(upper, 1) + torch.diag((f * g).mean(1))


def sanger(f, tf):
    upper = moment(f.detach(), tf.detach()).triu()
    return -2 * (f * tf.detach()).mean(1).sum() + (seq_moment(f, f) * (upper + upper.triu(1).T)).sum()


def lora_seq(f, tf):
    return -2 * (f * tf).mean(1).sum() + seq_moment(f, f).square().sum()


WAYS = {"differences": finite_differences, "autograd": double_autograd, "forward": forward_laplacian}
METHODS = {"sanger": (sanger, True), "lora_seq": (lora_seq, False)}  # and whether T f is a constant in them


def loss_of(net, x, way, method):
    objective, detach = METHODS[method]
    return objective(*WAYS[way](net, x, detach))


def shapes(q):
    """Those of W and b of each layer in turn."""
    widths = [2 * q["frequencies"], *q["hidden"], 1]
    return [d for i, o in zip(widths[:-1], widths[1:]) for d in ((q["k"], o, i), (q["k"], o))]


def make(q):
    torch.manual_seed(0)
    params = [torch.randn(d).mul_((2 / d[2]) ** 0.5) if len(d) == 3 else torch.zeros(d) for d in shapes(q)]
    params = [p.requires_grad_() for p in params]
    frequencies = torch.randn(q["frequencies"], 2) * (2 * torch.pi * q["scales"][0])
    net = Networks(params, frequencies, q["sigma"], q["scale"])
    optimizer = torch.optim.Adam(params, lr=1e-4, fused=True)

    def step():
        x = torch.randn(q["batch"], 2).mul_(q["sigma"])
        loss = loss_of(net, x, q["way"], q["method"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def check(q):
    c = q["check"]
    array = lambda flat, *dims: torch.tensor(flat, dtype=torch.float64).reshape(dims)
    answers = {}
    for way in WAYS:
        params = [array(p, *d).requires_grad_() for p, d in zip(c["params"], shapes(q))]
        net = Networks(params, array(c["frequencies"], -1, 2), q["sigma"], q["scale"])
        loss = loss_of(net, array(c["points"], -1, 2), way, q["method"])
        loss.backward()
        answers[way] = {"loss": loss.item(), "gradients": [p.grad.flatten().tolist() for p in params]}
    return {"answers": answers}


serve_steps(make, torch.__version__, check)
