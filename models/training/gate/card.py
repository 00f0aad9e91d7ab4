# ruff: noqa: E501
"""Fills the cards of the gate and the corner pack from their manifests."""

from pathlib import Path
from typing import Any

PURPOSE = {
    "gate": "Tells a lateral radiograph of a dog's (or cat's) thorax from everything else, and a file from a photograph of a screen. "
    "What is neither is rejected before anything is measured.",
    "corners": "Finds the four corners of the radiograph that a photographed screen shows, so that the photograph can be rectified.",
}
READING = {
    "gate": "Outputs probabilities of `direct`, `pop` and, of what a picture is otherwise (`kinds`), calibrated by one temperature on held-out pictures. "
    "The likelier of `direct` and `pop` is chosen, unless the sum over all others reaches that kind's limit (`rejectDirectAtOrAbove`, `rejectAtOrAbove`); the likeliest of them is said on the page where the pack names them. "
    "The film of a photograph is judged once more when it is straightened, and rejected from `rejectRectifiedAtOrAbove` on.",
    "corners": "Outputs eight heat maps, one per corner and one per side. Of the maxima of the four corner maps those four are taken that together are likeliest: high, joined by sides that "
    "the network sees, at angles that a rectangle has in perspective (`main/inference/screens/corner-quadrilateral.ts`). After a first look at the whole picture a second one on a crop around the film "
    "refines them. They count as found when what is seen of corners and sides reaches `minimumEvidence` (weighted geometric mean). "
    "Each side then moves to the straight line of grey-level steps near it (`main/inference/screens/corner-refinement.ts`); the figures come from the program and include all of this.",
}
LIMITS = {
    "gate": [
        "Real photographs of screens were not available: that half was trained and measured on simulated ones only.",
        "Radiographs of other kinds in training are simple phantoms and refolded lateral films; kinds that look like neither (computed tomography, dental, horses) were not tried.",
        "A lateral film that cuts through the heart may be rejected. One that shows the thorax smaller than about a tenth of the picture is, unless the program then finds the thorax by itself.",
        "A close-up of a film on a screen that lost its colours and shows nothing of the film's border is mostly taken for a file (see the figures).",
    ],
    "corners": [
        "Trained and measured on simulated photographs only.",
        "Where the film's border is as black as the viewer around it, the border cannot be seen and the corners follow what is visible.",
        "The film must stand upright in the photograph within about 30 degrees; a photograph turned by 90 degrees gives corners in the order of the photograph.",
        "Beside a second radiograph on the same screen the wrong one may be chosen.",
    ],
}


def row(name: str, figure: dict[str, Any] | float) -> str:
    if not isinstance(figure, dict):
        return f"| {name} | {figure:.2%} | | |" if figure < 1 else f"| {name} | {figure} | | |"
    value = figure.get("share", figure.get("median"))
    low, high = figure["interval"]
    digits = 1 if "share" in figure else 2
    return f"| {name} | {value:.{digits}%} | {low:.{digits}%} – {high:.{digits}%} | {figure['n']} |"


def write_cards(folder: Path, manifest: dict[str, Any]) -> None:
    """Writes CARD.md; pictures named failures.jpg or samples.jpg beside it are shown."""
    kind, training = manifest["kind"], manifest["training"]
    pictures = [
        f"![{title}]({file})"
        for title, file in (("Simulated pictures (phantoms)", "samples.jpg"), ("Failures (phantoms)", "failures.jpg"))
        if (Path(folder) / file).exists()
    ]
    lines = [
        f"# {manifest['name']} {manifest['version']}",
        "",
        "**Not clinically validated.** An aid for veterinarians, not a medical device.",
        "",
        PURPOSE[kind],
        "",
        READING[kind],
        "",
        "## Data",
        *[f"- {entry}" for entry in training["data"]],
        "",
        f"{training['statement']} {training['picturesSeen']:,} augmented pictures in {training['minutes']} minutes on {training['machine']}, seed {training['seeds'][0]}, {training['date']}.",
        "",
        "## Figures",
        "| what | value | 95 % interval | n |",
        "|---|---|---|---|",
        *[row(name, figure) for name, figure in manifest["evaluation"].items()],
        "",
        'Real films (names beginning with "real") were used for measuring only. Printed by `python3 -m training.evaluate_screens`.',
        "",
        "## Limits",
        *[f"- {limit}" for limit in LIMITS[kind]],
        *(["", "## Pictures", *pictures] if pictures else []),
    ]
    (Path(folder) / "CARD.md").write_text("\n".join(lines) + "\n")
