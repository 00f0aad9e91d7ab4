"""The gate: a lateral thorax as a file, a photograph of a screen that shows one, or neither."""
