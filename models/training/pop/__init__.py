"""Photographs of screens ("PoP"): simulates a telephone's photograph of a monitor that shows a film.

`photograph(film, rng)` gives the picture and the four corners of the displayed film.
"""

from .camera import Photograph, photograph, photograph_screen
from .screen import Screen, compose_screen

__all__ = ["Photograph", "Screen", "compose_screen", "photograph", "photograph_screen"]
