"""Deterministic network input for a pack's golden outputs; main/inference/threads/golden-input.ts generates the same
numbers.
"""

import numpy as np

MULTIPLIER, INCREMENT, MODULUS = 1664525, 1013904223, 2**32


def golden_input(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    """A ramp along each row plus noise of a linear congruential generator: float32 of `shape`, 0-1."""
    count, width = int(np.prod(shape)), shape[-1]
    values = np.empty(count, np.float64)
    state = seed
    for index in range(count):
        state = (state * MULTIPLIER + INCREMENT) % MODULUS
        values[index] = 0.5 * ((index % width) / width) + 0.5 * (state / MODULUS)
    return values.astype(np.float32).reshape(shape)
