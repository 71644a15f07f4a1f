"""Threads, forked children, memory, and the end of the interpreter."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import jax
import numpy as np
import pytest
import scipy.special as sc
from native_helpers import assert_same_bits, run_python, through_native

PREAMBLE = """
import os, sys, time
import jax, jax.numpy as jnp, numpy as np, scipy.special as sc
from native_helpers import through_native
jax.config.update("jax_enable_x64", True)
jv = jax.jit(lambda v, z: through_native(sc.jv, v, z)[0])
"""


def test_calls_from_eight_threads_at_once() -> None:
    program = jax.jit(lambda v, z: through_native(sc.jv, v, z)[0])
    z = np.linspace(0.1, 20, 5000)
    orders = np.linspace(0, 4, 64)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda order: np.asarray(program(order, z)), orders))
    for order, result in zip(orders, results, strict=True):
        assert_same_bits(result, sc.jv(order, z))


def test_first_use_of_many_loops_from_eight_threads() -> None:
    hosts = [sc.i0, sc.i1, sc.k0, sc.k1, sc.y0, sc.y1, sc.erfcx, sc.dawsn] * 4
    z = np.linspace(0.1, 5, 300)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda host: np.asarray(through_native(host, z)[0]), hosts))
    for host, result in zip(hosts, results, strict=True):
        assert_same_bits(result, host(z))


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="the platform has no fork")
def test_a_forked_child_computes() -> None:
    """XLA's pool threads are not there in the child: the handler does all the work on the calling thread."""
    code = """
jv(1.5, jnp.linspace(0, 9, 7)).block_until_ready()
z = np.linspace(0.1, 30, 200_000)
import warnings; warnings.simplefilter("ignore")
child = os.fork()
if child == 0:
    single = np.asarray(jv(1.5, np.linspace(0, 9, 7)))
    os._exit(0 if (single == sc.jv(1.5, np.linspace(0, 9, 7))).all() else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run_python(PREAMBLE + code, timeout=60).strip() == "0"


def test_many_small_calls_do_not_grow_memory() -> None:
    code = """
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def calls(count):
    for k in range(count):
        jv(1.5, 0.001 * k)

calls(20_000)
before = resident()
calls(100_000)
print(resident() - before)
"""
    if not sys.platform.startswith("linux"):
        pytest.skip("needs Linux's /proc")
    assert int(run_python(PREAMBLE + code)) < 2_000_000


@pytest.mark.parametrize("how", ["", "os._exit(0)", "sys.exit(0)"])
def test_the_interpreter_ends_while_a_computation_runs(how: str) -> None:
    code = """
a = jnp.ones((1500, 1500))
product = jax.jit(lambda a: a @ a @ a @ a * 1e-20).lower(a).compile()
program = jv.lower(1.5, a).compile()
pending = program(1.5, product(a))
print(pending.is_ready(), flush=True)
"""
    assert run_python(PREAMBLE + code + how, timeout=60).strip() == "False"
