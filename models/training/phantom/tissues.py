"""Shadows of soft tissue, air and disease: the attenuation by everything except bone."""

import numpy as np

from .anatomy import Animal
from .canvas import Canvas, clouds


def body_shadow(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> tuple[np.ndarray, np.ndarray]:
    """The trunk: thick in the middle, thinning to the skin; uneven fat and muscle. Returns attenuation and its shape
    0-1.
    """
    outline = np.concatenate([animal.dorsal_skin, animal.ventral_skin[::-1]])
    trunk = canvas.outlines([outline])
    shape = canvas.rounded(trunk, rng.uniform(3.0, 5.0)) ** rng.uniform(0.7, 1.1)
    shape = canvas.soft((shape * 255).astype(np.uint8), 0.2)
    grain = clouds(rng, canvas.height, canvas.width, 6)
    muscle = canvas.soft(canvas.lines([animal.edges - [0, 1.0]], rng.uniform(1.4, 2.6)), 0.5) * rng.uniform(0.0, 0.22)
    return shape * (1 + rng.uniform(0.01, 0.035) * grain) + muscle * np.sqrt(shape), shape


def abdomen_mask(animal: Animal, canvas: Canvas) -> np.ndarray:
    back = animal.diaphragm[-1]
    front = animal.diaphragm[0]
    outline = np.concatenate(
        [animal.diaphragm, [[30, back[1] - 2], [30, front[1] + 5], [front[0] + 0.5, front[1] + 1.5]]]
    )
    return canvas.outlines([outline])


def abdomen_shadow(rng: np.random.Generator, animal: Animal, canvas: Canvas, shape: np.ndarray) -> np.ndarray:
    """Liver, gut loops, gas in the stomach."""
    mask = canvas.soft(abdomen_mask(animal, canvas), rng.uniform(0.04, 0.15))
    shadow = mask * shape * rng.uniform(0.0, 0.22) * (1 + 0.12 * clouds(rng, canvas.height, canvas.width, 10, 3))
    for _ in range(rng.integers(0, 5)):
        centre = animal.diaphragm[len(animal.diaphragm) // 2] + [rng.uniform(0.8, 8), rng.uniform(-2, 3)]
        angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        radius = rng.uniform(0.3, 1.5) * (1 + 0.2 * np.sin(2 * angle + rng.uniform(0, 6)) + 0.1 * np.sin(3 * angle))
        bubble = canvas.outlines(
            [centre + radius[:, None] * np.stack([np.cos(angle) * rng.uniform(0.6, 1.4), np.sin(angle)], -1)]
        )
        shadow -= canvas.soft(bubble, 0.06) * mask * shape * rng.uniform(0.05, 0.4)
    return shadow


def lung_air(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> tuple[np.ndarray, np.ndarray]:
    """Share of air in the trunk, 0-1, before the heart and disease displace it, and the lung's mask."""
    mask = canvas.outlines([animal.lung])
    field = canvas.soft(mask, rng.uniform(0.05, 0.18))
    depth = canvas.rounded(mask, rng.uniform(1.2, 3.2))
    air = field * (0.45 + 0.55 * depth)
    top, axis = animal.points["heart_top"], animal.heart_axis
    front = animal.heart[len(animal.heart) // 4]
    inlet = animal.inlet
    mediastinum = np.concatenate([[inlet[-1] + [0, 0.7], top - axis * 0.6, front], inlet[: len(inlet) // 2][::-1]])
    air = air * (1 - canvas.soft(canvas.outlines([mediastinum]), rng.uniform(0.2, 0.7)) * rng.uniform(0.1, 0.9))
    if rng.random() < 0.5:
        air = air * (
            1
            - canvas.soft(canvas.lines([animal.sternum - [0, 0.25]], rng.uniform(0.4, 1.4)), 0.3)
            * rng.uniform(0.1, 0.8)
        )
    crus = np.concatenate([animal.crus, [[30, animal.crus[-1][1]], [30, animal.crus[0][1]]]])
    air = air * (1 - canvas.soft(canvas.outlines([crus]), 0.08) * rng.uniform(0.0, 0.5))
    return air, field


def lung_markings(rng: np.random.Generator, animal: Animal, canvas: Canvas, field: np.ndarray) -> np.ndarray:
    """Vessels, bronchial walls, interstitium and, in some animals, alveolar patches, all of which displace air."""
    groups: dict[int, list[np.ndarray]] = {}
    for path, width in animal.vessels:
        groups.setdefault(max(1, round(width * canvas.scale)), []).append(path)
    vessels = canvas.empty()
    for width_px, paths in groups.items():
        canvas.lines(paths, width_px / canvas.scale, mask=vessels)
    filling = canvas.soft(vessels, rng.uniform(0.03, 0.07)) * rng.uniform(0.05, 0.3)
    filling += canvas.soft(vessels, 0.35) * rng.uniform(0.0, 0.3)
    filling += np.abs(clouds(rng, canvas.height, canvas.width, rng.uniform(12, 30), 4, 0.75)) * rng.uniform(0.0, 0.14)
    patches = rng.integers(1, 4) if rng.random() < (0.4 if animal.is_large else 0.2) else 0
    for _ in range(patches):
        centre = animal.points["heart_top"] + [rng.uniform(-2, 4), rng.uniform(-1, 3)]
        distance = _distance(canvas, centre)
        patch = np.exp(-((distance / rng.uniform(0.8, 2.5)) ** 2)) * (
            0.6 + 0.4 * clouds(rng, canvas.height, canvas.width, 10)
        )
        filling += np.clip(patch, 0, 1) * rng.uniform(0.2, 0.9)
    return np.clip(filling, 0, 0.95) * field


def _distance(canvas: Canvas, centre: np.ndarray) -> np.ndarray:
    """Distance of every pixel from a point [vertebrae]."""
    x, y = canvas.to_px(centre)
    ys, xs = np.mgrid[0 : canvas.height, 0 : canvas.width].astype(np.float32)
    return np.hypot(xs - x, ys - y) / canvas.scale


def heart_shape(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> np.ndarray:
    """Thickness of the heart 0-1, with a border blurred by its beat; includes the fainter fat around the apex."""
    mask = canvas.outlines([animal.heart])
    thickness = canvas.rounded(mask, rng.uniform(1.2, 2.6))
    animal.border_softness = rng.uniform(0.03, 0.16)
    shape = canvas.soft(mask, animal.border_softness) * (rng.uniform(0.35, 0.7) + 0.3 * thickness)
    return shape * (1 - animal.apex_fat * _apical_fat(rng, animal, canvas, mask))


def _apical_fat(rng: np.random.Generator, animal: Animal, canvas: Canvas, mask: np.ndarray) -> np.ndarray:
    """1 in the fat between the apex of the muscle and that of the silhouette, 0 elsewhere."""
    top, apex = animal.points["heart_top"], animal.points["heart_bottom"]
    muscle = top + (animal.heart - top) * rng.uniform(0.82, 0.95)
    inner = canvas.soft(canvas.outlines([muscle]), rng.uniform(0.04, 0.12))
    length = np.linalg.norm(apex - top) * canvas.scale
    ys, xs = np.mgrid[0 : canvas.height, 0 : canvas.width].astype(np.float32)
    origin, end = canvas.to_px(top), canvas.to_px(apex)
    along = ((xs - origin[0]) * (end - origin)[0] + (ys - origin[1]) * (end - origin)[1]) / length**2
    return (1 - inner) * np.clip((along - rng.uniform(0.45, 0.7)) / 0.2, 0, 1) * (mask > 0)


def great_vessels(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> np.ndarray:
    aorta = canvas.soft(canvas.lines([animal.aorta], rng.uniform(0.6, 0.95)), rng.uniform(0.05, 0.15)) * rng.uniform(
        0.1, 0.5
    )
    vein = canvas.soft(canvas.lines([animal.vena_cava], rng.uniform(0.4, 0.75)), rng.uniform(0.04, 0.1)) * rng.uniform(
        0.2, 0.8
    )
    return aorta + vein


def effusion(rng: np.random.Generator, animal: Animal, canvas: Canvas, field: np.ndarray) -> np.ndarray:
    """Fluid above the sternum that blurs the heart; 0 in most animals."""
    if rng.random() > (0.16 if animal.is_large else 0.06):
        return np.zeros_like(field)
    level = animal.sternum - [0, rng.uniform(0.4, 2.6)]
    pool = np.concatenate([level, animal.sternum[::-1] + [0, 0.5]])
    return canvas.soft(canvas.outlines([pool]), rng.uniform(0.2, 0.6)) * field * rng.uniform(0.4, 0.95)


def airway_air(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> tuple[np.ndarray, np.ndarray]:
    """Air of trachea and main bronchi, and the shadow of their walls."""
    tube = canvas.lines([animal.trachea], animal.trachea_width)
    for path, width in animal.bronchi:
        canvas.lines([path], width, mask=tube)
    inner = canvas.soft(tube, 0.05)
    walls = np.clip(canvas.soft(tube, 0.02) * (1 - canvas.soft(tube, 0.12)) * 3, 0, 1)
    end = np.exp(-((_distance(canvas, animal.trachea[-1]) / (animal.trachea_width * 0.55)) ** 2)) * rng.uniform(0, 0.6)
    return np.maximum(inner, end), walls


def skin_folds(rng: np.random.Generator, canvas: Canvas) -> np.ndarray:
    """Soft straight lines across the film."""
    shadow = np.zeros((canvas.height, canvas.width), np.float32)
    for _ in range(rng.integers(0, 3)):
        centre, angle = rng.uniform([-5, -1], [11, 9]), rng.uniform(0, np.pi)
        reach = rng.uniform(2, 5) * np.array([np.cos(angle), np.sin(angle)])
        line = canvas.lines(
            [np.stack([centre - reach, centre + rng.normal(0, 0.3, 2), centre + reach])], rng.uniform(0.1, 0.8)
        )
        shadow += canvas.soft(line, rng.uniform(0.03, 0.2)) * rng.uniform(0.005, 0.05)
    return shadow
