"""Learning rate of all networks here, and the running average of their weights."""

import math
from typing import Any

import torch

CLIP_NORM = 5.0
EMA_DECAY = 0.995
WARM_UP_STEPS = 60
LEAST_RATE = 0.01
"""Final learning rate as a share of the peak."""


def rate_at(peak: float, progress: float, step: float) -> float:
    """Learning rate: a short warm-up, then half a cosine over `progress` (0-1)."""
    warm = min(1.0, (step + 1) / WARM_UP_STEPS)
    return peak * warm * (LEAST_RATE + (1 - LEAST_RATE) * 0.5 * (1 + math.cos(math.pi * min(1.0, progress))))


def blend(average: dict[str, torch.Tensor], model: Any, step: float) -> None:
    """Moves the running average, a state dict, one step towards the weights of the model, faster at first."""
    decay = min(EMA_DECAY, (1 + step) / (10 + step))
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if value.dtype.is_floating_point:
                average[name].mul_(decay).add_(value, alpha=1 - decay)
            else:
                average[name].copy_(value)
