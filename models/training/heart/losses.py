"""Loss of the heart network."""

import torch

from ..losses import SILHOUETTE_WEIGHT, point_loss, silhouette_loss
from .network import SILHOUETTE


def heart_loss(maps: torch.Tensor, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, float]:
    """Loss of a batch and its mean point error in shares of the side.

    batch: `places` [n, 5, 2] (shares of the side), `weights` [n, 5], and [n, h, w] each `silhouettes` and
    `silhouette_mask`.
    """
    points, error = point_loss(maps[:, :SILHOUETTE], batch)
    silhouettes = silhouette_loss(maps[:, SILHOUETTE], batch["silhouettes"], batch["silhouette_mask"])
    return points + SILHOUETTE_WEIGHT * silhouettes, error
