"""Sees the heart close."""
