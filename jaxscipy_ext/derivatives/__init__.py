"""Derivatives of special functions in their orders and shape parameters, as NumPy host functions.

`<function>_d<argument>` is the first partial derivative of `scipy.special.<function>` in `<argument>`, with the
arguments of that function: `bessel.jv_dv(v, z)` is ∂J_v(z)/∂v. Functions with several outputs give one derivative per
output, as a tuple. There is one module per family; nothing is imported eagerly, and nothing here needs JAX.

Every kernel

- broadcasts its arguments, takes any real dtype and returns float64 (complex128 for complex arguments, where its
  docstring says that it takes them);
- never raises for a value: outside the domain, and where an argument is NaN, the result is NaN;
- never writes into its arguments and holds no state;
- works through its input in blocks, so that no temporary grows with the input (about 2 MB each, see
  `_numerics.BLOCK_BYTES`); only the result is as large as the input.
"""
