"""Content of the monitor: a viewer window with toolbars, patient strips and side panels around a film."""

from dataclasses import dataclass

import cv2
import numpy as np

FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_PLAIN)
WORDS = (
    "Patient",
    "Thorax LL",
    "R LAT",
    "Bella",
    "Rex 4y",
    "Study",
    "W 4096 L 2048",
    "Zoom 87%",
    "kV 60 mAs 4",
    "2026-03-14",
    "Open",
    "File  Edit  View  Tools",
    "1/2",
    "Canine",
    "Series 1",
    "Image",
    "Export",
    "ID 20417",
)

DISTINCT_LEVELS = 16
"""Difference in grey levels between film and viewer below which the border is invisible in a photograph."""


@dataclass
class Screen:
    """A rendered monitor: `image` BGR uint8 and `corners` [4, 2] of the visible film (TL, TR, BR, BL) in its
    pixels, measured at pixel edges: the film's top left corner is the outer corner of its first pixel.
    `scale` and `origin` [2] map the film's pixel edges to the monitor's: monitor = film * scale + origin."""

    image: np.ndarray
    corners: np.ndarray
    scale: np.ndarray
    origin: np.ndarray


@dataclass
class Pane:
    """The part of the screen left for the film, in pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top


def compose_screen(
    film: np.ndarray, rng: np.random.Generator, width: int, companion: np.ndarray | None = None
) -> Screen:
    """Lays `film` (grey or BGR uint8) into a viewer on a monitor `width` pixels wide.

    companion: another picture that some viewers show beside the film or as thumbnails; the corners are never its own.
    """
    height = int(width / rng.choice([16 / 9, 16 / 9, 16 / 10, 4 / 3, 3 / 2]))
    screen = np.empty((height, width, 3), np.uint8)
    screen[:] = background_colour(film, rng)
    pane = Pane(0, 0, width, height)
    layout = rng.choice(["viewer", "viewer", "viewer", "full", "web", "bare"])
    if layout in ("viewer", "web"):
        draw_desktop_bars(screen, pane, rng)
        draw_viewer(screen, pane, rng, companion if companion is not None else film, light=layout == "web")
    elif layout == "bare":
        margin = rng.uniform(0, 0.15, 2)
        pane = Pane(
            int(margin[0] * width), int(margin[1] * height), int((1 - margin[0]) * width), int((1 - margin[1]) * height)
        )
    if companion is not None and rng.random() < 0.25 and pane.width > 0.5 * width:
        pane = show_companion(screen, pane, companion, rng)
    return Screen(screen, *place_film(screen, pane, film, rng))


def background_colour(film: np.ndarray, rng: np.random.Generator) -> tuple[float, ...]:
    """Colour of the viewer, mostly distinguishable from the film's border."""
    rim = np.concatenate(
        [film[:4].reshape(-1), film[-4:].reshape(-1), film[:, :4].reshape(-1), film[:, -4:].reshape(-1)]
    )
    border = np.percentile(rim, [15, 50])
    for _ in range(20):
        level = rng.choice(
            [0, rng.uniform(0, 25), rng.uniform(25, 70), rng.uniform(90, 200), rng.uniform(225, 255)],
            p=[0.3, 0.2, 0.3, 0.1, 0.1],
        )
        if np.abs(border - level).min() > DISTINCT_LEVELS or rng.random() < 0.12:
            break
    return np.clip(level + rng.normal(0, 3, 3), 0, 255)


def panel_colour(rng: np.random.Generator, light: bool) -> tuple[float, ...]:
    level = (
        rng.uniform(190, 250)
        if light
        else rng.choice([rng.uniform(15, 60), rng.uniform(60, 130), rng.uniform(150, 225)])
    )
    return tuple(float(v) for v in np.clip(level + rng.normal(0, 9, 3), 0, 255))


def write(
    screen: np.ndarray,
    text: str,
    at: tuple[float, float],
    size_px: float,
    colour: tuple[float, ...],
    rng: np.random.Generator,
) -> None:
    font = int(rng.choice(FONTS))
    scale = size_px / 22 * (1.7 if font == cv2.FONT_HERSHEY_PLAIN else 1)
    cv2.putText(screen, text, (int(at[0]), int(at[1])), font, scale, colour, max(1, round(size_px / 16)), cv2.LINE_AA)


def draw_desktop_bars(screen: np.ndarray, pane: Pane, rng: np.random.Generator) -> None:
    """Task bar and window title, cut from the pane."""
    unit = screen.shape[0]
    if rng.random() < 0.5:
        bar = int(rng.uniform(0.03, 0.055) * unit)
        screen[pane.bottom - bar : pane.bottom] = panel_colour(rng, rng.random() < 0.3)
        for index in range(rng.integers(3, 12)):
            draw_icon(screen, (pane.left + (index * 1.5 + 1) * bar, pane.bottom - bar / 2), bar * 0.6, rng)
        pane.bottom -= bar
    if rng.random() < 0.5:
        bar = int(rng.uniform(0.022, 0.045) * unit)
        screen[pane.top : pane.top + bar] = panel_colour(rng, rng.random() < 0.5)
        write(
            screen, str(rng.choice(WORDS)), (pane.left + bar * 0.5, pane.top + bar * 0.75), bar * 0.5, (128,) * 3, rng
        )
        pane.top += bar


