"""VASL's engine: boards as pixels, the kernels that look along lines, scenario rules, deviations."""
