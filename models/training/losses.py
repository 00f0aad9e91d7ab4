"""What the networks are punished for."""

import torch
from torch.nn import functional

from .names import ANY_DISC, HEART_POINTS
from .network import point_maps, soft_argmax

SIGMA_CELLS = 1.3
"""Width of the Gaussian that a point's map should show [map cells]."""
MAP_WEIGHT, PLACE_WEIGHT, LENGTH_WEIGHT, DISC_WEIGHT = 0.1, 20.0, 20.0, 0.5
EXACT = 0.002
"""Errors below this stop counting in full [shares of the side]: 0.03 vertebrae in the thorax frame, well under what is asked for."""
MEASURED = tuple((HEART_POINTS.index(a), HEART_POINTS.index(b)) for a, b in (("heart_top", "heart_bottom"), ("heart_right", "heart_left"), ("heart_top", "VLAS")))
"""The lengths that make the scores: where along the outline a point lies matters less than how far apart two of them are."""


def landmark_loss(maps, batch):
    """Loss of a batch and its mean point error in shares of the side.

    batch: dict of `places` [n, k, 2] (shares of the side), `weights` [n, k], `discs` and `disc_mask` [n, h, w].
    """
    named = point_maps(maps)
    weights = batch["weights"]
    total = weights.sum().clamp(min=1)
    places, _ = soft_argmax(named)
    cross_entropy = _map_cross_entropy(named, batch["places"])
    distance = functional.smooth_l1_loss(places, batch["places"], beta=EXACT, reduction="none").sum(-1)
    points = ((MAP_WEIGHT * cross_entropy + PLACE_WEIGHT * distance) * weights).sum() / total
    lengths = _length_loss(places, batch["places"], weights)
    discs = _disc_loss(maps[:, ANY_DISC], batch["discs"], batch["disc_mask"])
    with torch.no_grad():
        error = ((places - batch["places"]).norm(dim=-1) * weights).sum() / total
    return points + LENGTH_WEIGHT * lengths + DISC_WEIGHT * discs, float(error)


def _length_loss(places, truth, weights):
    """Error of the measured lengths [shares of the side], each as certain as the less certain of its ends."""
    starts, ends = (list(side) for side in zip(*MEASURED))
    length = lambda points: (points[:, starts] - points[:, ends]).square().sum(-1).add(1e-8).sqrt()
    certain = torch.minimum(weights[:, starts], weights[:, ends])
    error = functional.smooth_l1_loss(length(places), length(truth), beta=EXACT, reduction="none")
    return (error * certain).sum() / certain.sum().clamp(min=1)


def _map_cross_entropy(maps, places):
    n, k, h, w = maps.shape
    xs = torch.arange(w, dtype=maps.dtype, device=maps.device) + 0.5
    ys = torch.arange(h, dtype=maps.dtype, device=maps.device) + 0.5
    gx = torch.exp(-0.5 * ((xs - places[..., 0:1] * w) / SIGMA_CELLS) ** 2)
    gy = torch.exp(-0.5 * ((ys - places[..., 1:2] * h) / SIGMA_CELLS) ** 2)
    target = gy[..., :, None] * gx[..., None, :]
    target = target / (target.sum((-1, -2), keepdim=True) + 1e-9)
    log_share = torch.log_softmax(maps.reshape(n, k, h * w), -1).reshape(n, k, h, w)
    return -(target * log_share).sum((-1, -2))


def _disc_loss(logits, target, mask):
    """Weighted binary cross-entropy, per film-mean mass of discs so that few discs weigh as much as many."""
    loss = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    return (loss * mask).sum() / target.sum().clamp(min=1)
