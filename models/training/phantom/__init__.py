"""A procedural simulator of lateral thoracic radiographs of dogs and cats with exact truth."""

from .film import PhantomFilm, make_film

__all__ = ["PhantomFilm", "make_film"]
