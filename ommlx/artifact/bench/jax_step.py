"""The training step of the benchmark in JAX: jit, one call per step, and scan, many steps per call.

The question is {"batch", "width", "rows", "scan", "axis"}; see step.go.
"""

import jax
import jax.numpy as jnp
from jax import lax

jax.config.update('jax_default_matmul_precision', 'highest')  # as ours: float32 without TF32, where a GPU has it

K, DEPTH, RATE, BETA1, BETA2, EPSILON = 11, 3, 1e-3, 0.9, 0.999, 1e-8


def network(params, x):
    for i, (weight, bias) in enumerate(params):
        x = x @ weight + bias
        if i < DEPTH:
            x = jax.nn.relu(x)
    return x


def seq_moment(f, g):
    stop = lax.stop_gradient
    m = jnp.tril(f.T @ stop(g), -1) + jnp.triu(stop(f).T @ g, 1) + jnp.diag((f * g).sum(0))
    return m / f.shape[0]


def loss(params, x, y):
    f = network(params, x)
    tf = network(params, y) + f
    m, mt = seq_moment(f, f), seq_moment(f, tf)
    return -2 * jnp.trace(mt) + (m * mt).sum()


def make(batch, width, rows, axis):
    objective = (lambda *args: jax.vmap(loss)(*args).sum()) if axis else loss
    shape = (lambda a: a[None]) if axis else (lambda a: a)

    def step(state, table):
        params, m, v, t, key = state
        key, sub = jax.random.split(key)
        index = jax.random.randint(sub, (2, batch), 0, rows)
        value, grads = jax.value_and_grad(objective)(params, shape(table[index[0]]), shape(table[index[1]]))
        t = t + 1
        tree = jax.tree_util.tree_map
        m = tree(lambda a, g: BETA1 * a + (1 - BETA1) * g, m, grads)
        v = tree(lambda a, g: BETA2 * a + (1 - BETA2) * g * g, v, grads)
        c1, c2 = 1 - BETA1**t, 1 - BETA2**t
        params = tree(lambda p, a, b: p - RATE * (a / c1) / (jnp.sqrt(b / c2) + EPSILON), params, m, v)
        return (params, m, v, t, key), value

    widths = [2] + [width] * DEPTH + [K]
    key, params = jax.random.PRNGKey(0), []
    for i, o in zip(widths[:-1], widths[1:]):
        key, sub = jax.random.split(key)
        params.append((shape(jax.random.normal(sub, (i, o)) / i**0.5), shape(jnp.zeros(o))))
    zeros = jax.tree_util.tree_map(jnp.zeros_like, params)
    state = (params, zeros, zeros, jnp.float32(0), key)
    return step, state, jax.random.uniform(jax.random.PRNGKey(1), (rows, 2))


def rounds(q):
    """Returns a function that takes a number of steps, in one call each or all in one call."""
    step, state, table = make(q["batch"], q["width"], q["rows"], q["axis"])
    one = jax.jit(step)
    scan = jax.jit(lambda s, x, steps: lax.scan(lambda s, _: step(s, x), s, None, length=steps)[0], static_argnums=2)
    jax.block_until_ready((state, table))

    def run(steps):
        nonlocal state
        if q["scan"]:
            state = scan(state, table, steps)
        else:
            for _ in range(steps):
                state, _ = one(state, table)
        jax.block_until_ready(state)

    return run


serve(lambda q, steps: timed(lambda: remembered(rounds, q)(steps), 1, jax.__version__))
