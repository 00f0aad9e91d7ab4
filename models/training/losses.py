"""Losses of the networks."""

import torch
from torch.nn import functional

from .names import ANY_DISC, HEART_POINTS, SILHOUETTE
from .network import point_maps, soft_argmax

SIGMA_CELLS = 1.3
"""Width of the target Gaussian of a point [map cells]."""
MAP_WEIGHT, PLACE_WEIGHT, LENGTH_WEIGHT = 0.1, 20.0, 20.0
DISC_WEIGHT, SILHOUETTE_WEIGHT = 0.5, 2.0
EXACT = 0.002
"""Errors below this have a reduced weight [shares of the side]: 0.03 vertebrae in the thorax frame, well below the
required accuracy.
"""
MEASURED = tuple(
    (HEART_POINTS.index(a), HEART_POINTS.index(b))
    for a, b in (("heart_top", "heart_bottom"), ("heart_right", "heart_left"), ("heart_top", "VLAS"))
)
"""The lengths that determine the scores: the distance of two points matters more than their position along the outline.
"""


def landmark_loss(maps: torch.Tensor, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, float]:
    """Loss of a batch, and its mean point error in shares of the side.

    batch: dict of `places` [n, k, 2] (shares of the side), `weights` [n, k], and [n, h, w] each `discs`, `disc_mask`,
    `silhouettes` and `silhouette_mask`.
    """
    points, error = point_loss(point_maps(maps), batch)
    discs = _disc_loss(maps[:, ANY_DISC], batch["discs"], batch["disc_mask"])
    silhouettes = silhouette_loss(maps[:, SILHOUETTE], batch["silhouettes"], batch["silhouette_mask"])
    return points + DISC_WEIGHT * discs + SILHOUETTE_WEIGHT * silhouettes, error


def point_loss(maps: torch.Tensor, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, float]:
    """Loss of the points and of the lengths between them, and the mean error of a point [shares of the side].

    maps: one per point, those of HEART_POINTS first; batch: `places` and `weights` as above.
    """
    weights = batch["weights"]
    total = weights.sum().clamp(min=1)
    places, _ = soft_argmax(maps)
    cross_entropy = _map_cross_entropy(maps, batch["places"])
    distance = functional.smooth_l1_loss(places, batch["places"], beta=EXACT, reduction="none").sum(-1)
    points = ((MAP_WEIGHT * cross_entropy + PLACE_WEIGHT * distance) * weights).sum() / total
    lengths = _length_loss(places, batch["places"], weights)
    with torch.no_grad():
        error = ((places - batch["places"]).norm(dim=-1) * weights).sum() / total
    return points + LENGTH_WEIGHT * lengths, float(error)


def _length_loss(places: torch.Tensor, truth: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Error of the measured lengths [shares of the side], each weighted like the less certain of its ends."""
    starts, ends = (list(side) for side in zip(*MEASURED))

    def length(points: torch.Tensor) -> torch.Tensor:
        return (points[:, starts] - points[:, ends]).square().sum(-1).add(1e-8).sqrt()

    certain = torch.minimum(weights[:, starts], weights[:, ends])
    error = functional.smooth_l1_loss(length(places), length(truth), beta=EXACT, reduction="none")
    return (error * certain).sum() / certain.sum().clamp(min=1)


def _map_cross_entropy(maps: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    n, k, h, w = maps.shape
    xs = torch.arange(w, dtype=maps.dtype, device=maps.device) + 0.5
    ys = torch.arange(h, dtype=maps.dtype, device=maps.device) + 0.5
    gx = torch.exp(-0.5 * ((xs - places[..., 0:1] * w) / SIGMA_CELLS) ** 2)
    gy = torch.exp(-0.5 * ((ys - places[..., 1:2] * h) / SIGMA_CELLS) ** 2)
    target = gy[..., :, None] * gx[..., None, :]
    target = target / (target.sum((-1, -2), keepdim=True) + 1e-9)
    log_share = torch.log_softmax(maps.reshape(n, k, h * w), -1).reshape(n, k, h, w)
    return -(target * log_share).sum((-1, -2))


def _disc_loss(logits: torch.Tensor, target: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Weighted binary cross-entropy, normalised by the mass of discs per film: few discs count as much as many."""
    loss = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    return (loss * mask).sum() / target.sum().clamp(min=1)


def silhouette_loss(logits: torch.Tensor, target: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy over the known cells, plus Dice, so that a small heart counts as much as a large one."""
    entropy = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    inside = torch.sigmoid(logits) * mask
    both = (inside * target).sum((-1, -2))
    either = inside.sum((-1, -2)) + (target * mask).sum((-1, -2))
    known = mask.amax((-1, -2))
    dice = (known * (1 - (2 * both + 1) / (either + 1))).sum() / known.sum().clamp(min=1)
    return (entropy * mask).sum() / mask.sum().clamp(min=1) + 0.5 * dice
