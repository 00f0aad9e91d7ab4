"""What the landmark networks look for, in the order of their output maps."""

HEART_POINTS = ("heart_top", "heart_bottom", "heart_right", "heart_left", "VLAS")
"""The five points of the heart; heart_right is the cranial, heart_left the caudal end of the short axis."""

VERTEBRAE = ("C7",) + tuple(f"T{i}" for i in range(1, 14)) + ("L1", "L2", "L3")
"""Each names one map: the cranial edge of that vertebra, which is the centre of the disc in front of it."""

POINTS = HEART_POINTS + VERTEBRAE
"""Every point with a map of its own."""

FIRST_EDGE = len(HEART_POINTS)
T4 = FIRST_EDGE + VERTEBRAE.index("T4")
T8 = FIRST_EDGE + VERTEBRAE.index("T8")
ANY_DISC = len(POINTS)
"""Index of the map of any intervertebral disc's centre, whichever it is."""
SILHOUETTE = ANY_DISC + 1
"""Index of the map of the heart's inside, pericardium and its fat included: a logit, positive inside."""

MAP_COUNT = SILHOUETTE + 1
