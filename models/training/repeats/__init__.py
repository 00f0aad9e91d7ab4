"""Repeatability of scores: pairs of films of one animal, altered copies of one film, and other positions."""
