"""The generator of jaxscipy_ext: reads specs/*.yaml, derives partial derivatives, writes readable JAX wrappers.

Read in this order: `model` (what a spec may say), `load` (files to a `Library`, all mistakes at once), `formula` and
`functions` (the language of formulas), then the half that derives and prints.
"""
