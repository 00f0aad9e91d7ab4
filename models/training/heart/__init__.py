"""Measures close-ups of the heart."""
