"""Host functions (NumPy and SciPy only) for what `scipy.special` has no public function for: helpers of the rules."""
