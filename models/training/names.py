"""Points found by the landmark networks, in the order of their output maps."""

HEART_POINTS = ("heart_top", "heart_bottom", "heart_right", "heart_left", "VLAS")
"""The five points of the heart; heart_right is the cranial, heart_left the caudal end of the short axis."""

VERTEBRAE = ("C7",) + tuple(f"T{i}" for i in range(1, 14)) + ("L1", "L2", "L3")
"""One map each: the cranial edge of the vertebra, which is the centre of the disc cranial to it."""

POINTS = HEART_POINTS + VERTEBRAE
"""All points that have a map."""

FIRST_EDGE = len(HEART_POINTS)
T4 = FIRST_EDGE + VERTEBRAE.index("T4")
T8 = FIRST_EDGE + VERTEBRAE.index("T8")
ANY_DISC = len(POINTS)
"""Index of the map of the centres of all intervertebral discs."""
SILHOUETTE = ANY_DISC + 1
"""Index of the map of the heart's inside, pericardium and its fat included: a logit, positive inside."""

MAP_COUNT = SILHOUETTE + 1
