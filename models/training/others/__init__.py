"""Pictures that are not a lateral thorax: other radiographs, derived films, photographs, documents, noise."""
from .derived import without_thorax
from .pictures import PICTURES, draw_picture
from .radiographs import VIEWS, draw_radiograph

__all__ = ["PICTURES", "VIEWS", "draw_picture", "draw_radiograph", "without_thorax"]