def draw_viewer(screen: np.ndarray, pane: Pane, rng: np.random.Generator, thumbnail: np.ndarray, light: bool) -> None:
    """Toolbars, a patient strip and side panels on random sides, cut from the pane."""
    sides = [
        side
        for side, chance in (("top", 0.75), ("left", 0.45), ("right", 0.4), ("bottom", 0.2))
        if rng.random() < chance
    ]
    rng.shuffle(sides)
    for side in sides:
        wide = rng.random() < (0.6 if side in ("left", "right") else 0.2)
        depth = int((rng.uniform(0.11, 0.24) if wide else rng.uniform(0.03, 0.075)) * screen.shape[0])
        box = take_side(pane, side, depth)
        screen[box.top : box.bottom, box.left : box.right] = panel_colour(rng, light)
        if wide:
            fill_panel(screen, box, rng, thumbnail)
        else:
            fill_tool_bar(screen, box, rng)
    if rng.random() < 0.3:
        draw_pane_frame(screen, pane, rng)


def take_side(pane: Pane, side: str, depth: int) -> Pane:
    """Cuts a strip off the pane and returns it."""
    box = Pane(pane.left, pane.top, pane.right, pane.bottom)
    if side == "top":
        pane.top = box.bottom = pane.top + depth
    elif side == "bottom":
        pane.bottom = box.top = pane.bottom - depth
    elif side == "left":
        pane.left = box.right = pane.left + depth
    else:
        pane.right = box.left = pane.right - depth
    return box


