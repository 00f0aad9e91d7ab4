"""Counts vertebrae along the straightened column."""
