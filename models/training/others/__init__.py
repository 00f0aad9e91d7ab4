"""Pictures that are not a lateral thorax: other radiographs, derived films, photographs, documents, noise."""

from .animals import photograph_of_animal, read_cut_outs
from .derived import without_thorax
from .pictures import PICTURES, draw_picture
from .pictures import TAKEN_FOR as PICTURES_TAKEN_FOR
from .radiographs import TAKEN_FOR as VIEWS_TAKEN_FOR
from .radiographs import VIEWS, draw_radiograph
from .skeleton import draw_animal, read_skeleton

TAKEN_FOR = {
    **{name: PICTURES_TAKEN_FOR.get(name, "document") for name in PICTURES},
    **{name: VIEWS_TAKEN_FOR.get(name, "other_radiograph") for name in VIEWS},
    "photograph": "photograph",
    "photograph of an animal": "photograph",
}
"""Class of a drawn picture for the gate, by its source."""

__all__ = [
    "PICTURES",
    "TAKEN_FOR",
    "VIEWS",
    "draw_animal",
    "draw_picture",
    "draw_radiograph",
    "photograph_of_animal",
    "read_cut_outs",
    "read_skeleton",
    "without_thorax",
]
