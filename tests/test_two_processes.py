"""JAX's multi-controller runtime: two processes with four devices each compute one program on one global array."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
from numpy.testing import assert_allclose

# What all processes have in common, this one included.
LOSS = """
import jax, jax.numpy as jnp, numpy as np
import jaxscipy_ext as jse

def loss(order, x):
    return jnp.mean((jse.jv(order, x) - jse.airy(-x).ai) ** 2)

X = np.linspace(0.1, 9.0, 64)
"""

PROGRAM = """
import json, re, sys
import jax
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_cpu_collectives_implementation", "gloo")
jax.distributed.initialize(sys.argv[1], num_processes=2, process_id=int(sys.argv[2]), initialization_timeout=60)
assert (jax.device_count(), jax.local_device_count()) == (8, 4)
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
from jaxscipy_ext.runtime import config, native
native_path = native.status().available and config.backend != "callback"
results = []
for kind in (AxisType.Auto, AxisType.Explicit):
    mesh = jax.make_mesh((8,), ("x",), axis_types=(kind,))
    split, whole = NamedSharding(mesh, P("x")), NamedSharding(mesh, P())
    with jax.set_mesh(mesh):
        x = jax.make_array_from_callback(X.shape, split, lambda index: X[index])
        program = jax.jit(jax.value_and_grad(loss, 1))
        # One program at a time: JAX 0.10 can hang where several with collectives wait for the same threads.
        value, in_x = jax.block_until_ready(program(0.5, x))
        in_order = jax.block_until_ready(jax.jit(jax.grad(loss))(0.5, x))
        if native_path:
            assert in_x.sharding.is_equivalent_to(split, 1) and len(in_x.addressable_shards) == 4
            text = program.lower(0.5, x).compile().as_text()
            assert re.findall("(all-[a-z]+|permute|reduce-scatter)[(]", text) == ["all-reduce"], text  # of the mean
        in_x = jax.jit(lambda g: g, out_shardings=whole)(in_x)
        results.append([float(value), float(in_order), np.asarray(in_x).tolist()])
print(json.dumps(results))
jax.distributed.shutdown()
"""


def run_two_processes() -> list[Any]:
    """What both processes print. No process outlives the test, whatever happens in it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        coordinator = f"127.0.0.1:{probe.getsockname()[1]}"
    environment = os.environ | {"XLA_FLAGS": "--xla_force_host_platform_device_count=4", "JAX_PLATFORMS": "cpu"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", LOSS + PROGRAM, coordinator, str(process)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for process in range(2)
    ]
    try:
        outputs = [process.communicate(timeout=200) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert [process.returncode for process in processes] == [0, 0], "\n".join(errors[-3000:] for _, errors in outputs)
    return [json.loads(text.splitlines()[-1]) for text, _ in outputs]


def test_two_processes_equal_one() -> None:
    names: dict[str, Any] = {}
    exec(LOSS, names)  # noqa: S102
    value, (in_order, in_x) = jax.value_and_grad(names["loss"], (0, 1))(0.5, jnp.asarray(names["X"]))
    first, second = run_two_processes()
    assert first == second
    for got in first:  # with Auto and with Explicit axes
        assert_allclose(got[0], value, rtol=1e-14)
        assert_allclose(got[1], in_order, rtol=1e-13)
        assert_allclose(got[2], in_x, rtol=1e-13, atol=1e-17)
