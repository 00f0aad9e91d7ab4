"""Pictures that are not radiographs: documents, charts, screenshots, scenes, noise, blank frames."""

import math

import cv2
import numpy as np

from .film import clouds, smooth

TAKEN_FOR = {"scene": "photograph", "ultrasound": "other_radiograph"}
"""Classes of `PICTURES`; `document` by default."""
LETTERS = np.array(list("abcdefghijklmnoprstuvwxyz      ,."))


def draw_picture(kind: str, rng: np.random.Generator, longest: int = 512) -> np.ndarray:
    """One picture, BGR uint8, of a kind named in `PICTURES`."""
    size = (longest, int(longest * rng.uniform(0.55, 1.0)))
    width, height = size if rng.random() < 0.6 else size[::-1]
    return PICTURES[kind](rng, width, height)


def sheet(rng: np.random.Generator, width: int, height: int, low: int = 200) -> np.ndarray:
    image = np.empty((height, width, 3), np.uint8)
    image[:] = np.clip(rng.uniform(low, 255) + rng.normal(0, 6, 3), 0, 255)
    return image


def colour(rng: np.random.Generator) -> tuple[float, ...]:
    return tuple(float(v) for v in rng.uniform(0, 255, 3))


def document(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    image = sheet(rng, width, height)
    size, y = rng.uniform(0.012, 0.035) * height, rng.uniform(0.03, 0.1) * height
    while y < height * 0.97:
        text = "".join(rng.choice(LETTERS, rng.integers(10, int(1.7 * width / size) + 12)))
        cv2.putText(
            image, text, (int(0.06 * width), int(y)), cv2.FONT_HERSHEY_SIMPLEX, size / 24, (30, 30, 30), 1, cv2.LINE_AA
        )
        y += size * (1.6 if rng.random() < 0.85 else 3.5)
        if rng.random() < 0.04:
            box = (rng.uniform(0.05, 0.5, 2) * [width, height]).astype(int)
            cv2.rectangle(
                image, (int(0.06 * width), int(y)), (int(0.06 * width) + box[0], int(y) + box[1] // 3), colour(rng), -1
            )
            y += box[1] // 3 + size
    return image


def chart(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    image = sheet(rng, width, height) if rng.random() < 0.7 else np.full((height, width, 3), 20, np.uint8)
    ink = (40,) * 3 if image.mean() > 128 else (220,) * 3
    cv2.rectangle(image, (width // 10, height // 12), (width * 19 // 20, height * 9 // 10), ink, 1)
    across = np.linspace(width / 10, width * 0.95, 60)
    for _ in range(rng.integers(1, 6)):
        values = height * (0.5 + 0.12 * np.cumsum(rng.normal(0, 0.25, 60)).clip(-3, 3))
        if rng.random() < 0.5:
            cv2.polylines(
                image,
                [np.column_stack([across, values]).astype(np.int32)],
                False,
                colour(rng),
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )
        else:
            tint = colour(rng)
            for x, y in zip(across[::4], values[::4]):
                cv2.rectangle(image, (int(x), int(y)), (int(x + width / 40), height * 9 // 10), tint, -1)
    for x in across[::10]:
        cv2.putText(
            image,
            str(rng.integers(100)),
            (int(x), int(height * 0.95)),
            cv2.FONT_HERSHEY_SIMPLEX,
            height / 900,
            ink,
            1,
            cv2.LINE_AA,
        )
    return image


def screenshot(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    image = sheet(rng, width, height, 0)
    for _ in range(rng.integers(5, 40)):
        corner = (rng.uniform(-0.1, 0.9, 2) * [width, height]).astype(int)
        extent = (rng.uniform(0.02, 0.5, 2) ** 1.5 * [width, height]).astype(int) + 2
        tint = colour(rng) if rng.random() < 0.4 else (float(rng.uniform(0, 255)),) * 3
        cv2.rectangle(image, tuple(corner), tuple(corner + extent), tint, -1)
        text = "".join(rng.choice(LETTERS, rng.integers(3, 25)))
        cv2.putText(
            image,
            text,
            tuple(corner + [4, 14]),
            cv2.FONT_HERSHEY_SIMPLEX,
            rng.uniform(0.25, 0.7),
            colour(rng),
            1,
            cv2.LINE_AA,
        )
    return image


def scene(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Blobs, edges and textures like those of a photograph."""
    base = np.stack([clouds(rng, (height, width), rng.uniform(2, 6)) for _ in range(3)], -1)
    mix = np.eye(3) * rng.uniform(0.1, 1) + rng.uniform(0, 1)
    image = 128 + rng.uniform(15, 45) * base @ mix
    for _ in range(rng.integers(0, 14)):
        mask = np.zeros((height, width), np.float32)
        points = rng.uniform(0, 1, 2) * [width, height] + rng.normal(
            0, rng.uniform(0.03, 0.25), (rng.integers(3, 8), 2)
        ) * max(width, height)
        cv2.fillPoly(mask, [cv2.convexHull(points.astype(np.int32))], 1.0, cv2.LINE_AA)
        mask = smooth(mask, rng.uniform(0.3, 8))[..., None]
        texture = clouds(rng, (height, width), rng.uniform(4, 60), 2)[..., None]
        image = image * (1 - mask) + mask * (np.array(colour(rng)) + texture * rng.uniform(0, 30))
    image = np.clip(image, 0, 255).astype(np.uint8)
    return cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR) if rng.random() < 0.35 else image


def spectrogram(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Time-frequency pictures and other dark scientific images with bands."""
    image = (
        np.abs(rng.standard_normal((height, width), dtype=np.float32))
        * np.linspace(0.2, 1, height, dtype=np.float32)[:, None]
    )
    for _ in range(rng.integers(3, 14)):
        y, x = rng.uniform(0, height), np.arange(width)
        track = y + np.cumsum(rng.normal(0, 1, width)) + 0.1 * height * np.sin(x / rng.uniform(20, 200))
        rows = np.clip(track, 0, height - 1).astype(int)
        image[rows, x] += rng.uniform(2, 8) * (np.sin(x / rng.uniform(5, 60)) > rng.uniform(-1, 0.5))
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.6, 4), sigmaY=rng.uniform(0.6, 3))
    grey = np.clip(image / np.percentile(image, 99.5) * 255, 0, 255).astype(np.uint8)
    return (
        cv2.applyColorMap(grey, int(rng.integers(0, 20)))
        if rng.random() < 0.5
        else cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    )


def ultrasound(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """A speckled sector on black."""
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    across, down = columns - width / 2, rows + 0.05 * height
    angle, depth = np.arctan2(across, down), np.hypot(across, down) / height
    sector = (np.abs(angle) < rng.uniform(0.4, 0.8)) & (depth < 1) & (depth > 0.08)
    speckle = np.abs(cv2.GaussianBlur(rng.standard_normal((height, width), dtype=np.float32), (0, 0), 1.2))
    tissue = np.exp(0.7 * clouds(rng, (height, width), 5)) * np.exp(-depth * rng.uniform(0, 1.5))
    grey = np.clip(speckle * tissue * sector * rng.uniform(150, 420), 0, 255).astype(np.uint8)
    return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)


def noise(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    shape = (height, width, 3 if rng.random() < 0.5 else 1)
    grain = smooth(rng.standard_normal(shape, dtype=np.float32), rng.choice([0, rng.uniform(0.5, 12)]))
    grain = grain.reshape(height, width, -1)
    image = rng.uniform(40, 210) + grain / grain.std() * rng.uniform(5, 70)
    return np.broadcast_to(np.clip(image, 0, 255), (height, width, 3)).astype(np.uint8)


def blank(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    image = np.empty((height, width, 3), np.float32)
    image[:] = rng.choice([0, 255, rng.uniform(0, 255)]) if rng.random() < 0.6 else rng.uniform(0, 255, 3)
    slope = np.linspace(-1, 1, width)[None, :, None] * math.cos(rng.uniform(0, 6)) + np.linspace(-1, 1, height)[
        :, None, None
    ] * math.sin(rng.uniform(0, 6))
    return np.clip(image + slope * rng.choice([0, rng.uniform(0, 120)]), 0, 255).astype(np.uint8)


PICTURES = {
    "document": document,
    "chart": chart,
    "screenshot": screenshot,
    "scene": scene,
    "spectrogram": spectrogram,
    "ultrasound": ultrasound,
    "noise": noise,
    "blank": blank,
}