def draw_icon(screen: np.ndarray, centre: tuple[float, float], size: float, rng: np.random.Generator) -> None:
    x, y, r = int(centre[0]), int(centre[1]), max(2, int(size / 2))
    colour = tuple(
        float(v) for v in (rng.uniform(120, 255, 3) if rng.random() < 0.4 else np.full(3, rng.uniform(60, 240)))
    )
    shape = rng.integers(4)
    if shape == 0:
        cv2.circle(screen, (x, y), r, colour, -1 if rng.random() < 0.4 else 1, cv2.LINE_AA)
    elif shape == 1:
        cv2.rectangle(screen, (x - r, y - r), (x + r, y + r), colour, -1 if rng.random() < 0.5 else 1, cv2.LINE_AA)
    elif shape == 2:
        cv2.line(screen, (x - r, y + r), (x + r, y - r), colour, max(1, r // 3), cv2.LINE_AA)
    else:
        cv2.drawMarker(screen, (x, y), colour, int(rng.integers(0, 7)), 2 * r, max(1, r // 4), cv2.LINE_AA)


def fill_tool_bar(screen: np.ndarray, box: Pane, rng: np.random.Generator) -> None:
    across = box.width >= box.height
    depth, length = (box.height, box.width) if across else (box.width, box.height)
    step = depth * rng.uniform(0.9, 1.6)
    for index in range(int(min(length / step, rng.integers(4, 40)))):
        along = (index + 0.6) * step
        centre = (box.left + along, box.top + depth / 2) if across else (box.left + depth / 2, box.top + along)
        draw_icon(screen, centre, depth * rng.uniform(0.35, 0.6), rng)
    if across and rng.random() < 0.6:
        write(
            screen,
            str(rng.choice(WORDS)),
            (box.right - length * rng.uniform(0.15, 0.4), box.top + depth * 0.65),
            depth * 0.4,
            (200,) * 3,
            rng,
        )


def fill_panel(screen: np.ndarray, box: Pane, rng: np.random.Generator, thumbnail: np.ndarray) -> None:
    """Thumbnails, lists and buttons."""
    y, gap = box.top + 4, max(3, box.width // 14)
    text_px = max(8, screen.shape[0] / rng.uniform(45, 70))
    ink = tuple([240.0] * 3) if screen[box.top : box.bottom, box.left : box.right].mean() < 128 else tuple([30.0] * 3)
    while y < box.bottom - 2 * text_px:
        kind = rng.integers(4)
        if kind == 0 and box.height > box.width:
            width = max(8, box.width - 2 * gap)
            height = max(8, int(width * thumbnail.shape[0] / thumbnail.shape[1]))
            if y + height >= box.bottom:
                break
            paste(screen, cv2.resize(thumbnail, (width, height), interpolation=cv2.INTER_AREA), box.left + gap, y)
            y += height + gap
        elif kind == 1:
            cv2.rectangle(
                screen,
                (box.left + gap, int(y)),
                (box.right - gap, int(y + 1.6 * text_px)),
                panel_colour(rng, False),
                -1,
            )
            y += int(2.2 * text_px)
        else:
            write(screen, str(rng.choice(WORDS)), (box.left + gap, y + text_px), text_px * 0.8, ink, rng)
            y += int(1.5 * text_px)
        y += int(rng.uniform(0, 2) * text_px)


def draw_pane_frame(screen: np.ndarray, pane: Pane, rng: np.random.Generator) -> None:
    colour = (0.0, 200.0, 255.0) if rng.random() < 0.3 else (float(rng.uniform(60, 200)),) * 3
    cv2.rectangle(screen, (pane.left, pane.top), (pane.right - 1, pane.bottom - 1), colour, 1)
    pane.left, pane.top, pane.right, pane.bottom = pane.left + 2, pane.top + 2, pane.right - 2, pane.bottom - 2


def show_companion(screen: np.ndarray, pane: Pane, companion: np.ndarray, rng: np.random.Generator) -> Pane:
    """A second picture in one half of the pane; returns the other half."""
    middle = (pane.left + pane.right) // 2
    left, right = Pane(pane.left, pane.top, middle, pane.bottom), Pane(middle, pane.top, pane.right, pane.bottom)
    mine, other = (left, right) if rng.random() < 0.5 else (right, left)
    place_film(screen, other, companion, rng)
    return mine


def paste(screen: np.ndarray, picture: np.ndarray, left: int, top: int) -> None:
    """Pastes a grey or colour picture, cut to the screen."""
    bottom, right = min(screen.shape[0], top + picture.shape[0]), min(screen.shape[1], left + picture.shape[1])
    part = picture[: bottom - top, : right - left]
    screen[top:bottom, left:right] = part if part.ndim == 3 else part[..., None]


def place_film(
    screen: np.ndarray, pane: Pane, film: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draws the film fitted into the pane or zoomed beyond it; returns the corners of the visible part, and the
    scale and origin of the whole film."""
    fit = min(pane.width / film.shape[1], pane.height / film.shape[0])
    zoom = rng.choice([1.0, rng.uniform(0.7, 1.0), rng.uniform(1.0, 1.25)], p=[0.5, 0.35, 0.15])
    width, height = max(8, int(film.shape[1] * fit * zoom)), max(8, int(film.shape[0] * fit * zoom))
    shown = cv2.resize(film, (width, height), interpolation=cv2.INTER_AREA if fit * zoom < 1 else cv2.INTER_CUBIC)
    slack = np.array([pane.width - width, pane.height - height])
    at = np.where(
        slack > 0, slack * (0.5 if rng.random() < 0.75 else rng.uniform(0, 1, 2)), slack * rng.uniform(0.2, 0.8, 2)
    )
    left, top = pane.left + int(at[0]), pane.top + int(at[1])
    scale, origin = np.array([width / film.shape[1], height / film.shape[0]]), np.array([left, top], float)
    cut_left, cut_top = max(0, pane.left - left), max(0, pane.top - top)
    left, top = left + cut_left, top + cut_top
    visible = shown[cut_top : cut_top + pane.bottom - top, cut_left : cut_left + pane.right - left]
    paste(screen, visible, left, top)
    right, bottom = left + visible.shape[1], top + visible.shape[0]
    annotate(screen, Pane(left, top, right, bottom), rng)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64), scale, origin


def annotate(screen: np.ndarray, box: Pane, rng: np.random.Generator) -> None:
    """Text in the corners of the film, as in viewers, and sometimes a measuring line or a mouse pointer."""
    size = max(8, screen.shape[0] / rng.uniform(45, 75))
    colour = (255.0,) * 3 if rng.random() < 0.7 else tuple(float(v) for v in rng.uniform(100, 255, 3))
    for right in (False, True):
        for bottom in (False, True):
            if rng.random() < 0.3:
                for line in range(rng.integers(1, 5)):
                    x = box.right - 9 * size if right else box.left + size / 2
                    y = box.bottom - (line + 0.5) * 1.4 * size if bottom else box.top + (line + 1) * 1.4 * size
                    write(screen, str(rng.choice(WORDS)), (x, y), size * 0.75, colour, rng)
    if rng.random() < 0.15:
        ends = rng.uniform(0.2, 0.8, (2, 2)) * [box.width, box.height] + [box.left, box.top]
        cv2.line(screen, tuple(ends[0].astype(int)), tuple(ends[1].astype(int)), (0, 255, 255), 1, cv2.LINE_AA)
    if rng.random() < 0.3:
        x, y = rng.uniform(0.1, 0.9, 2) * [box.width, box.height] + [box.left, box.top]
        arrow = np.array([[0, 0], [0, 1.6], [0.45, 1.2], [1.1, 1.2]]) * size + [x, y]
        cv2.fillPoly(screen, [arrow.astype(np.int32)], (255, 255, 255), cv2.LINE_AA)
