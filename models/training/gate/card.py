# ruff: noqa: E501
"""Writes the cards of the gate pack and the corner pack from their manifests."""

from pathlib import Path
from typing import Any

PURPOSE = {
    "gate": "Distinguishes lateral radiographs of the thorax of dogs (or cats) from all other pictures, and files from photographs of screens. "
    "Pictures that are neither are rejected before anything is measured.",
    "corners": "Finds the four corners of the radiograph that a photographed screen shows, so that the photograph can be rectified.",
}
READING = {
    "gate": "Outputs the probabilities of `direct`, of `pop` and of other kinds of pictures (`kinds`), calibrated by one temperature on held-out pictures. "
    "The more probable of `direct` and `pop` is chosen, unless the sum of all others reaches its limit (`rejectDirectAtOrAbove`, `rejectAtOrAbove`); the page then shows the most probable of the others, if the pack names them. "
    "The film in a photograph is classified again after rectification, and rejected from `rejectRectifiedAtOrAbove` on.",
    "corners": "Outputs eight heat maps, one per corner and one per side. From the maxima of the four corner maps, the most probable combination is chosen: high values, joined by visible "
    "sides, at angles that a rectangle can have in perspective (`main/inference/screens/corner-quadrilateral.ts`). A second pass on a crop around the film refines the result "
    "of the first pass on the whole picture. Corners count as found if the evidence for corners and sides reaches `minimumEvidence` (weighted geometric mean). "
    "Each side is then moved to the straight line of grey-level steps near it (`main/inference/screens/corner-refinement.ts`); the figures were measured with the program and include all these steps.",
}
LIMITS = {
    "gate": [
        "Real photographs of screens were not available: this class was trained and measured only on simulated ones.",
        "Other kinds of radiographs in training are simple phantoms and rearranged lateral films; kinds that resemble neither (computed tomography, dental, horses) were not tried.",
        "A lateral film that cuts through the heart may be rejected. A film on which the thorax takes up less than about a tenth of the picture is rejected, unless the program then finds the thorax itself.",
        "A close-up photograph of a film on a screen, without colours and without the border of the film, is usually classified as a file (see the figures).",
    ],
    "corners": [
        "Trained and measured on simulated photographs only.",
        "If the border of the film is as black as the viewer around it, the border is invisible and the corners follow the visible part of the film.",
        "The film must stand upright in the photograph within about 30 degrees; a photograph turned by 90 degrees gives corners in the order of the photograph.",
        "If a second radiograph is on the same screen, the wrong one may be chosen.",
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
    """Writes CARD.md, including failures.jpg and samples.jpg if they exist in the folder."""
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
