"""Makes a film of an animal: geometry, beam, scatter, detector, film processing, and later changes to the picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from ..names import HEART_POINTS, VERTEBRAE
from . import bones, tissues
from .anatomy import NAMED, Animal, draw_animal, visible_heart
from .canvas import Canvas, blurred, clouds
from .curves import spline, turned


@dataclass
class PhantomFilm:
    """A film [h, w] uint8 with truth [px]: `points` as in training.names.POINTS, heart outline, attributes."""

    image: np.ndarray
    points: np.ndarray
    heart_outline: np.ndarray
    species: str
    faces_right: bool

    def visible_points(self) -> np.ndarray:
        """The points with NaN for those outside the picture."""
        height, width = self.image.shape
        inside = ((self.points >= 0) & (self.points <= [width - 1, height - 1])).all(1)
        return np.where(inside[:, None], self.points, np.nan)


def make_film(
    rng: np.random.Generator,
    longest_side: int = 576,
    mirrored: bool | None = None,
    plain: bool = False,
    aspect: float | None = None,
    species: str | None = None,
    atrium: np.random.Generator | None = None,
) -> PhantomFilm:
    """A film of a new animal.

    plain: without inversion, borders and strong crops (for fixtures and cards); mirrored, aspect (width / height)
    and species: fixed instead of random; atrium: draws a left atrium from normal to severe.
    """
    return film_of(rng, draw_animal(rng, species, atrium), longest_side, mirrored, plain, aspect)


def film_of(
    rng: np.random.Generator,
    animal: Animal,
    longest_side: int = 576,
    mirrored: bool | None = None,
    plain: bool = False,
    aspect: float | None = None,
) -> PhantomFilm:
    """A film of an animal, with random geometry, exposure and film processing."""
    faces_right = bool(rng.random() < 0.4) if mirrored is None else mirrored
    canvas = _camera(rng, animal, longest_side, faces_right, plain, aspect)
    attenuation, shape = _expose(rng, animal, canvas)
    image = _develop(rng, attenuation, shape, canvas)
    image = _finish(rng, image, plain)
    outline, points = visible_heart(animal)
    places = np.array([points[name] for name in HEART_POINTS] + [animal.edges[index] for index in NAMED])
    assert len(places) == len(HEART_POINTS) + len(VERTEBRAE)
    return PhantomFilm(image, canvas.to_px(places), canvas.to_px(outline), animal.species, faces_right)


def _camera(
    rng: np.random.Generator,
    animal: Animal,
    longest_side: int,
    faces_right: bool,
    plain: bool,
    wanted_aspect: float | None,
) -> Canvas:
    aspect = rng.uniform(0.95, 1.5)
    left, right = animal.column(-3.6)[0], max(animal.column(9.0)[0], animal.diaphragm[:, 0].max())
    top, bottom = min(animal.dorsal_skin[:, 1].min(), -2.0), animal.sternum[:, 1].max() + 0.8
    kind = rng.random()
    if kind < 0.12 and not plain:
        left, right, aspect = left - rng.uniform(2, 10), right + rng.uniform(5, 18), rng.uniform(1.3, 2.2)
    elif kind < 0.35:
        left, right = left - rng.uniform(0, 3), right + rng.uniform(1, 5)
    is_cut = 0.35 <= kind < 0.5 and not plain
    if is_cut:
        left = min(animal.column(rng.uniform(-3, 1.8))[0], animal.heart[:, 0].min() + 0.2)
    aspect = wanted_aspect or aspect
    width_needed = (right - left) * rng.uniform(0.95, 1.25)
    height_needed = (bottom - top) * rng.uniform(0.9, 1.15)
    width, height = (
        (longest_side, int(longest_side / aspect)) if aspect >= 1 else (int(longest_side * aspect), longest_side)
    )
    scale = max(min(width / width_needed, height / height_needed), width / 60)
    turn = np.radians(np.clip(rng.normal(0, 4 if plain else 7), -20, 20))
    if not plain and rng.random() < 0.03:
        turn += rng.choice([np.pi / 2, np.pi, -np.pi / 2])
    flip = np.diag([-1.0, 1.0]) if faces_right else np.eye(2)
    rotation = np.stack([turned([1, 0], turn), turned([0, 1], turn)], 1)
    perspective = np.diag([np.exp(rng.normal(0, 0.02)), 1])
    matrix = scale * rotation @ flip @ perspective
    centre = np.array([(left + right) / 2, (top + bottom) / 2]) + rng.normal(0, 0.35, 2)
    if is_cut:
        centre[0] = left + width / scale / 2
    return Canvas(height, width, matrix, np.array([width / 2, height / 2]) - matrix @ centre)


def _expose(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> tuple[np.ndarray, np.ndarray]:
    """Attenuation along every ray: tissue minus air, plus bone, plus foreign objects."""
    body, shape = tissues.body_shadow(rng, animal, canvas)
    air, field = tissues.lung_air(rng, animal, canvas)
    heart = tissues.heart_shape(rng, animal, canvas)
    filling = tissues.lung_markings(rng, animal, canvas, field) + tissues.effusion(rng, animal, canvas, field)
    air = (
        air
        * animal.aeration
        * (1 - np.clip(filling, 0, 1))
        * (1 - np.clip(tissues.great_vessels(rng, animal, canvas), 0, 0.9))
    )
    air = air * (1 - np.clip(heart * rng.uniform(0.85, 1.1), 0, 0.97))
    attenuation = body * rng.uniform(0.9, 1.2)
    attenuation += tissues.abdomen_shadow(rng, animal, canvas, shape)
    attenuation -= air * shape * rng.uniform(0.4, 0.68)
    attenuation += heart * rng.uniform(0.0, 0.12)
    tube, walls = tissues.airway_air(rng, animal, canvas)
    attenuation += (walls * rng.uniform(0.01, 0.07) - tube * rng.uniform(0.1, 0.26)) * np.sqrt(shape)
    attenuation += tissues.skin_folds(rng, canvas)
    attenuation += bones.rib_shadow(rng, animal, canvas, field * (1 - 0.5 * heart))
    attenuation += bones.column_shadow(rng, animal, canvas) + bones.sternum_shadow(rng, animal, canvas)
    attenuation += bones.limb_shadow(rng, animal, canvas)
    attenuation += bones.skull_shadow(rng, animal, canvas)
    attenuation += _metal(rng, animal, canvas)
    return np.maximum(attenuation, 0), shape


def _metal(rng: np.random.Generator, animal: Animal, canvas: Canvas) -> np.ndarray:
    """Microchip, electrode clips with leads and surgical wire in some animals."""
    shadow = np.zeros((canvas.height, canvas.width), np.float32)
    if rng.random() < 0.15:
        place, angle = animal.column(rng.uniform(-4, 6)) - [0, rng.uniform(0.5, 2)], rng.uniform(0, np.pi)
        chip = np.stack([place, place + 0.55 * np.array([np.cos(angle), np.sin(angle)])])
        shadow += canvas.soft(canvas.lines([chip], 0.12), 0.02) * 0.9
    if rng.random() < 0.1:
        start = rng.uniform([-5, 2], [6, 9])
        lead = spline(np.cumsum(np.concatenate([[start], rng.normal(0, 1.2, (6, 2))]), 0))
        shadow += (
            canvas.soft(canvas.lines([lead], 0.05), 0.02) * 0.5 + canvas.soft(canvas.lines([lead[:6]], 0.2), 0.03) * 0.8
        )
    return shadow


def _develop(rng: np.random.Generator, attenuation: np.ndarray, shape: np.ndarray, canvas: Canvas) -> np.ndarray:
    """Beam, scatter, quantum noise, logarithmic detector, tone curve, unsharp masking: float 0-1, bone bright."""
    beam = np.exp(-attenuation * rng.uniform(1.2, 2.6))
    scatter = blurred(beam, rng.uniform(1.5, 4) * canvas.scale) * rng.uniform(0.0, 0.35)
    beam = beam + scatter
    beam = beam * (1 + 0.06 * clouds(rng, canvas.height, canvas.width, 2, 2) * rng.random())
    noise = rng.standard_normal(beam.shape).astype(np.float32) * rng.uniform(0.003, 0.03)
    beam = np.maximum(
        blurred(beam, rng.uniform(0.2, max(0.3, 0.025 * canvas.scale))) + noise * np.sqrt(np.maximum(beam, 0.02)), 1e-3
    )
    grey = -np.log(beam)
    inside = grey[shape > 0.15] if (shape > 0.15).any() else grey
    low, high = np.percentile(inside[::13], [rng.uniform(0.2, 8), rng.uniform(95, 99.9)])
    grey = np.clip((grey - low) / max(high - low, 0.05), -0.4, 1.4)
    for reach, most in ((0.15, 0.7), (0.6, 0.9), (2.0, 0.9)):
        if rng.random() < 0.5:
            grey = grey + rng.uniform(0.1, most) * (grey - blurred(grey, reach * canvas.scale))
    toe = rng.uniform(1.5, 5)
    grey = 1 / (1 + np.exp(-(grey - rng.uniform(0.4, 0.6)) * toe))
    low, high = np.percentile(grey[::7], [0.3, 99.8])
    return np.clip((grey - low) / max(high - low, 1e-3), 0, 1) ** rng.uniform(0.7, 1.4)


def _finish(rng: np.random.Generator, image: np.ndarray, plain: bool) -> np.ndarray:
    """Collimation, borders, markers, inversion, and lossy storage."""
    image = image * rng.uniform(0.85, 1.0) + rng.uniform(0, 0.05)
    if rng.random() < 0.45:
        _collimate(rng, image)
    grey: np.ndarray = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.5:
        _write(rng, grey)
    if not plain and rng.random() < 0.05:
        grey = 255 - grey
    if rng.random() < 0.4:
        quality = int(rng.integers(75 if plain else 40, 96))
        grey = cv2.imdecode(cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_GRAYSCALE)
    return grey


def _collimate(rng: np.random.Generator, image: np.ndarray) -> None:
    height, width = image.shape
    value = 0.0 if rng.random() < 0.85 else 1.0
    top, bottom = (int(rng.uniform(0, 0.06) * height) for _ in range(2))
    left, right = (int(rng.uniform(0, 0.06) * width) for _ in range(2))
    image[:top] = value
    image[height - bottom :] = value
    image[:, :left] = value
    image[:, width - right :] = value


def _write(rng: np.random.Generator, grey: np.ndarray) -> None:
    height, width = grey.shape
    text = str(rng.choice(["R", "L", "RLAT", "LL", "R LAT", "2026-03-12", "60 kV 4 mAs", "DEMO"]))
    size = rng.uniform(0.5, 1.3) * width / 576
    edge = rng.uniform(0.06, 0.14) if rng.random() < 0.5 else rng.uniform(0.88, 0.97)
    place = (int(rng.uniform(0.02, 0.8) * width), int(edge * height))
    cv2.putText(
        grey,
        text,
        place,
        cv2.FONT_HERSHEY_SIMPLEX,
        size,
        int(rng.integers(190, 256)),
        max(1, int(size * 2)),
        cv2.LINE_AA,
    )
