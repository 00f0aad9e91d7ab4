"""Photographs of screens ("PoP"): turns any film into a telephone's picture of a monitor that shows it.

`photograph(film, rng)` gives the picture and the four corners of the displayed film.
"""

from .camera import Photograph, photograph, photograph_screen
from .screen import Screen, compose_screen

__all__ = ["Photograph", "Screen", "compose_screen", "photograph", "photograph_screen"]
